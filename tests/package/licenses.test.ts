import { readFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "../kit/cleanup";
import { output, pack, repository } from "../kit/tarballs";

/** Licenses that ask for nothing but to be named. */
const ACCEPTED = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "Python-2.0",
];

// The tool sees no packages of npm's workspaces, so it checks an installation, without the peer.
test("the packages that an installation adds have licenses that require attribution only", async () => {
  const folder = await temporaryFolder("licenses", { "package.json": '{ "private": true }' });
  const tarballs = (await pack()).map(({ tarball }) => tarball);
  await output("npm", ["install", "--omit=peer", "--ignore-scripts", "--no-audit", ...tarballs], folder);
  const checker = ["scripts/tool.mjs", "tools", "license-checker-rseidelsohn", "--start", folder];
  const rules = ["--excludePrivatePackages", "--onlyAllow", ACCEPTED.join(";")];
  const licenses = await output(process.execPath, [...checker, ...rules, "--csv"], repository);
  expect(licenses).toMatch(/^"axios@[\d.]+","MIT"/m);
});

test("the plugin has the license of each package in it; each requires attribution only", () => {
  const text = readFileSync(path.join(repository, "plugin/dist/THIRD-PARTY-LICENSES"), "utf8");
  const parts = text.split(/^-{80}\n\n/m);
  expect(parts.length).toBeGreaterThan(4);
  expect(parts.filter((part) => !/\n[^]*(copyright|apache license)/i.test(part))).toEqual([]);
  const unaccepted = parts.filter((part) => {
    const [, license = ""] = /^\S+ \S+ \(?(.*?)\)?\n/.exec(part) ?? [];
    return !license.split(" AND ").every((one) => ACCEPTED.includes(one));
  });
  expect(unaccepted).toEqual([]);
});
