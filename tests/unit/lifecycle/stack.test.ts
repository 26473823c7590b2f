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
    isLost: () => false,
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
  const values = { inputs: { name: "orders" }, outputs: { state: "Running" } };

  test.each<[what: string, exported: Exported, stored: object]>([
    [
      "a dynamic resource",
      exportedResource("a", "1", values),
      { id: "1", type: "Pipe", key: "Pipe::a", status: "managed", ...values },
    ],
    [
      "a native resource of a parent, whose type its key begins with",
      exportedResource("a::b", "2", { form: "native", parents: ["my:index:Team"] }),
      { id: "2", type: "Pipe", key: "my:index:Team$Pipe::a::b", inputs: {}, outputs: {} },
    ],
    [
      "a resource whose replacement failed after its deletion",
      exportedResource("a", "1", { pendingReplacement: true }),
      { status: "managed", pendingReplacement: true },
    ],
    ["a replaced resource", exportedResource("a", "1", { delete: true }), { status: "replaced" }],
    [
      "an imported resource",
      exportedResource("s", "5", { type: "ServiceSettings", importID: "5" }),
      { type: "ServiceSettings", importID: "5" },
    ],
  ])("has %s", (_, exported, stored) => {
    expect(storedResources(exportOf([exported]))).toMatchObject([stored]);
  });

  test("has a resource whose create has not ended, and none that the program only reads", () => {
    const text = exportOf([exportedResource("read", "3", { external: true })], [creating("new", ID)]);
    expect(storedResources(text)).toMatchObject([
      { id: "", type: "Pipe", inputs: { adopt: ID }, outputs: {}, status: "creating" },
    ]);
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
  afterEach(() => jest.restoreAllMocks());

  const DELETED = exportedResource("a", ID);
  const formerKey = { outputs: { __privateState: { key: KEY } } };

  test.each<[what: string, other: Exported, holder: string]>([
    ["a resource of the other form", exportedResource("b", ID, { form: "native" }), "Pipe::b"],
    ["a resource of another parent", exportedResource("a", ID, { parents: ["x:y:Z"] }), "x:y:Z$Pipe::a"],
    ["the replacement", exportedResource("a", ID, { delete: true }), KEY],
  ])("%s keeps the ID", async (_, other, holder) => {
    const { stack } = stackOf(DELETED, other);
    expect((await stack.otherHolder("Pipe", ID, KEY))?.key).toBe(holder);
  });

  test.each<[what: string, ...resources: Exported[]]>([
    ["the deleted resource", DELETED],
    ["the deleted resource under another name, by an alias,", exportedResource("b", ID, formerKey)],
    ["a resource that the program only reads", DELETED, exportedResource("b", ID, { external: true })],
    ["a resource that is replaced already", DELETED, exportedResource("b", ID, { delete: true })],
    ["a resource of another type", DELETED, exportedResource("b", ID, { type: "ReversePrivateEndpoint" })],
    ["a resource with another ID", DELETED, exportedResource("b", OTHER)],
  ])("%s does not keep the ID", async (_, ...resources) => {
    const { stack } = stackOf(...resources);
    expect(await stack.otherHolder("Pipe", ID, KEY)).toBeUndefined();
  });

  test("an adoption under way keeps the ID, unless it is that of the deleted resource", async () => {
    const found = stackOf();
    found.state = () => Promise.resolve(exportOf([DELETED], [creating("b", ID)]));
    expect((await found.stack.otherHolder("Pipe", ID, KEY))?.key).toBe("Pipe::b");
    found.stack.recordWrite();
    found.state = () => Promise.resolve(exportOf([DELETED], [creating("a", ID)]));
    expect(await found.stack.otherHolder("Pipe", ID, KEY)).toBeUndefined();
  });

  test("a state without the deleted resource is no reading: nothing is deleted", async () => {
    const { stack } = stackOf(exportedResource("a", OTHER));
    await expect(stack.otherHolder("Pipe", ID, KEY)).rejects.toThrow(
      "Nothing was deleted: the provider cannot read the state of the stack (it does not have the resource that is to be deleted)",
    );
  });

  const instance = (name: string, ...parents: readonly string[]) =>
    exportedResource(name, name, { type: "pulumi:providers:pulumi-nodejs", parents });

  test.each([
    ["two provider instances", instance("us")],
    ["a second provider instance in a component", instance("us", "my:index:Team")],
  ])("the state is read for each deletion while there is %s", async (_, other) => {
    const { stack, reads } = stackOf(DELETED, instance("eu"), other);
    for (let deletions = 0; deletions < 3; deletions += 1) await stack.otherHolder("Pipe", ID, KEY);
    expect(reads).toHaveLength(3);
  });

  test("the state is read anew once, and again after the next create or adoption", async () => {
    const { stack, reads } = stackOf(DELETED, exportedResource("b", OTHER), instance("eu"));
    await stack.managed("Pipe");
    await Promise.all([ID, OTHER].map((id) => stack.otherHolder("Pipe", id, KEY)));
    await stack.importedInstead(URN, ID);
    expect(reads).toHaveLength(2);
    stack.recordWrite();
    await Promise.all([ID, OTHER].map((id) => stack.otherHolder("Pipe", id, KEY)));
    await stack.importedInstead(URN, ID);
    expect(reads).toHaveLength(3);
  });
});

const failing = (message: string, more: object = {}) => Object.assign(new Error(message), more);

test.each<[what: string, error: Error, reason: string]>([
  [
    "fails",
    failing("Command failed: pulumi", { code: 255, stderr: "error: no stack named 'dev' found\nusage: …" }),
    "no stack named 'dev' found",
  ],
  [
    "does not answer in time",
    failing("Command failed: pulumi stack export", { code: null, stderr: "" }),
    "Command failed: pulumi stack export",
  ],
])("if the CLI %s, deletions fail, and one line says that checks go on", async (_, error, reason) => {
  const run = stackOf();
  run.state = () => Promise.reject(error);
  const unread = `the provider cannot read the state of the stack (${reason})`;
  const step = "Check that `pulumi stack export` shows the stack of this run";
  await expect(run.stack.otherHolder("Pipe", ID, KEY)).rejects.toThrow(
    new Error(
      `Nothing was deleted: ${unread}, so it does not know whether another resource uses the same ID. ${step}.`,
    ),
  );
  expect(await run.stack.importedInstead(URN, ID)).toBeUndefined();
  for (const type of ["Pipe", "ServiceSettings"])
    expect(await run.stack.managed(type)).toEqual({ resources: undefined, isShared: true });
  expect(run.lines).toEqual([
    `${unread}, so it compares new resources only with the program and with the service. ${step}.`,
  ]);
});

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
