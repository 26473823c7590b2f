/** The smallest definition works on both adapters: it is the sample for a new resource in `.github/CONTRIBUTING.md`. */
import { DynamicProvider } from "../../../provider/src/lifecycle/protocol/dynamic";
import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { systemClock } from "../../../provider/src/api/http/clock";
import type { Definitions } from "../../../provider/src/run/definitions";
import { Run } from "../../../provider/src/run/run";
import { recordCalls, type EngineAdapter, type EngineCall } from "../../kit/engine-model/adapter";
import { dynamicAdapter } from "../../kit/engine-model/dynamic";
import { Engine } from "../../kit/engine-model/engine";
import { nativeAdapter } from "../../kit/engine-model/native";
import { recordLines } from "../../kit/lifecycle";
import { startInProcess } from "../../kit/plugin";
import { noteDefinition } from "./note";
import { ID } from "./thing";

const key = { apiKeyId: "key", apiKeySecret: "unused", baseUrl: "http://localhost" };
const settings: Readonly<Record<string, string>> = { ...key, organizationId: ID, serviceId: ID };

const ADAPTERS: Readonly<Record<string, (definitions: Definitions) => EngineAdapter>> = {
  dynamic(definitions) {
    const read = (name: string) => settings[name.replace("datapipes:", "")];
    const run = new Run(recordLines(), read, { definitions });
    const none = (): void => undefined;
    return dynamicAdapter((type) => new DynamicProvider(() => run.lifecycle(type), none));
  },
  native(definitions) {
    const calls = startInProcess(recordLines(), () => systemClock, { definitions });
    void calls.configure(settings);
    return nativeAdapter(calls);
  },
};

describe.each(Object.entries(ADAPTERS))("on the %s adapter, the smallest definition", (_, start) => {
  const notes = new Map<string, PropertyMap>();
  const calls: EngineCall[] = [];
  let engine: Engine;
  beforeEach(() => {
    notes.clear();
    const definitions = { Note: () => noteDefinition(notes) };
    engine = new Engine(() => recordCalls({ adapter: start(definitions), lines: [] }, calls));
  });

  const up = async (...declared: PropertyMap[]) => {
    calls.length = 0;
    const program = declared.map((args) => ["note", { type: "Note", args }] as const);
    const { failures } = await engine.up(new Map(program));
    const writes = calls.filter(({ method, preview }) => !/Check|Diff/.test(method) && preview !== true);
    return { writes: writes.map(({ method }) => method), failures: failures.map(({ message }) => message) };
  };
  const milk = { title: "Milk", shelf: "top", deletionPolicy: "delete" };
  const bread = { ...milk, title: "Bread" };

  test.each([
    [{ title: "" }, /^title must not be empty$/],
    [{ titel: "Milk" }, /titel is not an argument.*"title"/],
  ])("refuses the arguments %j", async (args, failure) => {
    expect(await up(args)).toEqual({ writes: [], failures: [expect.stringMatching(failure)] });
  });

  test("creates and updates what the program changes", async () => {
    expect(await up(milk)).toEqual({ writes: ["Create"], failures: [] });
    expect(await up(milk)).toEqual({ writes: [], failures: [] });
    expect(await up(bread)).toEqual({ writes: ["Update"], failures: [] });
    expect([...notes.values()]).toEqual([{ title: "Bread", shelf: "top", length: 5 }]);
  });

  test("replaces and deletes what the program changes", async () => {
    await up(bread);
    expect(await up({ ...bread, shelf: "low" })).toEqual({ writes: ["Delete", "Create"], failures: [] });
    expect([...notes.values()]).toEqual([{ title: "Bread", shelf: "low", length: 5 }]);
    expect(await up()).toEqual({ writes: ["Delete"], failures: [] });
    expect(notes.size).toBe(0);
  });

  test("shows drift at a refresh, and repairs it", async () => {
    await up(milk);
    notes.set("note-1", { title: "Tea", shelf: "top", length: 3 });
    await engine.refresh();
    expect(engine.state).toMatchObject([{ inputs: { title: "Tea" }, outputs: { length: 3, observed: {} } }]);
    expect(await up(milk)).toEqual({ writes: ["Update"], failures: [] });
    expect(notes.get("note-1")).toHaveProperty("title", "Milk");
  });
});
