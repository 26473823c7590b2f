import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const usage = `npm run packages [-- <part of a test's name>]

Installs the packed packages with npm, pnpm, Yarn and bun, and runs programs of all forms, where \`npm test\` runs some of them;
then the doctor's fixes with each of them, and Plug'n'Play. The package managers come from npm's registry.
`;

const options = { help: { type: "boolean", default: false } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });

if (values.help) process.stdout.write(usage);
else process.exitCode = runPackages();

function runPackages(): number {
  const jest = [
    ...[require.resolve("jest/bin/jest"), "--selectProjects", "package"],
    ...(positionals[0] === undefined ? [] : ["--testNamePattern", positionals[0]]),
    ...["--testPathPatterns", "package/managers", "every-manager"],
  ];
  const env = { ...process.env, PACKAGES_ALL: "1" };
  return spawnSync(process.execPath, jest, { stdio: "inherit", env }).status ?? 1;
}
