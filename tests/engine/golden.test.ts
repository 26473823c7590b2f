import {
  goldenProgram,
  goldenStack,
  goldenState,
  goldenVersions,
  importState,
  requestsIn,
  simulatorOf,
  writesOfChange,
  writesOfDestroy,
} from "../kit/golden";
import { isNative } from "../kit/program";
import { planOf } from "./plan";

// Until 0.1.0 is released, its folder has what `npm run golden` last recorded with the code of this repository.
test.each(goldenVersions)("a recorded stack of %s works, with the recorded requests", async (version) => {
  const state = goldenState(version);
  const simulator = await simulatorOf(state);
  const stack = await goldenStack(simulator, goldenProgram(version));
  await importState(stack, state, simulator);

  // The native plugin has an explicit provider of its own.
  expect((await planOf(stack)).steps).toEqual(isNative ? { other: ["create"] } : {});
  expect(simulator.control.requests()).toEqual([]);
  await stack.refresh({ flags: ["--expect-no-changes"] });
  expect(await writesOfChange(stack, simulator)).toEqual(requestsIn(state, "change"));
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  expect(await writesOfDestroy(stack, simulator)).toEqual(requestsIn(state, "destroy"));
  expect((await stack.export()).resources).toEqual([]);
});
