import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_ACCOUNT, PROFILES } from "../../../simulator/src/index";
import { createPipe, listed, listPipes, send, servicePath, start, updatePipe } from "./client";
import { KAFKA, KINESIS, OBJECT_STORAGE, POSTGRES, SCALING } from "./client";

const README = readFileSync(join(__dirname, "../../../simulator/README.md"), "utf8");

describe("profiles", () => {
  test("work together, with every kind of source and every format of times", async () => {
    const simulator = await start({ profiles: [...PROFILES], timeFormat: "absent", nulls: true });
    for (const body of [KAFKA, OBJECT_STORAGE, KINESIS, POSTGRES]) {
      const { id } = await createPipe(simulator, { ...body, scaling: SCALING });
      await updatePipe(simulator, id, { name: "renamed" });
    }
    const [pipe] = await listPipes(simulator);
    expect(pipe?.scaling).toEqual({ replicas: 0, replicaCpuMillicores: "0m", replicaMemoryGb: "0Gi" });
    await listPipes(simulator);
    expect((await listed(simulator))?.scaling).toMatchObject({ replicaMemoryGb: "1.5Gi" });
  });

  test.each(PROFILES)("are in the README: %s", (profile) => {
    expect(README).toMatch(new RegExp(`^- \\*\\*\`${profile}\`\\*\\*: .`, "m"));
  });

  test("can be switched while the simulator runs, and come back at a reset", async () => {
    const simulator = await start({ profiles: ["quantity"] });
    const seed = { ...KAFKA, scaling: SCALING };
    simulator.control.seedPipes([seed]);
    expect((await listed(simulator))?.scaling?.replicaCpuMillicores).toBe("125m");
    expect(simulator.control.setBehaviour({ profiles: [] }).profiles).toEqual([]);
    expect((await listed(simulator))?.scaling?.replicaCpuMillicores).toBe(125);
    simulator.control.reset();
    expect(simulator.control.behaviour().profiles).toEqual(["quantity"]);
  });

  test("can differ between services", async () => {
    const serviceIds = [...DEFAULT_ACCOUNT.serviceIds, "0a1b2c3d-0000-4000-8000-00000000000a"];
    const simulator = await start({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }], stateSeconds: 0 });
    const [first = "", second = ""] = serviceIds;
    simulator.control.setBehaviour({ profiles: ["sparse"] }, second.toUpperCase());
    expect(Object.keys(await createPipe(simulator, KAFKA))).toContain("source");
    const path = servicePath(simulator).replace(first, second);
    const { envelope } = await send(simulator, "POST", `${path}/pipes`, KAFKA);
    expect(Object.keys(envelope.result as object)).toEqual(["id", "name", "state"]);
    expect(simulator.control.behaviour(first).profiles).toEqual([]);
    expect(() => simulator.control.setBehaviour({ clockSkewSeconds: 1 }, first)).toThrow("cannot differ");
  });

  test("spell a pipe that control has edited into something unknown, too", async () => {
    const simulator = await start({ profiles: [...PROFILES] });
    const [pipe] = simulator.control.seedPipes([KAFKA]);
    const patch = { scaling: "small", destination: { columns: ["Id"] }, createdAt: 5 };
    simulator.control.editPipe(pipe?.id ?? "", patch);
    expect(await listed(simulator)).toMatchObject({ scaling: "small", createdAt: 5 });
  });

  test.each([
    [{ profiles: ["fast"] }, "profiles must be an array of quantity, omit"],
    [{ profiles: "quantity" }, "profiles must be"],
    [{ timeFormat: "rfc" }, "timeFormat must be one of iso"],
    [{ clockSkewSeconds: Number.NaN }, "clockSkewSeconds must be a number"],
    [{ profile: [] }, "profile is not a field of a behaviour"],
  ])("refuse an invalid behaviour: %j", async (behaviour, text) => {
    const simulator = await start();
    expect(() => simulator.control.setBehaviour(behaviour as object)).toThrow(text);
    if (!("profile" in behaviour)) await expect(start(behaviour as object)).rejects.toThrow(text);
  });
});
