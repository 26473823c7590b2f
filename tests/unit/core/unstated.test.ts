import { refreshInputs } from "../../../provider/src/core/drift";
import { pipeFields } from "../../../testkit/pipe-fields";

test("a refresh takes no declared value away that the API did not state before either", () => {
  const declared = { name: "a", settings: { dbmsMaxThreads: 4 } };
  const observation = { declared, lastRead: { name: "a" }, current: { name: "a" } };
  expect(refreshInputs(pipeFields, observation)).toEqual({ declared, omitted: [] });
});
