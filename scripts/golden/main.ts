import { execFileSync } from "node:child_process";
import { copyFile, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Document, visit } from "yaml";
import * as golden from "../../tests/kit/golden";
import { version } from "../../provider/package.json";
import { repository, write } from "../made-files";
import { formattedFiles } from "../reference/sources";
import { run } from "../run";
import { endStarted, temporaryFolder } from "../../tests/kit/cleanup";
import { Deployment, type StoredResource } from "../../tests/kit/deployment";
import { isSecret } from "../../tests/kit/json";

const target = `tests/golden/${version}`;

/**
 * Records in tests/golden a state of this version of the provider, the requests of a change and of a destroy, the
 * program and the package. The recording of a released version must not change.
 */
async function main(): Promise<void> {
  const simulator = await golden.simulatorBefore();
  const stack = await golden.goldenStack(simulator, await readFile(golden.PROGRAM, "utf8"));
  await stack.up();
  const { text } = await stack.export({ showSecrets: true });
  const { resources } = new Deployment(withoutMarks(text.replaceAll(simulator.url, golden.NO_ADDRESS)));
  const change = await golden.writesOfChange(stack, simulator);
  const destroy = await golden.writesOfDestroy(stack, simulator);
  const files = golden.TYPES.map((type) => {
    const own = resources
      .filter((resource) => fileOf(resource) === type)
      .map(({ id = "", ...resource }) => [
        resource.urn.replace(/.*::/, ""),
        { ...recorded({ id, ...resource }), change: change[id], destroy: destroy[id] },
      ]);
    return { path: `${target}/${type}.yaml`, text: yamlOf(Object.fromEntries(own.sort()) as object) };
  });
  await rm(path.join(repository, target), { recursive: true, force: true });
  await write(formattedFiles(files));
  await copyFile(golden.PROGRAM, path.join(repository, target, path.basename(golden.PROGRAM)));
  await packInto(path.join(repository, target, "package.tgz"));
}

/** A state with secrets as golden states have them. */
const withoutMarks = (state: string): string =>
  JSON.stringify(
    JSON.parse(state, (_, value: unknown) =>
      typeof value === "object" && value !== null && isSecret(value) && "plaintext" in value
        ? { secret: JSON.parse(String(value.plaintext)) as unknown }
        : value,
    ),
  );

const fileOf = ({ type }: StoredResource): string =>
  type.startsWith("pulumi:providers:") ? "Provider" : type.replace(/.*:/, "");

/** A resource without what the engine can do without, and without outputs that mirror inputs. */
function recorded(resource: StoredResource): object {
  const { type, id, provider, dependencies, retainOnDelete, inputs = {}, outputs = {} } = resource;
  const { __key, ...mirrored } = inputs;
  const missing = Object.keys(mirrored).filter((name) => !(name in outputs));
  if (missing.length > 0) throw new Error(`${resource.urn} has no output for ${missing.join(", ")}`);
  const own = Object.entries(outputs).filter(([name, value]) => !isDeepStrictEqual(value, inputs[name]));
  return { type, id, provider, dependencies, retainOnDelete, inputs, outputs: Object.fromEntries(own) };
}

/** What is short stands on one line. */
function yamlOf(resources: object): string {
  const document = new Document(resources);
  visit(document, {
    Collection: (_, node) => {
      node.flow = JSON.stringify(node).length < 100;
    },
  });
  return document.toString({ lineWidth: 110 });
}

/** Packs the provider as it is published. */
async function packInto(file: string): Promise<void> {
  const folder = await temporaryFolder("golden");
  const args = ["pack", "--silent", "--workspace", "provider", "--pack-destination", folder];
  const name = execFileSync("npm", args, { cwd: repository, encoding: "utf8" }).trim();
  await copyFile(path.join(folder, name), file);
}

run(() => main().finally(endStarted));
