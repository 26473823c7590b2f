import { FormIndex } from "../../../provider/src/api/form-index";

const index = new FormIndex(["abcd", "abcdef", "abcdefgh", "abcx", "bcde", "zzzz", "abcd"]);

test.each<[text: string, at: number, length: number]>([
  ["abcdefgh", 0, 8],
  ["abcdefgz", 0, 6],
  ["abcdezzz", 0, 4],
  ["abcy", 0, 0],
  ["abcxa", 0, 4],
  ["--abcde", 2, 4],
  ["--abcde", 3, 4],
  ["--abcde", 4, 0],
  ["zzzzz", 1, 4],
  ["zzz", 0, 0],
])("in %j at %d the longest form has %d characters", (text, at, length) => {
  expect(index.longestAt(text, at)).toBe(length);
});

test.each<[text: string, at: number, length: number]>([
  ["abcdefgz", 0, 7],
  ["abcdz", 0, 4],
  ["--zzzzz", 2, 4],
  ["abc", 0, 0],
])("in %j at %d there are %d characters of the beginning of a form", (text, at, length) => {
  expect(index.commonAt(text, at)).toBe(length);
});

test("an index knows its forms, each once, and the longest", () => {
  expect([index.size, index.longest, new FormIndex([]).longestAt("abcd", 0)]).toEqual([6, 8, 0]);
});
