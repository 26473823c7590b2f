// Makes plugin/dist: the plugin as one file, its schema and its launchers. Nothing must be installed beside it but Node.
import { chmod, copyFile, mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(here, "dist");
const launchers = path.join(here, "launchers");

await mkdir(dist, { recursive: true });
await build({
  entryPoints: [path.join(here, "src/main.ts")],
  outfile: path.join(dist, "main.js"),
  bundle: true,
  platform: "node",
  target: "node20",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "eof",
  logLevel: "warning",
});
await copyFile(path.join(here, "schema.json"), path.join(dist, "schema.json"));
for (const name of await readdir(launchers)) {
  await copyFile(path.join(launchers, name), path.join(dist, name));
  await chmod(path.join(dist, name), 0o755);
}
