import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { addressOf, fillManifests, packageFolders, root, withAddress } from "../../../tools/release/address";

const url = "https://github.com/owner/name";

test("the manifests have the address in repository.json, or none while that is empty", () => {
  expect(fillManifests({ check: true })).toEqual([]);
});

test("every package that can be published has its address from there", () => {
  const publishable = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .filter(({ name }) => isPublishable(path.join(root, name, "package.json")))
    .map(({ name }) => name);
  expect(publishable.sort()).toEqual(packageFolders.filter((folder) => folder !== ".").sort());
});

function isPublishable(manifest: string): boolean {
  try {
    return (JSON.parse(readFileSync(manifest, "utf8")) as { private?: boolean }).private !== true;
  } catch {
    return false;
  }
}

test("an address becomes repository, homepage and bugs, with the folder of the package", () => {
  expect(addressOf(url, "provider")).toEqual({
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
    repository: { type: "git", url: `git+${url}.git`, directory: "provider" },
  });
  expect(addressOf(url, ".").repository).not.toHaveProperty("directory");
});

test("filling a manifest twice changes nothing, and an empty address takes the fields away", () => {
  const manifest = `${JSON.stringify({ name: "a", license: "MIT", main: "b" }, null, 2)}\n`;
  const filled = withAddress(manifest, addressOf(url, "provider"));
  expect(Object.keys(JSON.parse(filled) as object)).toEqual([
    "name",
    "license",
    "homepage",
    "bugs",
    "repository",
    "main",
  ]);
  expect(withAddress(filled, addressOf(url, "provider"))).toBe(filled);
  expect(withAddress(filled, addressOf(undefined, "provider"))).toBe(manifest);
});
