import { readdirSync } from "node:fs";
import path from "node:path";
import schema from "../../plugin/schema.json";
import { command, writeTexts, type Sdk } from "./sdk";

const name = schema.language.python.packageName;

/** The workflow uploads the wheel with PyPI's own action, which needs no token. */
export const python: Sdk = {
  name,
  pack(folder) {
    writeTexts(folder, { name });
    command("python3", ["-m", "pip", "wheel", "--no-deps", "--wheel-dir", "dist", "."], folder);
  },
  publish(folder, { dryRun }) {
    if (!dryRun) throw new Error("The wheel was not published: the workflow does that.");
    const wheels = readdirSync(path.join(folder, "dist")).map((file) => path.join("dist", file));
    const install = ["-m", "pip", "install", "--dry-run", "--no-deps", "--ignore-installed"];
    command("python3", [...install, ...wheels], folder);
  },
};
