// Makes plugin/dist: the plugin as one file, what starts it, its schema and the licenses. Nothing must be installed beside it but Node.
import { chmod, copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licensesOf } from "./licenses.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(here);
const dist = path.join(here, "dist");
const launchers = path.join(here, "launchers");

const common = {
  absWorkingDir: root,
  outdir: dist,
  bundle: true,
  platform: "node",
  format: "cjs",
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "warning",
};

await mkdir(dist, { recursive: true });
const { metafile } = await build({
  ...common,
  entryPoints: [path.join(here, "src/main.ts")],
  target: "node20",
  legalComments: "eof",
  metafile: true,
});
await build({
  ...common,
  entryPoints: [path.join(here, "src/start.ts")],
  target: "node8",
  external: ["./main.js"],
});
await writeFile(path.join(dist, "THIRD-PARTY-LICENSES"), await licensesOf(metafile, root));
await copyFile(path.join(root, "LICENSE"), path.join(dist, "LICENSE"));
await copyFile(path.join(here, "schema.json"), path.join(dist, "schema.json"));
const started = await readdir(launchers);
for (const name of started) await copyFile(path.join(launchers, name), path.join(dist, name));
for (const name of await readdir(dist))
  await chmod(path.join(dist, name), started.includes(name) ? 0o755 : 0o644);
