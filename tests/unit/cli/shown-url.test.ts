import { credentialsOf } from "../../../provider/src/cli/doctor/shown-url";

test.each([
  ["https://user:a%20word@host", ["a%20word", "a word"]],
  ["https://token@host", ["token"]],
  ["user:word@host:8080", ["word"]],
  ["postgres://host/x?user=u&password=a+b%21", ["a+b%21", "a+b!", "a b!"]],
  ["azblob://c?sas_token=x%3D%ZZ", ["x%3D%ZZ"]],
  ["s3://bucket?key=a?b#c", ["a", "b", "c"]],
])("the secrets of %s are known, as they are and decoded", (url, secrets) => {
  expect(credentialsOf(url)).toEqual(expect.arrayContaining(secrets));
});

test("a host is no secret", () => {
  expect(credentialsOf("https://host:8080/path").filter((secret) => secret !== "")).toEqual([]);
});
