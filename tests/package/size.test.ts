import { readdirSync, lstatSync } from "node:fs";
import path from "node:path";
import { install, pack } from "../kit/tarballs";

const MAX_BYTES = 16_000_000;
/** What the usual file systems allocate at least, as `du` counts. */
const BLOCK_BYTES = 4096;

const allocatedBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => lstatSync(path.join(folder, name)))
    .reduce((sum, { size }) => sum + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES, 0);

test("the package adds at most 16 MB to an installed SDK of Pulumi", async () => {
  const provider = (await pack()).find(({ name }) => name === "pulumi-datapipes");
  const without = await install([]);
  const withIt = await install([provider?.tarball ?? ""]);
  const added = allocatedBytes(withIt) - allocatedBytes(without);
  expect(added).toBeGreaterThan(1_000_000);
  expect(added).toBeLessThanOrEqual(MAX_BYTES);
});
