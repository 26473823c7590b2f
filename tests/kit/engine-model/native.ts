import { isDeepStrictEqual } from "node:util";
import type { ServiceError } from "@grpc/grpc-js";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { failureIn, settingsOf, startInProcess, urnOf, type PluginCalls } from "../plugin";
import { recordLines } from "../lifecycle";
import { UNKNOWN_MARKER } from "../json";
import { InitFailure, type EngineAdapter, type Identity, type Properties, type StartPlugin } from "./adapter";

/** Starts the native plugin in this process, with the configuration that the engine sends to a default provider. */
export const startNative: StartPlugin = (simulator, options) => {
  const { clock, maxRetries, requestTimeoutSeconds, exportStack } = options;
  const { lines, ...output } = recordLines();
  const calls = startInProcess(output, () => clock, { exportStack });
  // All values of the stack's configuration are texts, and the engine keeps the marks of the secrets among them.
  const texts = { maxRetries: String(maxRetries), requestTimeoutSeconds: String(requestTimeoutSeconds) };
  void calls.configure({ ...settingsOf(simulator), ...texts });
  return { adapter: nativeAdapter(calls), lines };
};

function known(properties: Properties, preview = false): Properties {
  if (!preview && JSON.stringify(properties).includes(UNKNOWN_MARKER))
    throw new Error("The plugin returned an unknown value outside of a preview.");
  return properties;
}

/** The URN of a resource has the types of its parents, not their names. */
function urn({ name, type }: Identity): string {
  const names = name.split("/");
  const types = [...names.slice(0, -1).map((parent) => `shop:index:${parent}`), `datapipes:index:${type}`];
  return urnOf(names.at(-1) ?? "", types.join("$"));
}

/**
 * The engine's calls over gRPC. The plugin does not accept secrets, so the engine sends them without their marks; it supports previews, so
 * the engine calls create and update at a preview, too.
 */
export const nativeAdapter = (plugin: PluginCalls): EngineAdapter => ({
  setsOptions: false,
  urnOf: urn,
  async check(resource, oldInputs, args) {
    const { inputs, failures } = await plugin.check(args, oldInputs, urn(resource));
    if (failures.length > 0) throw new Error(failures.map(([, reason]) => reason).join("\n"));
    return inputs;
  },
  async diff(resource, { id, inputs, outputs }, newInputs) {
    const response = await plugin.diff(id, outputs, newInputs, { of: urn(resource), oldInputs: inputs });
    const changes = response.getChanges();
    return {
      changed: changes === DIFF_UNKNOWN ? !isDeepStrictEqual(inputs, newInputs) : changes !== DIFF_NONE,
      replaces: replaces(response, resource) || response.getReplacesList().length > 0,
      deleteBeforeReplace: response.getDeletebeforereplace(),
    };
  },
  async create(resource, inputs, { preview }) {
    const { id, outputs } = await withInitFailure(plugin.create(inputs, { of: urn(resource), preview }));
    if (id === "" && !preview) throw new Error("The plugin returned no id from create.");
    return { id, outputs: known(outputs, preview) };
  },
  async update(resource, { id, inputs, outputs }, newInputs, { preview }) {
    const options = { of: urn(resource), preview, oldInputs: inputs };
    return known(await withInitFailure(plugin.update(id, outputs, newInputs, options), id), preview);
  },
  async read(resource, { id, inputs, outputs }) {
    const read = await plugin.read(id, outputs, inputs, urn(resource));
    // For the engine, an empty id says that the resource no longer exists.
    if (read.id === "") return undefined;
    if (read.id !== id) throw new Error(`The plugin read ${read.id} instead of ${id}.`);
    return { inputs: known(read.inputs), outputs: known(read.outputs) };
  },
  delete: (resource, { id, inputs, outputs }) =>
    plugin.delete(id, outputs, { of: urn(resource), oldInputs: inputs }),
});

const { ADD_REPLACE, DELETE_REPLACE, UPDATE_REPLACE } = pb.PropertyDiff.Kind;
const { DIFF_NONE, DIFF_UNKNOWN } = pb.DiffResponse.DiffChanges;
const REPLACES: readonly pb.PropertyDiff.Kind[] = [ADD_REPLACE, DELETE_REPLACE, UPDATE_REPLACE];

/** The property paths that the engine can parse: any other fails its run. */
const PATH = /^([^.[\]]+|\["([^"]|\\")+"\])(\.[^.[\]]+|\[(\d+|\*|"([^"]|\\")+")\])*$/;

/**
 * Whether a path of the detailed diff replaces: by its kind, or by the option `replaceOnChanges`, which the engine applies to these paths.
 * The engine reads them only if the plugin says that there are any.
 */
function replaces(response: pb.DiffResponse, { replaceOnChanges = [] }: Identity): boolean {
  const details = response.getHasdetaileddiff() ? response.toObject().detaileddiffMap : [];
  const wrong = details.find(([path]) => !PATH.test(path));
  if (wrong !== undefined)
    throw new Error(`The engine cannot parse the path ${wrong[0]} of the detailed diff.`);
  const isNamed = (path: string): boolean =>
    replaceOnChanges.some(
      (name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
    );
  return details.some(([path, { kind }]) => REPLACES.includes(kind) || isNamed(path));
}

/** A partial failure is a gRPC error whose details have the id and the outputs. An update keeps the id of the state. */
async function withInitFailure<T>(work: Promise<T>, idInState?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { id = "", outputs, reasons } = failureIn(error as ServiceError);
    if (reasons === undefined) throw error;
    const kept = idInState ?? id;
    if (kept === "") throw new Error("The details of the failed create have no id.", { cause: error });
    throw new InitFailure(kept, known(outputs), reasons.join("\n"));
  }
}
