import fc from "fast-check";
import { changesBetween } from "../../provider/src/core/changes";
import { leafFields } from "../../provider/src/core/fields";
import { valueAt, type PropertyMap } from "../../provider/src/core/property-value";
import { Lifecycle } from "../../provider/src/core/lifecycle";
import { pipeFromWire, type WireObject } from "../../provider/src/api/wire";
import { systemClock } from "../../provider/src/api/rate-limiter";
import { pipeDefinition } from "../../provider/src/resources/pipe/definition";
import type { Simulator } from "../../simulator/src/index";
import { newSimulator } from "../../testkit/simulator";
import { pipeFields } from "../../testkit/pipe-fields";
import { connect } from "../../testkit/connected";
import { missed } from "./agreement";
import { anyUpdate } from "./any-pipe";
import { holds } from "./parameters";
import { recordLines } from "../../testkit/lines";

const KINDS = ["kafka", "objectStorage", "kinesis", "postgres"] as const;

let simulator: Simulator;
/** A plugin process of its own for each run of the engine. */
let newLifecycle: () => Lifecycle;

beforeAll(async () => {
  simulator = await newSimulator();
  const { client, scope } = connect(simulator);
  const output = recordLines();
  const definition = pipeDefinition({ ...output, client: () => client, clock: systemClock });
  const context = { ...output, configurationProblems: () => [], defaults: () => ({ ...scope }) };
  newLifecycle = () => new Lifecycle(definition, context);
});
const patches = (): PropertyMap[] =>
  simulator.control
    .requests()
    .filter(({ method }) => method === "PATCH")
    .map(({ body }) => pipeFromWire(body as WireObject) as PropertyMap);

/** The units that a body carries. */
const carried = (body: PropertyMap): string[] =>
  leafFields(pipeFields)
    .filter(({ path }) => valueAt(body, path) !== undefined)
    .map(({ path }) => path.join("."));

async function createdAndUpdated(before: PropertyMap, after: PropertyMap) {
  simulator.control.reset();
  const creating = newLifecycle();
  const { inputs } = creating.check(undefined, before);
  const { id, outputs } = await creating.create(inputs);
  simulator.control.clearRequests();
  const lifecycle = newLifecycle();
  const news = lifecycle.check(inputs, after).inputs;
  const updated = await lifecycle.update(id, outputs, news);
  const pipe = simulator.control.state().pipes.find((one) => one.id === id);
  // The simulator's copy has arrays of its own realm, which strict equality distinguishes from ours.
  const present = pipeFromWire(JSON.parse(JSON.stringify(pipe)) as WireObject) as PropertyMap;
  return { id, inputs, news, updated, present };
}

describe.each(KINDS)("for any change of a %s pipe", (kind) => {
  const holdsFor = (law: (before: PropertyMap, after: PropertyMap) => Promise<void>): Promise<void> =>
    holds(fc.asyncProperty(anyUpdate(kind), ([before, after]) => law(before, after)));

  test("the requests bring the pipe to the declared values", () =>
    holdsFor(async (before, after) => {
      const { news, present } = await createdAndUpdated(before, after);
      expect(missed(news, present)).toEqual([]);
    }));

  test("the requests have only changed fields and those sent along, and none is sent without need", () =>
    holdsFor(async (before, after) => {
      const { inputs, news } = await createdAndUpdated(before, after);
      const changed = changesBetween(pipeFields, inputs, news)
        .filter(({ field, after: value }) => field.onChange === "update" && value !== undefined)
        .map(({ path }) => path);
      const sent = patches();
      const accompanying = ["source.validateSamples", "destination.columns", "fieldMappings"];
      const connection = ["host", "port", "database"].map((name) => `source.postgres.${name}`);
      if (changed.some((path) => connection.includes(path))) accompanying.push("source.postgres.credentials");
      const unasked = sent
        .flatMap(carried)
        .filter((path) => !changed.includes(path) && !accompanying.includes(path));
      expect(unasked).toEqual([]);
      const needed = changed.some((path) => path !== "source.postgres.tableMappings");
      expect(sent.length).toBeLessThanOrEqual(kind === "postgres" ? 2 : 1);
      if (needed) expect(sent.length).toBeGreaterThanOrEqual(1);
      if (changed.length === 0) expect(sent).toEqual([]);
    }));

  test("a refresh finds the declared values, and the next preview no change", () =>
    holdsFor(async (before, after) => {
      const { id, news, updated } = await createdAndUpdated(before, after);
      const refreshed = await newLifecycle().read(id, updated);
      expect(refreshed?.inputs).toEqual(news);
      expect(newLifecycle().diff(id, refreshed?.outputs ?? {}, news).changed).toBe(false);
    }));
});
