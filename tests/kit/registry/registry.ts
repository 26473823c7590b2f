import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { onEnd, temporaryFolder } from "../cleanup";
import { output, repository } from "../tarballs";

const START_MS = 60_000;
const POLL_MS = 200;

/** Our packages come from this registry alone, and all others from the registry that npm uses here. */
const configOf = (upstream: string): string => `
storage: ./storage
uplinks:
  upstream:
    url: ${upstream}
packages:
  "pulumi-datapipes*":
    access: $all
    publish: $all
  "**":
    access: $all
    proxy: upstream
log: { type: stdout, level: error }
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** The environment in which npm uses a registry on this machine, which ends with the tests. */
export async function startRegistry(port?: number): Promise<NodeJS.ProcessEnv> {
  const upstream = (await output("npm", ["config", "get", "registry"], repository)).trim();
  const folder = await temporaryFolder("registry", { "config.yaml": configOf(upstream) });
  await output(process.execPath, ["scripts/tool.mjs", "tests/kit/registry"], repository);
  const address = `127.0.0.1:${port ?? (await freePort())}`;
  const url = `http://${address}/`;
  const verdaccio = path.join(__dirname, "node_modules/verdaccio/bin/verdaccio");
  const args = [verdaccio, "--config", path.join(folder, "config.yaml"), "--listen", address];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  onEnd(() => child.kill());
  const deadline = Date.now() + START_MS;
  while (
    !(await fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error("The registry did not start.");
    await wait(POLL_MS);
  }
  // npm publishes with a token only, and the registry accepts any.
  const settings = `registry=${url}\n//${address}/:_authToken=any\nfund=false\naudit=false\n`;
  const user = await temporaryFolder("npm", { npmrc: settings });
  return {
    npm_config_userconfig: path.join(user, "npmrc"),
    npm_config_registry: url,
    npm_config_cache: path.join(user, "cache"),
  };
}
