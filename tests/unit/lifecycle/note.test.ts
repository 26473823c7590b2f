import { DynamicProvider } from "../../../provider/src/lifecycle/dynamic";
import type { PropertyMap } from "../../../provider/src/lifecycle/property-value";
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
    const run = new Run(recordLines(), { read, environment: {} }, { definitions });
    const none = (): void => undefined;
    return dynamicAdapter((type) => new DynamicProvider(() => run.lifecycle(type), none));
  },
  native(definitions) {
    const calls = startInProcess(recordLines(), () => systemClock, { definitions });
    void calls.configure(settings);
    return nativeAdapter(calls);
  },
};

test.each(Object.entries(ADAPTERS))("a definition of few lines runs on the %s adapter", async (_, start) => {
  const notes = new Map<string, PropertyMap>();
  const calls: EngineCall[] = [];
  const definitions = { Note: () => noteDefinition(notes) };
  const engine = new Engine(() => recordCalls({ adapter: start(definitions), lines: [] }, calls));
  /** What the engine does for a program with this note, why it fails, and what the service has then. */
  const up = async (args?: PropertyMap) => {
    calls.length = 0;
    const declared = { type: "Note", args: { deletionPolicy: "delete", ...args } };
    const { failures } = await engine.up(new Map(args === undefined ? [] : [["milk", declared]]));
    const writes = calls.filter(({ method, preview }) => !/Check|Diff/.test(method) && preview !== true);
    return [...writes.map(({ method }) => method), ...failures.map(({ message }) => message), ...notes];
  };
  const note = (id: string, title: string, shelf: string) => [id, { title, shelf, length: title.length }];
  expect(await up({ title: "", shelf: "top" })).toEqual(["title must not be empty"]);
  expect(await up({ titel: "Milk" })).toEqual([expect.stringMatching(/titel is not an argument.*"title"/)]);
  expect(await up({ title: "Milk", shelf: "top" })).toEqual(["Create", note("note-1", "Milk", "top")]);
  expect(await up({ title: "Milk", shelf: "top" })).toEqual([note("note-1", "Milk", "top")]);
  const updated = note("note-1", "Bread", "top");
  const low = note("note-1", "Bread", "low");
  expect(await up({ title: "Bread", shelf: "top" })).toEqual(["Update", updated]);
  notes.set("note-1", { title: "Tea", shelf: "top", length: 3 });
  await engine.refresh();
  expect(engine.state).toMatchObject([{ inputs: { title: "Tea" }, outputs: { length: 3, observed: {} } }]);
  expect(await up({ title: "Bread", shelf: "top" })).toEqual(["Update", updated]);
  expect(await up({ title: "Bread", shelf: "low" })).toEqual(["Delete", "Create", low]);
  expect(await up()).toEqual(["Delete"]);
});
