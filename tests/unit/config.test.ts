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

const MALFORMED: [text: string, shown: string, defect: string][] = [
  ["a\u0007b", "a\\u0007b", "contains a control character"],
  ["ab\n", "ab\\n", "ends with a line break"],
  ["ab \r\n", "ab \\r\\n", "ends with a line break"],
  ["a\nb", "a\\nb", "contains a line break"],
  [" \t", " \\t", "contains only whitespace"],
];

test.each(CONTRACT)("%s is named with key, form, variable and command", (name, environment, form) => {
  const key = `datapipes:${name}`;
  const isSecret = name === "apiKeySecret";
  const command = isSecret ? `--secret ${key}` : `${key} <value>`;
  const remedy = `Set it with \`pulumi config set ${command}\` or as ${environment} in the environment; for an explicit Provider, set the argument ${name}.`;
  expect(configurationKey(name)).toBe(key);
  expect(SETTINGS[name]).toMatchObject({ environment, form });

  const missing = REQUIRED.includes(name) ? `${key} is not set. ${remedy}` : undefined;
  expect(read({}).defects[name]?.text).toBe(missing);
  expect(read({ [key]: "" }, { [environment]: "" }).defects[name]?.text).toBe(missing);

  for (const [text, shown, defect] of MALFORMED) {
    // A secret is not repeated.
    const expected = `is "${shown}", which ${defect}; expected ${form}`;
    const what = isSecret ? `cannot be used: it ${defect}` : expected;
    const { values, defects } = read({ [key]: text });
    expect(defects[name]?.text).toBe(`${key} ${what}. ${remedy}`);
    expect(values).not.toHaveProperty(name);
    expect(read({}, { [environment]: text }).defects[name]?.text).toBe(defects[name]?.text);
    expect(defects[name]?.text.length).toBeLessThan(400);
  }
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

const API = "https://api.example.com";

test.each<[SettingName, defect: string, ...texts: string[]]>([
  ["serviceId", "has 35 characters instead of 36", id.slice(1)],
  ["organizationId", "has 38 characters instead of 36", `{${id}}`],
  ["serviceId", "has 1 character instead of 36", "x"],
])("%s is refused with the problem that it %s: %s", (name, defect, ...texts) => {
  for (const text of texts) {
    const { values, defects } = read({ [`datapipes:${name}`]: text });
    expect(values).not.toHaveProperty(name);
    expect(defects[name]?.text).toContain(`, which ${defect}; expected ${SETTINGS[name].form}. Set it with`);
  }
});

test.each(["https://u:w@x.example", "https://u@x.example", "u:w@x.example", `${API}?x=1`, `${API}/#x`])(
  "a base URL with a user, a query or a fragment is refused: %s",
  (text) => {
    expect(readOne("baseUrl", text)).toContain(", expected an https URL without user, query and fragment,");
  },
);

test("shortens a long malformed value, and removes its control characters", () => {
  const shortened = `is "${"x".repeat(60)}…", which has 5000 characters`;
  expect(readOne("serviceId", "x".repeat(5000))).toContain(shortened);
  expect(readOne("serviceId", "a\u009b31m\u202eb")).toContain('is "a\\u009b31m\\u202eb", which');
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
  ["baseUrl", "http://api.localhost:8600", "http://api.localhost:8600"],
  ["baseUrl", "http://127.1.2.3", "http://127.1.2.3"],
  ["baseUrl", "http://[::1]:8600", "http://[::1]:8600"],
  ["baseUrl", "http://localhost.", "http://localhost./"],
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
  ["baseUrl", `${API}/v1/x`, `${API}/v1/under`, `${API}/api/v1//organizations`, "localhost:8600", "https://"],
  ["baseUrl", "api.example.com", "ftp://api.example.com", "https://api example.com"],
  ["allowInsecure", "yes", "TRUE"],
  ["serviceId", `g${id.slice(1)}`],
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

const REMOTE = ["api.example.com", "localhost.example.com", "127.0.0.1.example.com", "not-localhost"];

test.each(REMOTE)("plain http to another machine is taken only where the program allows it: %s", (host) => {
  const baseUrl = `http://${host}`;
  const given = { "datapipes:baseUrl": baseUrl };
  const { values, defects } = read(given);
  expect(values).not.toHaveProperty("baseUrl");
  expect(defects.baseUrl?.text).toBe(
    `datapipes:baseUrl is "${baseUrl}": plain http would send the API key and all secrets unencrypted. Set an https ` +
      `URL with \`pulumi config set datapipes:baseUrl https://…\` or as DATAPIPES_BASE_URL in the environment; for an explicit Provider, set the argument baseUrl.`,
  );
  for (const allowInsecure of ["false", "yes"])
    expect(read({ ...given, "datapipes:allowInsecure": allowInsecure }).values).not.toHaveProperty("baseUrl");
  expect(read({ ...given, "datapipes:allowInsecure": "true" }).values).toMatchObject({ baseUrl });
  expect(read(given, { DATAPIPES_ALLOW_INSECURE: "true" }).values).toMatchObject({ baseUrl });
});

test.each([
  ["https://api.example.com", "false", undefined],
  ["http://127.0.0.1:4010", "false", undefined],
  ["https://api.example.com", "true", /^datapipes:allowInsecure is "true"/],
  ["http://api.example.com", "true", /^http:\/\/api.example.com uses plain http/],
])("unencrypted requests to %s are warned of with allowInsecure %s", (baseUrl, allowInsecure, warning) => {
  const { values } = read({ "datapipes:baseUrl": baseUrl, "datapipes:allowInsecure": allowInsecure });
  if (warning === undefined) expect(insecureWarning(values)).toBeUndefined();
  else expect(insecureWarning(values)).toMatch(warning);
});

test("the stack's configuration wins over the environment, also with a malformed value", () => {
  const environment = { DATAPIPES_MAX_RETRIES: "7", DATAPIPES_API_KEY_ID: "of the environment" };
  const { values } = read({ "datapipes:maxRetries": "3" }, environment);
  expect(values).toMatchObject({ maxRetries: 3, apiKeyId: "of the environment" });
  const malformed = read({ "datapipes:maxRetries": "x" }, environment);
  expect(malformed.values).not.toHaveProperty("maxRetries");
  expect(malformed.defects.maxRetries?.text).toContain('datapipes:maxRetries is "x"');
});

test("the process's own environment is read where none is given", () => {
  const replaced = jest.replaceProperty(process, "env", { DATAPIPES_API_KEY_ID: "from the process" });
  expect(readConfiguration(() => undefined).values.apiKeyId).toBe("from the process");
  replaced.restore();
});

test("required settings are all there, or one error lists each that is not", () => {
  const given = { "datapipes:apiKeyId": "key", "datapipes:baseUrl": "https://api.example.com" };
  expect(requireSettings(read(given), ["apiKeyId", "baseUrl"])).toMatchObject({ apiKeyId: "key" });
  const configuration = read({ ...given, "datapipes:maxRetries": "x" });
  const run = () => requireSettings(configuration, ["apiKeySecret", "apiKeyId", "maxRetries"]);
  expect(run).toThrow(/^datapipes:apiKeySecret is not set.*\ndatapipes:maxRetries is "x".*$/);
  expect(run).toThrow(expect.objectContaining({ code: "configuration" }) as Error);
});
