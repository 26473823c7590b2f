import fc from "fast-check";
import { pipeFromWire, type WireObject } from "../../provider/src/api/wire";
import { systemClock } from "../../provider/src/api/rate-limiter";
import { SECRET_NAMES } from "../../provider/src/api/secret-names";
import { changesBetween } from "../../provider/src/core/changes";
import { isNotReturned, sameValue } from "../../provider/src/core/equality";
import { fieldsOf, isReadable, leafFields, type Field } from "../../provider/src/core/fields";
import { Lifecycle } from "../../provider/src/core/lifecycle";
import { withoutDeclaredValues, withDeclaredValues } from "../../provider/src/core/outputs";
import {
  isList,
  isMap,
  UNKNOWN,
  valueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../provider/src/core/property-value";
import { pipeDefinition } from "../../provider/src/resources/pipe/definition";
import { SOURCE_KINDS } from "../../provider/src/resources/pipe/schema";
import { reversePrivateEndpointSchema } from "../../provider/src/resources/reverse-private-endpoint/definition";
import { serviceSettingsSchema } from "../../provider/src/resources/service-settings/schema";
import type { Simulator } from "../../simulator/src/index";
import { connect } from "../../testkit/connected";
import { recordLines } from "../../testkit/lines";
import { failuresOf, offline, pipeId } from "../../testkit/offline";
import { pipeFields } from "../../testkit/pipe-fields";
import { preview } from "../../testkit/preview";
import { newSimulator } from "../../testkit/simulator";
import { missed } from "./agreement";
import { anyPipe, anyUpdate } from "./any-pipe";
import { anyPolicy } from "./lifecycle/any-pipe-step";
import { anyEndpoint, anySettings } from "./lifecycle/any-service-step";
import { holds } from "./parameters";

/** The laws have one service, and adoptions are actions of their own. */
const NOT_GENERATED = ["organizationId", "serviceId", "adopt"];

/** The values of a field, or those of its elements by their paths. */
function valuesOf(field: Field, value: PropertyValue): [path: string, value: PropertyValue][] {
  const elements = (isList(value) ? value : [value]).filter(isMap);
  if (field.elements === undefined) return [[field.displayPath, value]];
  return field.elements.flatMap(({ name }) =>
    elements.map((one): [string, PropertyValue] => [`${field.displayPath}.${name}`, one[name]]),
  );
}

/** The fields that have only one value, or none, in all of these. */
function constantIn(fields: readonly Field[], samples: readonly PropertyMap[]): string[] {
  const found = new Map<string, Set<string>>();
  for (const field of leafFields(fields)) {
    if (NOT_GENERATED.includes(field.name)) continue;
    const paths = field.elements?.map(({ name }) => `${field.displayPath}.${name}`) ?? [field.displayPath];
    for (const path of paths) found.set(path, new Set());
    for (const sample of samples)
      for (const [path, value] of valuesOf(field, valueAt(sample, field.path)))
        found.get(path)?.add(JSON.stringify(value ?? null));
  }
  return [...found].filter(([, values]) => values.size < 2).map(([path]) => path);
}

const sampled = <T>(arbitrary: fc.Arbitrary<T>): T[] => fc.sample(arbitrary, { numRuns: 300, seed: 1 });

describe("the laws generate several values of every field", () => {
  test.each(SOURCE_KINDS)("of a %s pipe, and changes of every field that can be updated", (kind) => {
    const isOther = (path: string): boolean =>
      SOURCE_KINDS.some((one) => one !== kind && path.startsWith(`source.${one}`)) ||
      (kind === "postgres" && path.startsWith("settings"));
    const any = fc.tuple(anyPipe(kind), anyPolicy).map(([pipe, policy]) => ({ ...pipe, ...policy }));
    expect(constantIn(pipeFields, sampled(any)).filter((path) => !isOther(path))).toEqual([]);
    const updates = sampled(anyUpdate(kind));
    const unchanged = leafFields(pipeFields).filter(
      (field) =>
        ["update", "sentAlong"].includes(field.onChange) &&
        updates.every(([a, b]) => sameValue(field, valueAt(a, field.path), valueAt(b, field.path))),
    );
    expect(unchanged.map(({ displayPath }) => displayPath).filter((path) => !isOther(path))).toEqual([]);
  });

  test.each([
    ["the settings of a service", serviceSettingsSchema, anySettings],
    ["an endpoint", reversePrivateEndpointSchema, anyEndpoint],
  ] as const)("of %s", (_what, schema, any) => {
    expect(constantIn(fieldsOf(schema, SECRET_NAMES), sampled<PropertyMap>(any))).toEqual([]);
  });
});

/** The same properties as another copy, members in the opposite order, nulls where nothing was. */
function rewritten(value: PropertyValue): PropertyValue {
  if (isList(value)) return value.map(rewritten);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, rewritten(member)] as const);
  return { ...Object.fromEntries(entries.reverse()), novelty: null };
}

describe.each(SOURCE_KINDS)("for any %s pipe", (kind) => {
  test("check accepts it, and accepts its own result unchanged", () =>
    holds(
      fc.property(anyPipe(kind), (pipe) => {
        expect(failuresOf(pipe)).toEqual([]);
        const { inputs } = offline().lifecycle.check(undefined, pipe);
        expect(offline().lifecycle.check(inputs, inputs)).toEqual({ inputs, failures: [] });
      }),
    ));

  test("diff finds no change between it and a rewritten copy", () =>
    holds(
      fc.property(anyPipe(kind), (pipe) => {
        const same = {
          changed: false,
          inputsEqual: true,
          changes: [],
          replaces: [],
          deleteBeforeReplace: false,
        };
        const { lifecycle } = offline();
        expect(lifecycle.diff(pipeId, pipe, pipe)).toEqual(same);
        expect(lifecycle.diff(pipeId, pipe, JSON.parse(JSON.stringify(pipe)) as PropertyMap)).toEqual(same);
        expect(lifecycle.diff(pipeId, pipe, rewritten(pipe) as PropertyMap)).toEqual(same);
      }),
    ));

  test("a change of updatable fields is accepted and replaces nothing", () =>
    holds(
      fc.property(anyUpdate(kind), ([before, after]) => {
        const outputs = offline().lifecycle.check(undefined, before).inputs;
        const { failures, difference } = preview(offline().lifecycle, { id: pipeId, outputs }, after);
        expect([failures, difference?.replaces]).toEqual([[], []]);
      }),
    ));

  test("an unknown source is accepted and replaces nothing", () =>
    holds(
      fc.property(anyPipe(kind), (pipe) => {
        const outputs = offline().lifecycle.check(undefined, pipe).inputs;
        const news: PropertyMap = { ...pipe, source: UNKNOWN };
        const { failures, difference } = preview(offline().lifecycle, { id: pipeId, outputs }, news);
        expect(failures).toEqual([]);
        expect(difference).toMatchObject({ changed: true, replaces: [] });
      }),
    ));
});

const readable = leafFields(pipeFields).filter(isReadable);

/** What an API would state: nothing that it never returns, and more than any program declares. */
const stated = (pipe: PropertyMap): PropertyMap => ({
  ...Object.fromEntries(
    Object.entries(pipe).filter(([name]) => pipeFields.some((field) => field.name === name)),
  ),
  id: "1",
  novelty: { of: ["the server"] },
});

describe.each(SOURCE_KINDS)("of any %s pipe that is declared, and any that the API states", (kind) => {
  const holdsFor = (law: (declared: PropertyMap, stated: PropertyMap) => void): Promise<void> =>
    holds(
      fc.property(anyUpdate(kind), ([declared, other]) => {
        law(declared, stated(other));
      }),
    );

  test("the stored part restores the API's answer, except declared fields that the answer omits", () =>
    holdsFor((declared, answer) => {
      const again = withDeclaredValues(
        pipeFields,
        declared,
        withoutDeclaredValues(pipeFields, declared, answer),
      );
      const lost = readable.filter((field) => {
        const before = valueAt(answer, field.path);
        const after = valueAt(again, field.path);
        return !sameValue(field, before, after) && !isNotReturned(field, before);
      });
      expect(lost.map(({ displayPath: text }) => text)).toEqual([]);
      expect([again["id"], again["novelty"]]).toEqual([answer["id"], answer["novelty"]]);
    }));

  test("the stored part repeats no declared value", () =>
    holdsFor((declared, answer) => {
      const beyond = withoutDeclaredValues(pipeFields, declared, answer);
      const repeated = readable.filter(({ path }) => {
        const value = valueAt(beyond, path);
        return value !== undefined && JSON.stringify(value) === JSON.stringify(valueAt(declared, path));
      });
      expect(repeated.map(({ displayPath: text }) => text)).toEqual([]);
    }));

  test("the stored part of a restored answer is the same", () =>
    holdsFor((declared, answer) => {
      const once = withoutDeclaredValues(pipeFields, declared, answer);
      expect(
        withoutDeclaredValues(pipeFields, declared, withDeclaredValues(pipeFields, declared, once)),
      ).toEqual(once);
    }));
});

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

describe.each(SOURCE_KINDS)("for any change of a %s pipe", (kind) => {
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
