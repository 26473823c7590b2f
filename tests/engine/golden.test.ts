import { copyFile } from "node:fs/promises";
import path from "node:path";
import { leaks } from "../../testkit/canary";
import {
  changed,
  destroyed,
  files,
  goldenFolder,
  goldenSimulator,
  goldenStack,
  goldenVersions,
  importState,
  read,
  type GoldenRequests,
} from "../../testkit/golden";
import { temporaryFolder } from "../../testkit/folder";

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder("golden");
});

test.each(goldenVersions)(
  "a stack of version %s works with this version, and sends the same requests",
  async (version) => {
    const data = path.join(folder, files.service);
    await copyFile(path.join(goldenFolder, version, files.service), data);
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
  },
);

test.each(goldenVersions)(
  "the recording of version %s names no machine and has no secret",
  async (version) => {
    const [state, service, requests] = await Promise.all(
      (["state", "service", "requests"] as const).map((file) => read(version, file)),
    );
    const texts = { state, service, requests };
    for (const text of Object.values(texts)) {
      expect(text).not.toMatch(/file:|project:|\/(home|root|tmp|Users|usr|var|work|node_modules)\//);
      const hosts = [...(text ?? "").matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host = ""]) => host);
      expect(hosts.filter((host) => !/\.example$|^127\.0\.0\.1$/.test(host))).toEqual([]);
    }
    const canaries = [...(await read(version, "program")).matchAll(/"([^"]*-canary)"/g)].map(
      ([, text = ""]) => text,
    );
    expect(canaries.length).toBeGreaterThan(0);
    expect(leaks({ state: state ?? "" }, canaries)).toEqual([]);
  },
);
