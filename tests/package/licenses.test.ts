import { readFileSync } from "node:fs";
import path from "node:path";
import { names, packages, repository } from "../kit/tarballs";

interface Locked {
  license?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const { packages: locked } = JSON.parse(readFileSync(path.join(repository, "package-lock.json"), "utf8")) as {
  packages: Record<string, Locked>;
};

/** Where Node finds a package: in the nearest node_modules above the one that asks. */
function placeOf(name: string, from: string): string {
  for (let folder = from; ; folder = folder.replace(/(^|\/)(node_modules\/)?(@[^/]+\/)?[^/]+$/, "")) {
    const place = path.posix.join(folder, "node_modules", name);
    if (locked[place] !== undefined) return place;
    if (folder === "") throw new Error(`${name}, which ${from} needs, is not locked: run npm install`);
  }
}

/** All that comes along with a package, and what each is under. */
function licensesBelow(from: string, found = new Map<string, string>()): Map<string, string> {
  const { dependencies = {}, optionalDependencies = {} } = locked[from] ?? {};
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = placeOf(name, from);
    if (found.has(place)) continue;
    found.set(place, locked[place]?.license ?? "unknown");
    licensesBelow(place, found);
  }
  return found;
}

/** Licenses that ask for nothing but to be named. */
const accepted = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "Python-2.0",
];

test.each(names)("all dependencies of %s have a license that requires attribution only", (name) => {
  const licenses = [...licensesBelow(packages[name])].map(
    ([place, license]) => [place.replace(/.*node_modules\//, ""), license] as const,
  );
  expect(licenses.length).toBeGreaterThan(4);
  expect(licenses.filter(([, license]) => !accepted.includes(license))).toEqual([]);
  expect([...new Set(licenses.map((entry) => entry.join(" ")))].sort().join("\n")).toMatchSnapshot();
});

test("the native plugin has the license of each package in it; each requires attribution only", () => {
  const text = readFileSync(path.join(repository, "plugin/dist/THIRD-PARTY-LICENSES"), "utf8");
  const parts = text.split(/^-{80}\n\n/m);
  expect(parts.filter((part) => !/\n[^]*(copyright|apache license)/i.test(part))).toEqual([]);
  const licenses = parts.map((part) => (part.split("\n")[0] ?? "").replace(/ [\d.]+, /, " "));
  const unaccepted = licenses.filter((line) => {
    const [, license = ""] = /^\S+ \(?(.*?)\)?$/.exec(line) ?? [];
    return !license.split(" AND ").every((one) => accepted.includes(one));
  });
  expect(unaccepted).toEqual([]);
  expect(licenses.length).toBeGreaterThan(4);
  expect(licenses.join("\n")).toMatchSnapshot();
});
