import { copyFile } from "node:fs/promises";
import path from "node:path";
import {
  changed,
  destroyed,
  files,
  goldenSimulator,
  goldenStack,
  goldenVersions,
  importState,
  read,
  recorded,
  type GoldenRequests,
} from "../../testkit/golden";
import { temporaryFolder } from "../../testkit/folder";

test.each(goldenVersions)("a stack of version %s works now, and sends the same requests", async (version) => {
  const data = path.join(await temporaryFolder("golden"), files.service);
  await copyFile(recorded(version, "service"), data);
  const simulator = await goldenSimulator(data);
  const stack = await goldenStack(simulator, await read(version, "program"));
  await importState(stack, version, simulator);

  await stack.preview({ expectNoChanges: true });
  expect(simulator.control.requests()).toEqual([]);
  await stack.refresh({ flags: ["--expect-no-changes"] });
  const { change, destroy } = JSON.parse(await read(version, "requests")) as GoldenRequests;
  expect(await changed(stack, simulator)).toEqual(change);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  expect(await destroyed(stack, simulator)).toEqual(destroy);
  expect((await stack.export()).resources).toEqual([]);
});
