import { canary, leaks } from "../../../testkit/canary";

const secret = canary("secret");
const basic = (user: string) => Buffer.from(`${user}:${secret}:more`).toString("base64");

const spelled: Record<string, string> = {
  "as it is": `password ${secret}!`,
  "in JSON": JSON.stringify({ password: secret }),
  "in JSON inside JSON": JSON.stringify({ body: JSON.stringify({ password: secret }) }),
  "in a URL": `https://host/?password=${encodeURIComponent(secret)}&x=1`,
  "in a form": new URLSearchParams({ password: secret }).toString(),
  "in base64, from its beginning": Buffer.from(secret).toString("base64"),
  "in base64, after one letter": basic(""),
  "in base64, after two letters": basic("u"),
  "in base64, after three letters": basic("us"),
  "in base64url": Buffer.from(`x${secret}`).toString("base64url"),
  "in hex": Buffer.from(secret).toString("hex"),
};

test.each(Object.keys(spelled))("a canary is found %s", (place) => {
  expect(leaks({ place: spelled[place] ?? "" }, [secret])).not.toEqual([]);
});

test("finds nothing in a text without canaries", () => {
  expect(leaks({ output: `[secret] ${canary("other")} ${basic("user").slice(0, 8)}` }, [secret])).toEqual([]);
});
