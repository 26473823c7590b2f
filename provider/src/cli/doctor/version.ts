type Numbers = readonly [major: number, minor: number, patch: number];

const numbersOf = (text: string): Numbers | undefined => {
  const [, major, minor = "0", patch = "0"] =
    /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?![\d.])/.exec(text.trim()) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
};

/** The version in a text, without a "v" before it; undefined if there is none. */
export const versionIn = (text: string): string | undefined =>
  /^v?(\d+\.\d+\.\d+\S*)$/.exec(text.trim())?.[1];

/** Whether a version is older than another one. A pre-release counts as its release. */
export function isOlder(version: string, other: string): boolean {
  const [one, two] = [numbersOf(version) ?? [0, 0, 0], numbersOf(other) ?? [0, 0, 0]];
  const index = one.findIndex((number, place) => number !== two[place]);
  return index >= 0 && (one[index] ?? 0) < (two[index] ?? 0);
}

/** Whether a version is in a range of `>=` and `<`. A range of another form holds all. */
export const isIn = (version: string, range: string): boolean =>
  range
    .trim()
    .split(/\s+/)
    .every((part) => {
      const [, operator, bound = ""] = /^(>=|<)(\d[\d.]*)$/.exec(part) ?? [];
      if (operator === undefined) return true;
      return operator === "<" ? isOlder(version, bound) : !isOlder(version, bound);
    });
