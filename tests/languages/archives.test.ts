import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { commandsIn, readDocument } from "../kit/documents";
import { minimal } from "../kit/pipes";
import { newSimulator, pipeNamed, takeMethods, type Simulator } from "../kit/simulator";
import type { TestStack } from "../kit/stack";
import { temporaryFolder, onEnd } from "../kit/cleanup";
import { newYamlStack, type YamlProgram } from "./yaml";
import { VERSION } from "../../provider/src/run/version";
import { packPlugin } from "../../scripts/plugin-archives/archives";

const system = process.platform === "win32" ? "windows" : process.platform;
const architecture = process.arch === "x64" ? "amd64" : process.arch;
const archive = `pulumi-resource-datapipes-v${VERSION}-${system}-${architecture}.tar.gz`;

let archives: string;
/** A server that has the archives, and the paths that a test has requested of it. */
let url: string;
let requests: string[];
let simulator: Simulator;

beforeAll(async () => {
  archives = await temporaryFolder("archives");
  await packPlugin(archives);
  url = await serveArchives();
});

beforeEach(async () => {
  requests = [];
  simulator = await newSimulator();
});

/** A program that does not say which folder has the plugin. */
const orders = (options: object = {}): YamlProgram => ({
  plugins: {},
  resources: {
    orders: {
      type: "datapipes:Pipe",
      properties: { ...minimal.kafka, name: "orders", deletionPolicy: "delete" },
      options,
    },
  },
});

const installed = async (stack: TestStack): Promise<unknown> =>
  JSON.parse((await stack.pulumi(["plugin", "ls", "--json"])).stdout);

/** Serves the archives with their length, which Pulumi compares. */
async function serveArchives(): Promise<string> {
  const server = createServer(({ url: requested = "" }, response) => {
    requests.push(requested);
    readFile(path.join(archives, path.basename(requested))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onEnd(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("Pulumi downloads the plugin once from the address that a resource names", async () => {
  const stack = await newYamlStack(orders({ version: VERSION, pluginDownloadURL: url }), { simulator });
  await stack.up();
  expect(pipeNamed(simulator, "orders").state).toBe("Running");
  await stack.destroy();
  expect(takeMethods(simulator)).toEqual(["POST", "DELETE"]);
  expect(requests).toEqual([`/${archive}`]);
  expect(await installed(stack)).toMatchObject([{ name: "datapipes", kind: "resource", version: VERSION }]);
});

test("the command of the registry's page installs the plugin from a server with a release", async () => {
  const stack = await newYamlStack(orders(), { simulator });
  const commands = commandsIn(readDocument("docs/installation-configuration.md"));
  const [, ...install] = commands.find(([name, noun]) => name === "pulumi" && noun === "plugin") ?? [];
  await stack.pulumi([...install, "--server", url]);
  expect(requests).toEqual([`/${archive}`]);
  const { stdout } = await stack.pulumi(["package", "get-schema", `datapipes@${VERSION}`]);
  expect(JSON.parse(stdout)).toMatchObject({ name: "datapipes", version: VERSION });
  await stack.up();
  expect(pipeNamed(simulator, "orders").state).toBe("Running");
});
