import { Stack, storedResources } from "../../../provider/src/lifecycle/program/stack";
import { exportedResource, exportOf } from "../../kit/deployment";

const ID = "0a1b2c3d-0000-4000-8000-00000000aaaa";
const OTHER = "0a1b2c3d-0000-4000-8000-00000000bbbb";
const KEY = "Pipe::a";
const { urn: URN } = exportedResource("a", ID);

type Exported = ReturnType<typeof exportedResource>;

/** A stack whose state a test sets; a clock that moves with each look at it; and what was read and logged. */
function stackOf(...resources: readonly Exported[]) {
  let now = 0;
  const run = {
    state: () => Promise.resolve<string | undefined>(exportOf(resources)),
    reads: [] as (string | undefined)[],
    lines: [] as string[],
  };
  const stack = new Stack({
    log: (line) => run.lines.push(line),
    now: () => (now += 1),
    read: (name) => {
      run.reads.push(name);
      return run.state();
    },
  });
  return Object.assign(run, { stack });
}

/** A resource whose create the engine waits for. */
function creating(name: string, adopt: string): Omit<Exported, "id"> {
  const { id: _, ...resource } = exportedResource(name, "", { inputs: { adopt } });
  return resource;
}

const keysOf = async (stack: Stack, type: string) =>
  (await stack.managed(type)).resources?.map(({ key }) => key);

describe("the state", () => {
  test("has this package's resources, dynamic or native, with keys that begin with parents' types", () => {
    const text = exportOf(
      [
        exportedResource("shop-dev", "", { type: "pulumi:pulumi:Stack" }),
        exportedResource("a", "1", {
          inputs: { name: "orders" },
          outputs: { state: "Running" },
        }),
        exportedResource("a::b", "2", { form: "native", parents: ["my:index:Team"] }),
        exportedResource("read", "3", { external: true }),
        exportedResource("unfinished", "6", { pendingReplacement: true }),
        exportedResource("replaced", "4", { delete: true }),
        exportedResource("s", "5", {
          type: "ServiceSettings",
          importID: "5",
        }),
      ],
      [creating("new", ID)],
    );
    const [, ofProgram, ofTeam, unfinished, replaced, settings, pending] = storedResources(text);
    const plain = { type: "Pipe", inputs: {}, outputs: {}, status: "managed" };
    const values = { inputs: { name: "orders" }, outputs: { state: "Running" } };
    expect(ofProgram).toMatchObject({ ...plain, ...values, id: "1", key: "Pipe::a" });
    expect(ofTeam).toMatchObject({ ...plain, id: "2", key: "my:index:Team$Pipe::a::b" });
    expect(unfinished).toMatchObject({ ...plain, id: "6", pendingReplacement: true });
    expect(replaced).toMatchObject({ ...plain, id: "4", status: "replaced" });
    expect(settings).toMatchObject({ type: "ServiceSettings", importID: "5" });
    expect(pending).toMatchObject({ ...plain, id: "", inputs: { adopt: ID }, status: "creating" });
    expect(storedResources(text)).toHaveLength(7);
  });

  test.each(['{"version":3,"deployment":null}', '{"version":3,"deployment":{"resources":null}}', "{}"])(
    "of a stack that no run has changed has no resources: %s",
    (text) => {
      expect(storedResources(text)).toEqual([]);
    },
  );

  test("is that of the stack that the first check has told, and is read once for all checks", async () => {
    const { stack, reads } = stackOf(
      exportedResource("a", ID),
      exportedResource("old", OTHER, { delete: true }),
      exportedResource("s", ID, { type: "ServiceSettings" }),
    );
    stack.name = "org/shop/dev";
    expect(await keysOf(stack, "Pipe")).toEqual([KEY]);
    expect(await keysOf(stack, "ServiceSettings")).toEqual(["ServiceSettings::s"]);
    expect(reads).toEqual(["org/shop/dev"]);
  });
});

describe("before a deletion", () => {
  const DELETED = exportedResource("a", ID);
  const formerKey = { outputs: { __privateState: { key: KEY } } };

  test.each<[what: string, holder: string | undefined, ...resources: Exported[]]>([
    ["the deleted resource", undefined, exportedResource("a", ID)],
    ["the deleted resource under another name, by an alias", undefined, exportedResource("b", ID, formerKey)],
    ["another resource", "Pipe::b", exportedResource("a", ID), exportedResource("b", ID.toUpperCase())],
    ["a resource of the other form", "Pipe::b", exportedResource("b", ID, { form: "native" })],
    ["a resource of another parent", "x:y:Z$Pipe::a", exportedResource("a", ID, { parents: ["x:y:Z"] })],
    [
      "a resource that the program only reads",
      undefined,
      DELETED,
      exportedResource("b", ID, { external: true }),
    ],
    ["a resource that is replaced already", undefined, DELETED, exportedResource("b", ID, { delete: true })],
    [
      "a resource of another type",
      undefined,
      DELETED,
      exportedResource("b", ID, { type: "ReversePrivateEndpoint" }),
    ],
    ["a resource with another ID", undefined, DELETED, exportedResource("b", OTHER)],
    ["the replacement", KEY, exportedResource("a", ID), exportedResource("a", ID, { delete: true })],
  ])("the ID may be that of %s in the state", async (_, holder, ...resources) => {
    const { stack } = stackOf(...resources);
    expect((await stack.otherHolder("Pipe", ID, KEY))?.key).toBe(holder);
  });

  test("an adoption under way keeps the ID, unless it is that of the deleted resource", async () => {
    const found = stackOf();
    found.state = () => Promise.resolve(exportOf([exportedResource("a", ID)], [creating("b", ID)]));
    expect((await found.stack.otherHolder("Pipe", ID, KEY))?.key).toBe("Pipe::b");
    found.stack.recordWrite();
    found.state = () => Promise.resolve(exportOf([exportedResource("a", ID)], [creating("a", ID)]));
    expect(await found.stack.otherHolder("Pipe", ID, KEY)).toBeUndefined();
  });

  test("a state without the deleted resource is no reading: nothing is deleted", async () => {
    const { stack } = stackOf(exportedResource("a", OTHER));
    await expect(stack.otherHolder("Pipe", ID, KEY)).rejects.toThrow(
      "Nothing was deleted: the provider cannot read the state of the stack (it does not have the resource that is to be deleted)",
    );
  });

  const instance = (name: string) => exportedResource(name, name, { type: "pulumi:providers:pulumi-nodejs" });

  test("the state is read for each deletion while there are two provider instances", async () => {
    const { stack, reads } = stackOf(exportedResource("a", ID), instance("eu"), instance("us"));
    for (let deletions = 0; deletions < 3; deletions += 1) await stack.otherHolder("Pipe", ID, KEY);
    expect(reads).toHaveLength(3);
  });

  test("the state is read anew once, and again after the next create or adoption", async () => {
    const { stack, reads } = stackOf(exportedResource("a", ID), exportedResource("b", OTHER), instance("eu"));
    await stack.managed("Pipe");
    const deletions = async (): Promise<number> => {
      await Promise.all([ID, OTHER].map((id) => stack.otherHolder("Pipe", id, KEY)));
      await stack.otherHolder("Pipe", ID, KEY);
      await stack.importedInstead(URN, ID);
      return reads.length;
    };
    expect(await deletions()).toBe(2);
    stack.recordWrite();
    expect(await deletions()).toBe(3);
  });

  test("nothing is deleted while the engine writes the state at the end of the run only", async () => {
    const environment = { ...process.env, PULUMI_SKIP_CHECKPOINTS: "True" };
    const replaced = jest.replaceProperty(process, "env", environment);
    const { stack } = stackOf(exportedResource("a", ID));
    await expect(stack.otherHolder("Pipe", ID, KEY)).rejects.toThrow(
      "(PULUMI_SKIP_CHECKPOINTS is set, so the state is not up to date during the run), so it does not know whether another resource uses the same ID. " +
        "Unset PULUMI_SKIP_CHECKPOINTS.",
    );
    replaced.restore();
    expect(await stack.otherHolder("Pipe", ID, KEY)).toBeUndefined();
  });
});

const failing = (message: string, more: object = {}) => Object.assign(new Error(message), more);

test.each<[what: string, error: Error, reason: string, step: string]>([
  [
    "without the CLI",
    failing("spawn pulumi ENOENT", { code: "ENOENT" }),
    "the command pulumi is not on the PATH",
    "Put the pulumi CLI on the PATH",
  ],
  [
    "if the CLI fails",
    failing("Command failed: pulumi", { code: 255, stderr: "error: no stack named 'dev' found\nusage: …" }),
    "no stack named 'dev' found",
    "Check that `pulumi stack export` shows the stack of this run",
  ],
  [
    "if the CLI does not answer in time",
    failing("Command failed: pulumi stack export", { code: null, stderr: "" }),
    "Command failed: pulumi stack export",
    "Check that `pulumi stack export` shows the stack of this run",
  ],
])(
  "%s nothing is deleted, and checks go on without the state, which one line says",
  async (_, error, reason, step) => {
    const run = stackOf();
    run.state = () => Promise.reject(error);
    const unread = `the provider cannot read the state of the stack (${reason})`;
    await expect(run.stack.otherHolder("Pipe", ID, KEY)).rejects.toThrow(
      new Error(
        `Nothing was deleted: ${unread}, so it does not know whether another resource uses the same ID. ${step}.`,
      ),
    );
    expect(await run.stack.managed("Pipe")).toEqual({ resources: undefined, isShared: true });
    expect(await keysOf(run.stack, "Pipe")).toBeUndefined();
    expect(await run.stack.importedInstead(URN, ID)).toBeUndefined();
    expect(run.lines).toEqual([
      `${unread}, so it compares new resources only with the program and with the service. ${step}.`,
    ]);
  },
);

test.each<[what: string, isShared: boolean, names: string[]]>([
  ["one provider instance is not shared", false, ["eu"]],
  ["two provider instances is shared", true, ["eu", "us"]],
])("a stack with %s", async (_, isShared, names) => {
  const instances = ["pulumi-nodejs", "datapipes"].map((form) =>
    names.map((name) => exportedResource(name, name, { type: `pulumi:providers:${form}` })),
  );
  for (const resources of instances)
    expect(await stackOf(...resources).stack.managed("Pipe")).toEqual({ resources: [], isShared });
});

test("the option import of a resource that was replaced names no other ID", async () => {
  const { stack } = stackOf(exportedResource("a", OTHER, { importID: OTHER, delete: true }));
  expect(await stack.importedInstead(URN, ID)).toBeUndefined();
});
