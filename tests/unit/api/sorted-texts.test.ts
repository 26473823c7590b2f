import { SortedTexts } from "../../../provider/src/api/sorted-texts";

const texts = new SortedTexts();
texts.add(["abcd", "abcdef", "abcdefgh", "abcx", "bcde", "zzzz", "abcd"]);

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
])("finds in %j at %d a text of %d characters", (text, at, length) => {
  expect(texts.longestAt(text, at)).toBe(length);
});

test.each<[text: string, at: number, length: number]>([
  ["abcdefgz", 0, 7],
  ["abcdz", 0, 4],
  ["--zzzzz", 2, 4],
  ["abc", 0, 0],
])("finds in %j at %d the first %d characters of a text", (text, at, length) => {
  expect(texts.commonAt(text, at)).toBe(length);
});

test("knows the longest of them, and finds nothing among none", () => {
  expect([
    texts.longest,
    new SortedTexts().longestAt("abcd", 0),
    new SortedTexts().commonAt("abcd", 0),
  ]).toEqual([8, 0, 0]);
});
