import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const root = path.resolve(__dirname, "../..");

/** Go's checksum database vouches for this version. */
const ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";

const folders = [
  ".github/workflows",
  "examples/pipelines/github-actions",
  ...readdirSync(path.join(root, "templates")).map((name) => `templates/${name}/.github/workflows`),
];

const files = folders
  .map((folder) => path.join(root, folder))
  .filter(existsSync)
  .flatMap((folder) => readdirSync(folder).map((file) => path.join(folder, file)))
  .filter((file) => file.endsWith(".yml"));

/** Without ShellCheck and Pyflakes, which not every machine has: its findings must not depend on the machine. */
const args = ["run", ACTIONLINT, "-shellcheck=", "-pyflakes=", ...files];

const { status, error } = spawnSync("go", args, { cwd: root, stdio: "inherit" });
if (error === undefined) process.exitCode = status ?? 1;
else {
  const reason = (error as NodeJS.ErrnoException).code === "ENOENT" ? "Go is not on PATH" : error.message;
  process.stderr.write(
    `The workflows were not checked, because ${reason}. Install Go 1.24 or newer (https://go.dev/dl), or leave it to CI.\n`,
  );
  process.exitCode = 1;
}
