import fc from "fast-check";
import { sameValue } from "../../../provider/src/core/equality";
import { changesBetween } from "../../../provider/src/core/changes";
import { unitsOf, type Field } from "../../../provider/src/core/field";
import {
  isList,
  isMap,
  pick,
  valueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../../provider/src/core/property-value";
import { Lifecycle } from "../../../provider/src/core/resource";
import { pipeFromWire, type WireObject } from "../../../provider/src/api/wire";
import { systemClock } from "../../../provider/src/api/limiter";
import { pipeDefinition } from "../../../provider/src/resources/pipe/lifecycle";
import type { Simulator } from "../../../simulator/src/index";
import { newSimulator, stopSimulators } from "../../support/simulator";
import { pipeFields } from "../../unit/core/fields";
import { anyUpdate } from "../../unit/pipe/arbitrary";
import { connect } from "./connected";

const KINDS = ["kafka", "objectStorage", "kinesis", "postgres"] as const;

let simulator: Simulator;
let lifecycle: Lifecycle;

beforeEach(async () => {
  simulator = await newSimulator();
  const { client, scope } = connect(simulator);
  const inform = (): void => undefined;
  const definition = pipeDefinition({ client: () => client, inform, clock: systemClock });
  lifecycle = new Lifecycle(definition, {
    configurationProblems: () => [],
    defaults: () => ({ ...scope }),
    inform,
  });
});
afterEach(stopSimulators);

const patches = (): PropertyMap[] =>
  simulator.control
    .requests()
    .filter(({ method }) => method === "PATCH")
    .map(({ body }) => pipeFromWire(body as WireObject) as PropertyMap);

/** The units that a body carries. */
const carried = (body: PropertyMap): string[] =>
  unitsOf(pipeFields)
    .filter(({ path }) => valueAt(body, path) !== undefined)
    .map(({ path }) => path.join("."));

/** The declared units whose value is another one in what the API has. */
function missed(declared: PropertyMap, present: PropertyMap): string[] {
  return unitsOf(pipeFields)
    .filter((field) => !field.writeOnly && valueAt(declared, field.path) !== undefined)
    .filter((field) => {
      const wanted = valueAt(declared, field.path);
      return !sameValue(field, wanted, projected(field, wanted, valueAt(present, field.path)));
    })
    .map(({ path }) => path.join("."));
}

/** The value of the API, without what the server filled in where elements are silent. */
function projected({ identity }: Field, wanted: PropertyValue, present: PropertyValue): PropertyValue {
  if (!isList(present) || !isList(wanted)) return present;
  const maps = wanted.filter(isMap);
  return present.map((one) => {
    const asked = maps.find((map) => isMap(one) && identity.every((name) => map[name] === one[name]));
    return isMap(one) && asked !== undefined ? pick(one, Object.keys(asked)) : one;
  });
}

async function createdAndUpdated(before: PropertyMap, after: PropertyMap) {
  const { inputs } = lifecycle.check(undefined, before);
  const { id, outputs } = await lifecycle.create(inputs);
  simulator.control.clearRequests();
  const news = lifecycle.check(inputs, after).inputs;
  const updated = await lifecycle.update(id, outputs, news);
  const pipe = simulator.control.state().pipes.find((one) => one.id === id);
  // The simulator's copy has arrays of its own realm, which the test's equality tells from ours.
  const present = pipeFromWire(JSON.parse(JSON.stringify(pipe)) as WireObject) as PropertyMap;
  return { id, inputs, news, updated, present };
}

describe.each(KINDS)("for any change of a %s pipe", (kind) => {
  const holds = (law: (before: PropertyMap, after: PropertyMap) => Promise<void>): Promise<void> =>
    fc.assert(
      fc.asyncProperty(anyUpdate(kind), ([before, after]) => law(before, after)),
      { numRuns: 20 },
    );

  test("the requests bring the pipe to what is declared", () =>
    holds(async (before, after) => {
      const { news, present } = await createdAndUpdated(before, after);
      expect(missed(news, present)).toEqual([]);
    }));

  test("the requests carry what changed and what must accompany it, and there are none without need", () =>
    holds(async (before, after) => {
      const { inputs, news } = await createdAndUpdated(before, after);
      const changed = changesBetween(pipeFields, inputs, news)
        .filter(({ field, after: value }) => field.onChange === "update" && value !== undefined)
        .map(({ path }) => path);
      const sent = patches();
      const accompanying = ["source.validateSamples", "destination.columns", "fieldMappings"];
      const unasked = sent
        .flatMap(carried)
        .filter((path) => !changed.includes(path) && !accompanying.includes(path));
      expect(unasked).toEqual([]);
      const needed = changed.some((path) => path !== "source.postgres.tableMappings");
      expect(sent.length).toBeLessThanOrEqual(kind === "postgres" ? 2 : 1);
      if (needed) expect(sent.length).toBeGreaterThanOrEqual(1);
      if (changed.length === 0) expect(sent).toEqual([]);
    }));

  test("a refresh finds what was declared, and the next preview nothing", () =>
    holds(async (before, after) => {
      const { id, news, updated } = await createdAndUpdated(before, after);
      const refreshed = await lifecycle.read(id, updated);
      expect(refreshed?.inputs).toEqual(news);
      expect(lifecycle.diff(id, refreshed?.outputs ?? {}, news).changed).toBe(false);
    }));
});
