import { copyFile } from "node:fs/promises";
import path from "node:path";
import * as golden from "../../scripts/golden/states";
import { temporaryFolder } from "../kit/cleanup";

test.each(golden.goldenVersions)("a stack of %s works now, and sends the same requests", async (version) => {
  const data = path.join(await temporaryFolder("golden"), golden.files.service);
  await copyFile(golden.recorded(version, "service"), data);
  const simulator = await golden.goldenSimulator(data);
  const stack = await golden.goldenStack(simulator, await golden.read(version, "program"));
  await golden.importState(stack, version, simulator);

  await stack.preview({ expectNoChanges: true });
  expect(simulator.control.requests()).toEqual([]);
  await stack.refresh({ flags: ["--expect-no-changes"] });
  const { change, destroy } = JSON.parse(await golden.read(version, "requests")) as golden.GoldenRequests;
  expect(await golden.changed(stack, simulator)).toEqual(change);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  expect(await golden.destroyed(stack, simulator)).toEqual(destroy);
  expect((await stack.export()).resources).toEqual([]);
});
