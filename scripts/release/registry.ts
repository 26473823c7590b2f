import { endStarted } from "../../tests/kit/cleanup";
import { startRegistry } from "../../tests/kit/registry/registry";
import { output, pack } from "../../tests/kit/tarballs";
import { providePulumi } from "../pulumi-cli/provision";
import { repository } from "../made-files";
import { run } from "../run";

/** Lockfiles name the registry with its port. */
const PORT = 4873;

/** Serves the packages of this clone on this machine until Ctrl-C, as the registry of npm will do. */
run(async () => {
  const cli = await providePulumi();
  const packed = await pack();
  const npm = await startRegistry(PORT);
  Object.assign(process.env, npm);
  for (const { tarball } of packed)
    await output("npm", ["publish", tarball, "--provenance=false"], repository);
  const variables = {
    npm_config_registry: npm["npm_config_registry"],
    ...(cli.source !== "path" && { PATH: cli.environment({ PATH: "$PATH" })["PATH"] }),
  };
  const lines = Object.entries(variables).map(([name, value = ""]) => `export ${name}="${value}"\n`);
  process.stdout.write(
    `The registry has both packages until you press Ctrl-C. In the shell of your project, run:\n\n${lines.join("")}`,
  );
  process.once("SIGINT", () => void endStarted());
});
