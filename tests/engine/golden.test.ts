import * as golden from "../kit/golden";
import { isNative } from "../kit/program";
import { planOf } from "./plan";

// Until 0.1.0 is released, its folder has what `npm run golden` last recorded with the code of this repository.
test.each(golden.goldenVersions)(
  "a recorded stack of %s works, with the recorded requests",
  async (version) => {
    const state = golden.goldenState(version);
    const simulator = await golden.simulatorOf(state);
    const stack = await golden.goldenStack(simulator, golden.goldenProgram(version));
    await golden.importState(stack, state, simulator);

    // The native plugin has an explicit provider of its own.
    expect((await planOf(stack)).steps).toEqual(isNative ? { other: ["create"] } : {});
    expect(simulator.control.requests()).toEqual([]);
    await stack.refresh({ flags: ["--expect-no-changes"] });
    expect(await golden.writesOfChange(stack, simulator)).toEqual(golden.requestsIn(state, "change"));
    await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
    expect(await golden.writesOfDestroy(stack, simulator)).toEqual(golden.requestsIn(state, "destroy"));
    expect((await stack.export()).resources).toEqual([]);
  },
);
