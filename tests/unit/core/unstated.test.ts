import { refreshInputs } from "../../../provider/src/core/drift";
import { pipeFields } from "../../../testkit/pipe-fields";

test("a refresh keeps a declared value that the API never returned", () => {
  const declared = { name: "a", settings: { dbmsMaxThreads: 4 } };
  const observation = { declared, lastRead: { name: "a" }, current: { name: "a" } };
  expect(refreshInputs(pipeFields, observation)).toEqual({ declared, omitted: [] });
});
