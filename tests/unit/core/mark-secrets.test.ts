import * as pulumi from "@pulumi/pulumi";
import { markSecrets } from "../../../provider/src/core/datapipes-resource";

const names = new Set(["password"]);

test("a secret is marked before it leaves the program, also in lists", async () => {
  const args = { logins: [{ user: "u", password: "p" }], password: undefined };
  const marked = markSecrets(args, names) as {
    logins: { user: string; password: pulumi.Output<string> }[];
  };
  expect(Array.isArray(marked.logins)).toBe(true);
  const [login] = marked.logins;
  expect(login?.user).toBe("u");
  expect(await pulumi.isSecret(pulumi.output(login?.password))).toBe(true);
  expect(marked).toHaveProperty("password", undefined);
});

test.each([
  ["an output", pulumi.output({ password: "p" })],
  ["a date", new Date(0)],
  ["nothing", null],
])("%s in the arguments stays what it is", (_, value) => {
  expect((markSecrets({ value }, names) as { value: unknown }).value).toBe(value);
});
