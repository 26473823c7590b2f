import { insecureWarning, readConfiguration, requireSettings } from "../../provider/src/settings/config";
import { configurationKey, SETTINGS, type SettingName } from "../../provider/src/settings/settings";

const WITHOUT = "without user, query and fragment";

/** Key, environment variable and form of each setting, as the contract has them. */
const CONTRACT: [name: SettingName, environment: string, form: string][] = [
  ["apiKeyId", "DATAPIPES_API_KEY_ID", "text without a colon"],
  ["apiKeySecret", "DATAPIPES_API_KEY_SECRET", "text"],
  ["baseUrl", "DATAPIPES_BASE_URL", `an https URL ${WITHOUT}, such as https://api.example.com`],
  ["allowInsecure", "DATAPIPES_ALLOW_INSECURE", '"true" or "false"'],
  ["organizationId", "DATAPIPES_ORGANIZATION_ID", "a UUID"],
  ["serviceId", "DATAPIPES_SERVICE_ID", "a UUID"],
  ["rateLimit", "DATAPIPES_RATE_LIMIT", '"<requests>/<seconds>s", such as "10/10s", or "off"'],
  ["requestTimeoutSeconds", "DATAPIPES_REQUEST_TIMEOUT_SECONDS", "a whole number from 1"],
  ["maxRetries", "DATAPIPES_MAX_RETRIES", "a whole number from 0"],
  ["rateLimitTimeoutSeconds", "DATAPIPES_RATE_LIMIT_TIMEOUT_SECONDS", "a whole number from 0"],
];
const REQUIRED = ["apiKeyId", "apiKeySecret", "baseUrl", "organizationId", "serviceId"];

const id = "0a1b2c3d-0000-4000-8000-00000000000f";
const read = (stack: Record<string, string>, environment: Record<string, string> = {}) =>
  readConfiguration((key) => stack[key], environment);
const readOne = (name: SettingName, text: string) => {
  const { values, defects } = read({ [`datapipes:${name}`]: text });
  return defects[name]?.text ?? values[name];
};

function remedyOf(name: string, environment: string): string {
  const given = name === "apiKeySecret" ? "--secret datapipes:apiKeySecret" : `datapipes:${name} <value>`;
  return `Set it with \`pulumi config set ${given}\` or as ${environment} in the environment; for an explicit Provider, set the argument ${name}.`;
}

test.each(CONTRACT)("%s is read from its key and from the variable %s", (name, environment, form) => {
  expect(configurationKey(name)).toBe(`datapipes:${name}`);
  expect(SETTINGS[name]).toMatchObject({ environment, form });
});

test.each(CONTRACT)("%s is an error, if it is required and missing or empty", (name, environment) => {
  const message = `datapipes:${name} is not set. ${remedyOf(name, environment)}`;
  const expected = REQUIRED.includes(name) ? message : undefined;
  expect(read({}).defects[name]?.text).toBe(expected);
  expect(read({ [`datapipes:${name}`]: "" }, { [environment]: "" }).defects[name]?.text).toBe(expected);
});

describe.each([
  ["a\u0007b", "a\\u0007b", "contains a control character"],
  ["ab\n", "ab\\n", "ends with a line break"],
  ["ab \r\n", "ab \\r\\n", "ends with a line break"],
  ["a\nb", "a\\nb", "contains a line break"],
  [" \t", " \\t", "contains only whitespace"],
])("the value %j", (text, shown, defect) => {
  test.each(CONTRACT)("is refused for %s and for %s", (name, environment, form) => {
    // What may be a secret is not repeated.
    const said = ["apiKeySecret", "organizationId", "serviceId"].includes(name)
      ? `cannot be used: it ${defect}`
      : `is "${shown}", which ${defect}; expected ${form}`;
    const message = `datapipes:${name} ${said}. ${remedyOf(name, environment)}`;
    expect(readOne(name, text)).toBe(message);
    expect(read({}, { [environment]: text }).defects[name]?.text).toBe(message);
  });
});

test.each<[SettingName, text: string, shown: string]>([
  ["apiKeyId", "canary-secret:key", "…:…"],
  ["apiKeyId", "key:canary-secret", "…:…"],
  ["baseUrl", "https://user:canary-secret@api.example.com", "https://…@api.example.com"],
  ["baseUrl", "user:canary-secret@api.example.com", "…@api.example.com"],
  ["baseUrl", "https://user:canary@secret@api.example.com", "https://…@api.example.com"],
  ["baseUrl", "https://api.example.com?token=canary-secret", "https://api.example.com…"],
])("a secret in the wrong place is not repeated: %s: %s", (name, text, shown) => {
  expect(readOne(name, text)).toContain(`is ${JSON.stringify(shown)}, `);
});

test.each([
  ["canary-secret", "has 13 characters instead of the 36 of a UUID"],
  ["deadbeef00008000deadbeef", "has 24 characters instead of the 36 of a UUID"],
  [`g${id.slice(1)}`, "is not a UUID"],
])("a text in place of an ID is not repeated, because it may be a secret: %s", (text, problem) => {
  expect(readOne("serviceId", text)).toContain(`datapipes:serviceId cannot be used: it ${problem}. Set it`);
});

const API = "https://api.example.com";

test.each<[SettingName, text: string, defect: string]>([
  ["serviceId", id.slice(1), "has 35 characters instead of the 36 of a UUID"],
  ["organizationId", `{${id}}`, "has 38 characters instead of the 36 of a UUID"],
  ["serviceId", "a-", "has 2 characters instead of the 36 of a UUID"],
  ["baseUrl", `${API}/v1/x`, "has a path after /v1"],
  ["baseUrl", `${API}/api/v1//organizations`, "has a path after /v1"],
])("%s is refused as %s, because it %s", (name, text, defect) => {
  expect(readOne(name, text)).toContain(`, which ${defect}; expected ${SETTINGS[name].form}. Set it with`);
});

test.each(["https://u:w@x.example", "https://u@x.example", "u:w@x.example", `${API}?x=1`, `${API}/#x`])(
  "a base URL with a user, a query or a fragment is refused: %s",
  (text) => {
    expect(readOne("baseUrl", text)).toContain(", expected an https URL without user, query and fragment,");
  },
);

test("shortens a long malformed value, and removes its control characters", () => {
  const shortened = `is "${"x".repeat(60)}…", expected`;
  expect(readOne("rateLimit", "x".repeat(5000))).toContain(shortened);
  expect(readOne("rateLimit", "a\u009b31m\u202eb")).toContain('is "a\\u009b31m\\u202eb", which');
});

test.each<[SettingName, value: unknown, ...texts: string[]]>([
  ["apiKeyId", "key", " key\t"],
  ["apiKeySecret", "word", " word "],
  ["apiKeySecret", "a:b c/é\"'", "a:b c/é\"'"],
  ["baseUrl", API, API, `${API}/`, `${API}/v1`, `${API}/v1/`, "HTTPS://API.Example.com"],
  ["baseUrl", `${API}:8443/a/path`, `${API}:8443/a/path///`, `${API}:8443/a/path/v1//`],
  ["baseUrl", `${API}/av1`, `${API}/av1`],
  ["baseUrl", `${API}/v1beta/api`, `${API}/v1beta/api`],
  ["baseUrl", "http://localhost:8600", "http://localhost:8600", "http://localhost:8600/v1"],
  ["allowInsecure", true, "true"],
  ["organizationId", id, id],
  ["serviceId", id.toUpperCase(), id.toUpperCase()],
  ["rateLimit", { requests: 100, seconds: 60 }, "100/60s"],
  ["rateLimit", "off", "off"],
  ["requestTimeoutSeconds", 1, "1"],
  ["maxRetries", 0, "0"],
])("%s is %j in each of its legal forms", (name, value, ...texts) => {
  for (const text of texts) expect({ text, value: readOne(name, text) }).toEqual({ text, value });
});

test.each<[name: SettingName, ...texts: string[]]>([
  ["baseUrl", "localhost:8600", "https://"],
  ["baseUrl", "api.example.com", "ftp://api.example.com", "https://api example.com"],
  ["allowInsecure", "yes", "TRUE"],
  ["rateLimit", "10", "10/10", "0/10s", "10/0s", "-1/10s", "1.5/10s", "Off"],
  ["requestTimeoutSeconds", "0", "1.5", "60s", "1e3"],
  ["maxRetries", "-1", "many", "9999999999"],
])("%s refuses any other form: %j", (name, ...texts) => {
  for (const text of texts) {
    const { values, defects } = read({ [`datapipes:${name}`]: text });
    expect(values).not.toHaveProperty(name);
    expect(defects[name]?.text).toContain(` is "${text}", expected ${SETTINGS[name].form}. Set it with`);
  }
});

test("has the settings of the contract, with these defaults", () => {
  expect(Object.keys(SETTINGS)).toEqual(CONTRACT.map(([name]) => name));
  expect(read({}).values).toEqual({
    allowInsecure: false,
    rateLimit: { requests: 10, seconds: 10 },
    requestTimeoutSeconds: 60,
    maxRetries: 4,
    rateLimitTimeoutSeconds: 600,
  });
});

test.each(["127.255.0.9", "127.1", "[::1]:8443", "LOCALHOST./", "api.localhost"])(
  "plain http to %s, which is this machine, is accepted",
  (host) => {
    expect(read({ "datapipes:baseUrl": `http://${host}` }).values).toHaveProperty("baseUrl");
  },
);

const NAMES = ["api.example.com", "localhost.example.com", "127.0.0.1.example.com", "mylocalhost"];
const ADDRESSES = ["128.0.0.1", "[::2]", "[::ffff:8000:1]"];

test.each([...NAMES, ...ADDRESSES])("plain http to %s, which is another machine, is refused", (host) => {
  expect(readOne("baseUrl", `http://${host}`)).toBe(
    `datapipes:baseUrl is "http://${host}": plain http would send the API key and all secrets unencrypted. Set an https ` +
      `URL with \`pulumi config set datapipes:baseUrl https://…\` or as DATAPIPES_BASE_URL in the environment; for an explicit Provider, set the argument baseUrl.`,
  );
});

test.each<[isAccepted: boolean, stack: Record<string, string>, environment: Record<string, string>]>([
  [false, { "datapipes:allowInsecure": "false" }, {}],
  [false, { "datapipes:allowInsecure": "yes" }, {}],
  [true, { "datapipes:allowInsecure": "true" }, {}],
  [true, {}, { DATAPIPES_ALLOW_INSECURE: "true" }],
])("that plain http to another machine is accepted is %s with %j %j", (isAccepted, stack, environment) => {
  const { values } = read({ "datapipes:baseUrl": "http://api.example.com", ...stack }, environment);
  expect("baseUrl" in values).toBe(isAccepted);
});

test.each<[baseUrl: string, allowInsecure: string, warning: RegExp | undefined]>([
  ["https://api.example.com", "false", undefined],
  ["http://127.0.0.1:4010", "false", undefined],
  ["https://api.example.com", "true", /^datapipes:allowInsecure is "true"/],
  ["http://api.example.com", "true", /^http:\/\/api.example.com uses plain http/],
])("%s with allowInsecure %s causes the warning %s", (baseUrl, allowInsecure, warning) => {
  const { values } = read({ "datapipes:baseUrl": baseUrl, "datapipes:allowInsecure": allowInsecure });
  expect(insecureWarning(values) ?? "").toMatch(warning ?? /^$/);
});

test("the stack's configuration wins over the environment", () => {
  const { values } = read({ "datapipes:maxRetries": "3" }, { DATAPIPES_MAX_RETRIES: "7" });
  expect(values).toMatchObject({ maxRetries: 3 });
});

test("a malformed value of the stack is reported, although the environment has another value", () => {
  const { defects } = read({ "datapipes:maxRetries": "x" }, { DATAPIPES_MAX_RETRIES: "7" });
  expect(defects.maxRetries?.text).toContain('datapipes:maxRetries is "x"');
});

test("the process's own environment is read where none is given", () => {
  const replaced = jest.replaceProperty(process, "env", { DATAPIPES_API_KEY_ID: "from the process" });
  expect(readConfiguration(() => undefined).values.apiKeyId).toBe("from the process");
  replaced.restore();
});

test("one error lists each required setting that is missing or malformed", () => {
  const configuration = read({ "datapipes:apiKeyId": "key", "datapipes:maxRetries": "x" });
  const run = () => requireSettings(configuration, ["apiKeySecret", "apiKeyId", "maxRetries"]);
  expect(run).toThrow(/^datapipes:apiKeySecret is not set.*\ndatapipes:maxRetries is "x".*$/);
  expect(run).toThrow(expect.objectContaining({ code: "configuration" }) as Error);
});
