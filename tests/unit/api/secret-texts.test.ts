import { secretTextsOf } from "../../../provider/src/api/redaction";
import { canary, formsOf } from "../../../testkit/canary";

const SECRET = canary("texts");

describe("the texts that hold a secret of some properties", () => {
  const connectionString = "AccountName=demo;AccountKey=hunter-of-keys";
  const isSecret = secretTextsOf({
    name: "orders",
    source: {
      objectStorage: { connectionString },
      kafka: { credentials: { username: "loader", password: SECRET } },
    },
    pin: { credentials: { password: "123" } },
  });

  const forms = Object.entries(formsOf(SECRET)).filter(([name]) => !/hex|twice|form-|HTML/.test(name));

  test.each([...forms, ["as a member of another object", "hunter-of-keys"]])(
    "are those that have it %s",
    (_form, text) => {
      expect([isSecret(text), isSecret(`with ${text} inside`)]).toEqual([true, true]);
    },
  );

  test.each(["orders", "loader", "123", "demo", ""])("are not %j", (text) => {
    expect(isSecret(text)).toBe(false);
  });

  test("are none where nothing is secret", () => {
    expect(secretTextsOf({ name: "orders" })("orders")).toBe(false);
  });
});
