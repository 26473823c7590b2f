import { canary, leaks } from "../../../testkit/canary";
import { summaryOfSteps, update } from "../../../testkit/summary-steps";

const SECRET_FORM = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

test("shows a change below a value that the engine marks as secret, and one of a value that the JSON lacks", () => {
  const before = { limits: { ...SECRET_FORM, ciphertext: "a" }, plain: 1 };
  const after = { limits: { ...SECRET_FORM, ciphertext: "b" }, plain: 1 };
  const text = summaryOfSteps([update(before, after, "limits.user", "limits.list[0]", "absent.a")]);
  expect(text).toContain(
    "  - `limits.user`: `[secret]` (changed)\n  - `limits.list[0]`: `[secret]` (changed)\n  - `absent.a`: (changed)\n",
  );
  const plain = summaryOfSteps([update(before, { limits: { user: "u" } }, "limits.user")]);
  expect(plain).toContain("`limits.user`: `[secret]` → `u`");
});

test("shows no part of a value that the engine marks as secret, also where a message repeats it", () => {
  const [token, key, password] = [canary("token"), canary("key"), canary("password")];
  const marked = (value: unknown) => ({ ...SECRET_FORM, plaintext: JSON.stringify(value) });
  const before = {
    text: marked(`AccountName=a;AccountKey=${key}`),
    list: [marked({ deep: [token] })],
    map: marked({ connectionString: `Endpoint=sb://x/;SharedAccessKey=${password}` }),
    other: { ...SECRET_FORM, plaintext: "not JSON" },
  };
  const diagnostics = [{ severity: "error", message: `it said ${key}, ${token}, ${password} and not JSON` }];
  const text = summaryOfSteps([update(before, before)], { diagnostics });
  expect(text).toContain("`it said [secret], [secret], [secret] and [secret]`");
});

test("shows no secret of a JSON made with --show-secrets, also where a message repeats it", () => {
  const [password, key, token] = [canary("password"), canary("key"), canary("token")];
  const inputs = (more: object) => ({
    source: { kafka: { credentials: { username: "u", password }, ...more } },
    marked: { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: token },
    list: [{ secretKey: key }],
  });
  const config = { "datapipes:apiKeySecret": key };
  const diagnostics = [{ severity: "warning", message: `it said ${password} and ${key}` }];
  const after = { ...inputs({}), marked: 1, list: [] };
  const steps = [
    update(
      inputs({}),
      after,
      "source.kafka.credentials",
      "source.kafka",
      "source.kafka.credentials.password",
      "marked",
      "list[0]",
      "list",
    ),
  ];
  const text = summaryOfSteps(steps, { config, diagnostics });
  expect(leaks({ text }, [password, key, token])).toEqual([]);
  expect(text).toContain("`source.kafka.credentials`: `[secret]` (changed)");
  expect(text).toContain("`marked`: `[secret]` → `1`");
  expect(text).toContain("**1 to update**");
});

test.each<[what: string, before: string, after: string, shown: string]>([
  [
    "far behind the beginning",
    `${"a".repeat(300)}b${"c".repeat(200)}`,
    `${"a".repeat(300)}d`,
    `… \`${"a".repeat(40)}b${"c".repeat(119)}\` … (501 characters) → … \`${"a".repeat(40)}d\` (301 characters)`,
  ],
  [
    "where one of the texts ends",
    "a".repeat(160),
    `${"a".repeat(160)}b`,
    `\`${"a".repeat(160)}\` → … \`${"a".repeat(40)}b\` (161 characters)`,
  ],
  [
    "near the beginning",
    `${"a".repeat(120)}b${"c".repeat(50)}`,
    "a",
    `\`${"a".repeat(120)}b${"c".repeat(39)}\` … (171 characters) → \`a\``,
  ],
])("shows the part of a long text that differs: %s", (_, before, after, shown) => {
  expect(summaryOfSteps([update({ text: before }, { text: after }, "text")])).toContain(`: ${shown}\n`);
});

test("shows no part of a secret that a long text cuts", () => {
  const token = canary("token");
  const of = (end: string) => ({ text: `${"a".repeat(150)}${token}${end}`, secret: { token } });
  const text = summaryOfSteps([update(of("b"), of("c"), "text")]);
  expect(text).not.toContain(token.slice(0, 8));
  expect(text).toContain(`${"a".repeat(40 - "[secret]".length)}[secret]b`);
});
