import fc from "fast-check";
import { pipeFromWire, type WireObject } from "../../provider/src/api/wire";
import { systemClock } from "../../provider/src/api/rate-limiter";
import { changesBetween } from "../../provider/src/core/changes";
import { isNotReturned, sameValue } from "../../provider/src/core/equality";
import { isReadable, leafFields, type Field } from "../../provider/src/core/fields";
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
import type { Simulator } from "../../simulator/src/index";
import { connect } from "../../testkit/connected";
import { recordLines } from "../../testkit/lines";
import { failuresOf, offline, pipeId } from "../../testkit/offline";
import { pipeFields } from "../../testkit/pipe-fields";
import type { SourceKind } from "../../testkit/pipes";
import { preview } from "../../testkit/preview";
import { newSimulator } from "../../testkit/simulator";
import { missed } from "./agreement";
import { anyPipe, anyUpdate } from "./any-pipe";
import { holds } from "./parameters";

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
        const none = { changes: [], replaces: [], deleteBeforeReplace: false };
        for (const copy of [pipe, JSON.parse(JSON.stringify(pipe)) as PropertyMap, rewritten(pipe)])
          expect(offline().lifecycle.diff(pipeId, pipe, copy as PropertyMap)).toEqual({
            changed: false,
            inputsEqual: true,
            ...none,
          });
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

test.each(SOURCE_KINDS)(
  "the stored part of what the API states of any %s pipe repeats no declared value, and restores all that it states",
  (kind) =>
    holds(
      fc.property(anyUpdate(kind), ([declared, other]) => {
        const answer = stated(other);
        const beyond = withoutDeclaredValues(pipeFields, declared, answer);
        const again = withDeclaredValues(pipeFields, declared, beyond);
        const texts = (test: (field: Field) => boolean): string[] =>
          readable.filter(test).map(({ displayPath }) => displayPath);
        const lost = texts((field) => {
          const before = valueAt(answer, field.path);
          return !sameValue(field, before, valueAt(again, field.path)) && !isNotReturned(field, before);
        });
        const repeated = texts(({ path }) => {
          const value = valueAt(beyond, path);
          return value !== undefined && JSON.stringify(value) === JSON.stringify(valueAt(declared, path));
        });
        expect({ lost, repeated }).toEqual({ lost: [], repeated: [] });
        expect([again["id"], again["novelty"]]).toEqual([answer["id"], answer["novelty"]]);
        expect(withoutDeclaredValues(pipeFields, declared, again)).toEqual(beyond);
      }),
    ),
);

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

/** The fields of the bodies of all updates, one list a request. */
const sentFields = (): string[][] =>
  simulator.control
    .requests()
    .filter(({ method }) => method === "PATCH")
    .map(({ body }) => {
      const sent = pipeFromWire(body as WireObject) as PropertyMap;
      return leafFields(pipeFields)
        .filter(({ path }) => valueAt(sent, path) !== undefined)
        .map(({ path }) => path.join("."));
    });

/** Fails unless the requests have only changed fields and those sent along, and none is sent without need. */
function onlyChangesAreSent(kind: SourceKind, inputs: PropertyMap, news: PropertyMap): void {
  const changed = changesBetween(pipeFields, inputs, news)
    .filter(({ field, after: value }) => field.onChange === "update" && value !== undefined)
    .map(({ path }) => path);
  const sent = sentFields();
  const accompanying = ["source.validateSamples", "destination.columns", "fieldMappings"];
  const connection = ["host", "port", "database"].map((name) => `source.postgres.${name}`);
  if (changed.some((path) => connection.includes(path))) accompanying.push("source.postgres.credentials");
  const asked = [...changed, ...accompanying];
  expect(sent.flat().filter((path) => !asked.includes(path))).toEqual([]);
  const needed = changed.some((path) => path !== "source.postgres.tableMappings");
  expect(sent.length).toBeLessThanOrEqual(kind === "postgres" ? 2 : 1);
  if (needed) expect(sent.length).toBeGreaterThanOrEqual(1);
  if (changed.length === 0) expect(sent).toEqual([]);
}

test.each(SOURCE_KINDS)(
  "any change of a %s pipe sends only what changed, leads to the declared values, and a refresh and a preview then find no change",
  (kind) =>
    holds(
      fc.asyncProperty(anyUpdate(kind), async ([before, after]) => {
        simulator.control.reset();
        const creating = newLifecycle();
        const { inputs } = creating.check(undefined, before);
        const { id, outputs } = await creating.create(inputs);
        simulator.control.clearRequests();
        const lifecycle = newLifecycle();
        const news = lifecycle.check(inputs, after).inputs;
        const updated = await lifecycle.update(id, outputs, news);
        onlyChangesAreSent(kind, inputs, news);
        const pipe = simulator.control.state().pipes.find((one) => one.id === id);
        // The simulator's copy has arrays of its own realm, which strict equality distinguishes from ours.
        const present = pipeFromWire(JSON.parse(JSON.stringify(pipe)) as WireObject) as PropertyMap;
        expect(missed(news, present)).toEqual([]);
        const refreshed = await newLifecycle().read(id, updated);
        expect(refreshed?.inputs).toEqual(news);
        expect(newLifecycle().diff(id, refreshed?.outputs ?? {}, news).changed).toBe(false);
      }),
    ),
);
