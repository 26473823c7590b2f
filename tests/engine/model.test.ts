import { HIDDEN_INPUTS } from "../../provider/src/lifecycle/state/hidden-inputs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ADAPTERS, Engine, type UpOptions } from "../kit/engine-model/engine";
import { recordCalls, type EngineCall } from "../kit/engine-model/adapter";
import { InstantClock } from "../kit/clock";
import { withValue, type JsonObject } from "../kit/json";
import { minimal } from "../kit/pipes";
import { adapter, isNative, tokenOf, declaration } from "../kit/program";
import { newSimulator, pipeNamed, type Simulator } from "../kit/simulator";
import { newStack } from "../kit/stack";

const PIPE = minimal.kafka;
const RETAINED: JsonObject = { ...PIPE, replacementPolicy: "allow" };
const DELETED: JsonObject = { ...RETAINED, deletionPolicy: "delete" };
const renamed = (args: JsonObject): JsonObject => ({ ...args, name: "other" });
const moved = (args: JsonObject): JsonObject => withValue(args, "destination.table", "other");
const waiting: JsonObject = { ...PIPE, waitFor: { states: ["Paused"], timeoutSeconds: 1 } };

/** The runs of `pulumi up` in their order. In each of two, the create of the last pipe fails. */
const UPS = ["create", "change", "failed wait", "failed create", "repair"] as const;
type Up = (typeof UPS)[number];

/** The arguments of a pipe from a run on; null if the program no longer declares it. */
type Scenario = Partial<Record<Up, JsonObject | null>>;

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  unchanged: { create: PIPE },
  updated: { create: PIPE, change: renamed(PIPE), "failed wait": PIPE },
  "replaced-after-deletion": { create: DELETED, change: moved(DELETED) },
  "replaced-and-retained": { create: RETAINED, change: moved(RETAINED) },
  "replaced-on-changes": { create: RETAINED, change: renamed(RETAINED) },
  "replaced-by-command": { create: RETAINED },
  "replaced-by-command-after-deletion": { create: DELETED },
  "changed-by-another-client": { create: PIPE },
  "deleted-by-another-client": { create: PIPE },
  "renamed-from": { create: PIPE, change: null },
  "renamed-to": { change: PIPE },
  removed: { create: DELETED, change: null },
  "removed-and-retained": { create: PIPE, change: null },
  "created-in-part": { "failed wait": waiting, "failed create": PIPE },
  "not-created": { "failed create": PIPE },
};

const OPTIONS: Readonly<Record<string, object>> = {
  "renamed-to": { aliases: [{ name: "renamed-from" }] },
  "replaced-on-changes": { replaceOnChanges: ["name"] },
};

/** The databases of those that are not named after their scenario. All pipes load something else. */
const DATABASES: Readonly<Record<string, string>> = { "renamed-from": "renamed", "renamed-to": "renamed" };

const BY_COMMAND = new Set(["replaced-by-command", "replaced-by-command-after-deletion"]);

/** The pipes that the program declares in a run: those of that run, else of the latest one before it. */
function declaredIn(up: Up): [name: string, args: JsonObject][] {
  const sofar = UPS.slice(0, UPS.indexOf(up) + 1);
  return Object.entries(SCENARIOS).flatMap(([name, scenario]): [string, JsonObject][] => {
    const args = sofar.map((each) => scenario[each]).findLast((each) => each !== undefined);
    return args ? [[name, withValue(args, "destination.database", DATABASES[name] ?? name)]] : [];
  });
}

/** What runs the programs of an account: the real engine, or the model of it. */
interface Runner {
  readonly simulator: Simulator;
  readonly up: (up: Up, options?: UpOptions) => Promise<unknown>;
  readonly refresh: () => Promise<unknown>;
  readonly destroy: () => Promise<unknown>;
  readonly calls: () => Promise<readonly EngineCall[]>;
}

/** The calls of all scenarios at once. */
async function callsOf({ simulator, ...runner }: Runner): Promise<readonly EngineCall[]> {
  const { control } = simulator;
  await runner.up("create");
  control.editPipe(pipeNamed(simulator, "changed-by-another-client").id, { name: "changed" });
  // A list needs some time after a create to show a pipe.
  control.advance(120);
  control.deletePipe(pipeNamed(simulator, "deleted-by-another-client").id);
  await runner.refresh();
  await runner.up("change", { replace: BY_COMMAND });
  await runner.up("failed wait");
  control.fault({ operationId: "createPipe", kind: "status", status: 400 });
  await runner.up("failed create");
  await runner.up("repair", { refresh: true });
  await runner.destroy();
  return runner.calls();
}

async function realEngine(simulator: Simulator): Promise<Runner> {
  const stack = await newStack({ simulator });
  const file = path.join(stack.project, "calls.jsonl");
  const options = { env: { PULUMI_DEBUG_GRPC: file }, expectFailure: "either" } as const;
  const urnOf = (name: string): string => `urn:pulumi:dev::datapipes-test::${tokenOf("Pipe")}::${name}`;
  return {
    simulator,
    async up(up, { refresh = false, replace = [] } = {}) {
      const pipes = declaredIn(up).map(([name, args], index, { length }) => {
        // Nothing else is left to do where the last one fails.
        const isFailing = index === length - 1 && up.startsWith("failed");
        const more = isFailing ? "{ dependsOn: others }" : JSON.stringify(OPTIONS[name] ?? {});
        return `others.push(${declaration("Pipe", name, args, more)});\n`;
      });
      await stack.write(`const others = [];\n${pipes.join("")}`);
      const flags = [...replace].flatMap((name) => ["--replace", urnOf(name)]);
      await stack.pulumi(["up", "--yes", ...(refresh ? ["--refresh"] : []), ...flags], options);
    },
    refresh: () => stack.refresh(options),
    destroy: () => stack.destroy(options),
    calls: async () => (await readFile(file, "utf8")).trim().split("\n").flatMap(callOf),
  };
}

type LoggedLine = Record<"method" | "progress", string> & { readonly request: Record<string, unknown> };

const SERVICE = "/pulumirpc.ResourceProvider/";

/** The call that a line of the log is about, if it is about a pipe and begins it. */
function callOf(line: string): EngineCall[] {
  const { method, progress, request } = JSON.parse(line) as LoggedLine;
  const { type, name, id, preview, olds, oldInputs, news, inputs, properties } = request;
  if (progress !== "request_started" || !method.startsWith(SERVICE) || type !== tokenOf("Pipe")) return [];
  const [before, after] = method.endsWith("/Create") ? [olds, properties] : [olds ?? properties, news];
  const values = { id, preview, olds: before, oldInputs: oldInputs ?? inputs, news: after };
  return [{ method: method.slice(SERVICE.length), name: name as string, ...values }];
}

function model(simulator: Simulator): Runner {
  const options = { clock: new InstantClock(), requestTimeoutSeconds: 30, maxRetries: 3 };
  const calls: EngineCall[] = [];
  const engine = new Engine((exportStack) =>
    recordCalls(ADAPTERS[adapter](simulator, { ...options, exportStack }), calls),
  );
  const programOf = (up: Up) =>
    declaredIn(up).map(([name, args]) => {
      const aliases = name === "renamed-to" ? ["renamed-from"] : [];
      // The classes set the name.
      const all = isNative ? args : { name, ...args };
      return [name, { type: "Pipe", args: all, ...OPTIONS[name], aliases }] as const;
    });
  return {
    simulator,
    up: (up, upOptions) => engine.up(new Map(programOf(up)), upOptions),
    refresh: () => engine.refresh(),
    destroy: () => engine.up(new Map()),
    calls: () => Promise.resolve(calls),
  };
}

const HIDDEN: readonly string[] = [...Object.values(HIDDEN_INPUTS), "__provider"];

/** The calls about a pipe, without what differs between any two runs, and without what Pulumi's plugin gets beside the inputs. */
function comparable(calls: readonly EngineCall[], pipe: string): unknown {
  const ids: string[] = [];
  const sorted = (key: string, value: unknown): unknown => {
    if (HIDDEN.includes(key)) return undefined;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const numbered = (id: string): string => {
    if (!ids.includes(id)) ids.push(id);
    return `id ${ids.indexOf(id)}`;
  };
  const own = calls.filter(({ name }) => name === pipe);
  const text = JSON.stringify(own, sorted)
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, numbered)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time");
  return JSON.parse(text);
}

let calls: Record<"real" | "model", readonly EngineCall[]>;

beforeAll(async () => {
  const first = await newSimulator();
  const second = await newSimulator();
  calls = { real: await callsOf(await realEngine(first)), model: await callsOf(model(second)) };
});

test.each(Object.keys(SCENARIOS))("the model makes the same calls as the engine for a pipe: %s", (pipe) => {
  const methods = (all: readonly EngineCall[]): string[] =>
    all.filter(({ name }) => name === pipe).map(({ method, preview }) => `${method} ${String(preview)}`);
  expect(methods(calls.real).length).toBeGreaterThan(4);
  expect(methods(calls.model)).toEqual(methods(calls.real));
  expect(comparable(calls.model, pipe)).toEqual(comparable(calls.real, pipe));
});
