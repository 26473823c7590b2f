import { endStarted } from "../../tests/kit/cleanup";
import { startRegistry } from "../../tests/kit/registry/registry";
import { output, pack } from "../../tests/kit/tarballs";
import { repository } from "../made-files";
import { run } from "../run";

/** Serves the packages of this clone on this machine until Ctrl+C, as the registry of npm will do. */
run(async () => {
  const packed = await pack();
  const npm = await startRegistry();
  Object.assign(process.env, npm);
  for (const { tarball } of packed)
    await output("npm", ["publish", tarball, "--provenance=false"], repository);
  process.stdout.write(
    "The registry has both packages until you press Ctrl+C. In the shell of your project, run:\n\n" +
      `export npm_config_registry=${npm["npm_config_registry"] ?? ""}\n`,
  );
  process.once("SIGINT", () => void endStarted());
});
