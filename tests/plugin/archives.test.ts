import { createHash } from "node:crypto";
import { readFile, utimes } from "node:fs/promises";
import path from "node:path";
import { list } from "tar";
import { temporaryFolder } from "../kit/cleanup";
import { pluginFolder } from "../kit/sdk";
import { VERSION } from "../../provider/src/run/version";
import { packPlugin } from "../../scripts/plugin-archives/archives";

const launcher = "pulumi-resource-datapipes";

const nameFor = (platform: string): string => `${launcher}-v${VERSION}-${platform}.tar.gz`;

async function packed() {
  const folder = await temporaryFolder("archives");
  const names = await packPlugin(folder);
  return { folder, names, sums: await readFile(path.join(folder, "SHA256SUMS"), "utf8") };
}

async function contentOf(file: string): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  await list({
    file,
    onReadEntry: ({ path: name, mode = 0, type }) => {
      content[name] = `${type} ${mode.toString(8)}`;
    },
  });
  return content;
}

const common = ["LICENSE", "THIRD-PARTY-LICENSES", "main.js", "schema.json", "start.js"];

test("there is an archive with Pulumi's name per platform, with the launcher of its system", async () => {
  const { folder, names } = await packed();
  const unix = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64"];
  const windows = ["windows-amd64", "windows-arm64"];
  expect(names).toEqual([...[...unix, ...windows].map(nameFor), "SHA256SUMS"]);
  for (const platform of [...unix, ...windows])
    expect(await contentOf(path.join(folder, nameFor(platform)))).toEqual({
      ...Object.fromEntries(common.map((file) => [file, "File 644"])),
      [windows.includes(platform) ? `${launcher}.cmd` : launcher]: "File 755",
    });
});

test("SHA256SUMS has each archive's checksum, and the same files always make the same archives", async () => {
  const { folder, names, sums } = await packed();
  const lines = names.slice(0, -1).map(async (name) => {
    const bytes = await readFile(path.join(folder, name));
    return `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`;
  });
  expect(sums).toBe((await Promise.all(lines)).join(""));
  const now = new Date();
  for (const file of common) await utimes(path.join(pluginFolder, file), now, now);
  expect((await packed()).sums).toBe(sums);
});
