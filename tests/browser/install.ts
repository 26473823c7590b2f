import { execFileSync } from "node:child_process";
import path from "node:path";

/** Installs the browser, and what builds the site. */
export default function install(): void {
  const cwd = path.resolve(__dirname, "../..");
  for (const folder of ["tests/browser", "docs"])
    execFileSync(process.execPath, ["scripts/tool.mjs", folder], { cwd, stdio: "inherit" });
}
