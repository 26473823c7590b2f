import { Stack, storedResources } from "../../../provider/src/lifecycle/stack";
import { exportedResource, exportOf } from "../../kit/deployment";

const ID = "0a1b2c3d-0000-4000-8000-00000000aaaa";
const OTHER = "0a1b2c3d-0000-4000-8000-00000000bbbb";
const STARTED = Date.parse("2026-01-31T12:00:00Z");
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
    startedAt: STARTED,
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

describe("the state", () => {
  test("has this package's resources in both forms, with keys that begin with parents' types", () => {
    const text = exportOf(
      [
        exportedResource("shop-dev", "", { type: "pulumi:pulumi:Stack" }),
        exportedResource("a", "1", {
          inputs: { name: "orders" },
          outputs: { state: "Running" },
          retainOnDelete: true,
        }),
        exportedResource("a::b", "2", { form: "native", parents: ["my:index:Team"] }),
        exportedResource("read", "3", { external: true }),
        exportedResource("replaced", "4", { delete: true }),
        exportedResource("s", "5", {
          type: "ServiceSettings",
          importID: "5",
          created: "2026-01-31T12:00:00Z",
        }),
      ],
      [creating("new", ID)],
    );
    const [, ofProgram, ofTeam, replaced, settings, pending] = storedResources(text);
    const plain = { type: "Pipe", inputs: {}, outputs: {}, status: "managed", retains: false };
    const values = { inputs: { name: "orders" }, outputs: { state: "Running" } };
    expect(ofProgram).toMatchObject({ ...plain, ...values, id: "1", key: "Pipe::a", retains: true });
    expect(ofTeam).toMatchObject({ ...plain, id: "2", key: "my:index:Team$Pipe::a::b" });
    expect(replaced).toMatchObject({ ...plain, id: "4", status: "replaced" });
    expect(settings).toMatchObject({ type: "ServiceSettings", importId: "5", createdAt: STARTED });
    expect(pending).toMatchObject({ ...plain, id: "", inputs: { adopt: ID }, status: "creating" });
    expect(storedResources(text)).toHaveLength(6);
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
    expect((await stack.stored("Pipe")).map(({ key }) => key)).toEqual([KEY]);
    expect((await stack.stored("ServiceSettings")).map(({ key }) => key)).toEqual(["ServiceSettings::s"]);
    expect(reads).toEqual(["org/shop/dev"]);
  });
});

describe("a claim", () => {
  test("returns the key of another resource of the program with the ID, in any spelling", () => {
    const { stack } = stackOf();
    expect(stack.claim("Pipe", ID, KEY)).toBeUndefined();
    expect(stack.claim("Pipe", ID.toUpperCase(), "Pipe::b")).toBe(KEY);
    expect(stack.claim("Pipe", ID, KEY)).toBeUndefined();
    expect(stack.claim("ReversePrivateEndpoint", ID, "ReversePrivateEndpoint::b")).toBeUndefined();
  });

  test("ends when its own resource is replaced, and not with another one", () => {
    const { stack } = stackOf();
    stack.claim("Pipe", ID, KEY);
    stack.replaced("Pipe", ID, "Pipe::b", false);
    expect(stack.claim("Pipe", ID, "Pipe::b")).toBe(KEY);
    stack.replaced("Pipe", ID.toUpperCase(), KEY, false);
    expect(stack.claim("Pipe", ID, "Pipe::b")).toBeUndefined();
  });

  test("is refused of what a replacement deletes", () => {
    const { stack } = stackOf();
    stack.replaced("Pipe", ID, KEY, true);
    expect(stack.claim("Pipe", ID.toUpperCase(), "Pipe::b")).toBe(KEY);
  });
});

describe("before a deletion", () => {
  test("the ID of a claim or a create of this run belongs to its resource, without the state", async () => {
    const { stack, reads } = stackOf();
    stack.claim("Pipe", ID, "Pipe::claims");
    stack.made("Pipe", OTHER.toUpperCase(), "Pipe::made");
    expect(await stack.holderBeside("Pipe", ID.toUpperCase(), KEY)).toBe("Pipe::claims");
    expect(await stack.holderBeside("Pipe", OTHER, KEY)).toBe("Pipe::made");
    expect(stack.isMade("Pipe", OTHER)).toBe(true);
    expect(stack.isMade("Pipe", ID)).toBe(false);
    expect(reads).toEqual([]);
  });

  const formerKey = { outputs: { __privateState: { key: KEY } } };

  test.each<[what: string, holder: string | undefined, ...resources: Exported[]]>([
    ["no resource", undefined],
    ["the deleted resource", undefined, exportedResource("a", ID)],
    ["the deleted resource under another name, by an alias", undefined, exportedResource("b", ID, formerKey)],
    ["another resource", "Pipe::b", exportedResource("a", ID), exportedResource("b", ID.toUpperCase())],
    ["a resource of the other form", "Pipe::b", exportedResource("b", ID, { form: "native" })],
    ["a resource of another parent", "x:y:Z$Pipe::a", exportedResource("a", ID, { parents: ["x:y:Z"] })],
    ["a resource that the program only reads", undefined, exportedResource("b", ID, { external: true })],
    ["a resource that is replaced already", undefined, exportedResource("b", ID, { delete: true })],
    ["a resource of another type", undefined, exportedResource("b", ID, { type: "ReversePrivateEndpoint" })],
    ["a resource with another ID", undefined, exportedResource("b", OTHER)],
    ["the replacement", KEY, exportedResource("a", ID), exportedResource("a", ID, { delete: true })],
  ])("the ID may be that of %s in the state", async (_, holder, ...resources) => {
    const { stack } = stackOf(...resources);
    expect(await stack.holderBeside("Pipe", ID, KEY)).toBe(holder);
    expect((await stack.storedBeside("Pipe", ID, KEY))?.key).toBe(holder);
  });

  test("an adoption under way keeps the ID, unless it is that of the deleted resource", async () => {
    const found = stackOf();
    found.state = () => Promise.resolve(exportOf([exportedResource("a", ID)], [creating("b", ID)]));
    expect(await found.stack.holderBeside("Pipe", ID, KEY)).toBe("Pipe::b");
    found.stack.made("Pipe", "other", "Pipe::c");
    found.state = () => Promise.resolve(exportOf([exportedResource("a", ID)], [creating("a", ID)]));
    expect(await found.stack.holderBeside("Pipe", ID, KEY)).toBeUndefined();
  });

  test("the state is read anew once, and again after the next create or adoption", async () => {
    const { stack, reads } = stackOf();
    await stack.stored("Pipe");
    const deletions = async (): Promise<number> => {
      await Promise.all([ID, OTHER].map((id) => stack.holderBeside("Pipe", id, KEY)));
      await stack.holderBeside("Pipe", ID, KEY);
      await stack.importedInstead(URN, ID);
      return reads.length;
    };
    expect(await deletions()).toBe(2);
    stack.made("Pipe", "new", "Pipe::new");
    expect(await deletions()).toBe(3);
  });

  test("nothing is deleted while the engine writes the state at the end of the run only", async () => {
    const environment = { ...process.env, PULUMI_SKIP_CHECKPOINTS: "True" };
    const replaced = jest.replaceProperty(process, "env", environment);
    const { stack } = stackOf(exportedResource("a", ID));
    await expect(stack.holderBeside("Pipe", ID, KEY)).rejects.toThrow(
      "(PULUMI_SKIP_CHECKPOINTS is set, so the state is not up to date during the run), so it does not know whether another resource uses the same ID. " +
        "Unset PULUMI_SKIP_CHECKPOINTS.",
    );
    replaced.restore();
    expect(await stack.holderBeside("Pipe", ID, KEY)).toBeUndefined();
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
    "Check that `pulumi stack export` works",
  ],
  [
    "if the CLI does not answer in time",
    failing("Command failed: pulumi stack export", { code: null, stderr: "" }),
    "Command failed: pulumi stack export",
    "Check that `pulumi stack export` works",
  ],
])(
  "%s nothing is deleted, and checks go on without the state, which one line says",
  async (_, error, reason, step) => {
    const run = stackOf();
    run.state = () => Promise.reject(error);
    const unread = `the provider cannot read the state of the stack (${reason})`;
    await expect(run.stack.holderBeside("Pipe", ID, KEY)).rejects.toThrow(
      new Error(
        `Nothing was deleted: ${unread}, so it does not know whether another resource uses the same ID. ${step}.`,
      ),
    );
    expect(await run.stack.stored("Pipe")).toEqual([]);
    expect(await run.stack.adopterElsewhere("Pipe", ID, KEY)).toBeUndefined();
    expect(await run.stack.importedInstead(URN, ID)).toBeUndefined();
    expect(run.lines).toEqual([
      `${unread}, so it compares new resources only with the program and with the service. ${step}.`,
    ]);
  },
);

describe("of an adoption", () => {
  const adopted = (created: string) => exportedResource("b", ID, { created });
  const providers = ["eu", "us"].map((name) =>
    exportedResource(name, name, { type: "pulumi:providers:pulumi-nodejs" }),
  );

  test.each<
    [what: string, other: string | undefined, resources: Exported[], pending: Omit<Exported, "id">[]]
  >([
    ["another resource that adopts the ID now", "Pipe::b", [], [creating("b", ID.toUpperCase())]],
    ["another resource that adopts another ID", undefined, [], [creating("b", OTHER)]],
    ["itself", undefined, [], [creating("a", ID)]],
    ["another resource that has adopted it in this run", "Pipe::b", [adopted("2026-01-31T12:00:01Z")], []],
    ["another resource that had it before this run", undefined, [adopted("2026-01-31T11:59:59Z")], []],
    ["another resource without a time", undefined, [exportedResource("b", ID)], []],
  ])("the state shows %s", async (_, other, resources, pending) => {
    const run = stackOf();
    run.state = () => Promise.resolve(exportOf(resources, pending));
    expect(await run.stack.adopterElsewhere("Pipe", ID, KEY)).toBe(other);
  });

  test.each<[what: string, others: Exported[], reads: number]>([
    ["read for each adoption while there are two provider instances", providers, 3],
    ["read once for all adoptions of the only provider instance", providers.slice(1), 1],
  ])("the state is %s", async (_, instances, count) => {
    const { stack, reads } = stackOf(...instances);
    for (const id of ["1", "2", "3"]) await stack.adopterElsewhere("Pipe", id, KEY);
    expect(reads).toHaveLength(count);
  });
});

test.each<[what: string, imported: string | undefined, ...resources: Exported[]]>([
  ["names another ID than the deleted one", OTHER, exportedResource("a", OTHER, { importID: OTHER })],
  ["names the deleted ID", undefined, exportedResource("a", ID, { importID: ID.toUpperCase() })],
  ["is not set", undefined, exportedResource("a", OTHER)],
  ["is that of another resource", undefined, exportedResource("b", OTHER, { importID: OTHER })],
  ["was that of the deleted one", undefined, exportedResource("a", OTHER, { importID: OTHER, delete: true })],
])("the option import of a resource %s", async (_, imported, ...resources) => {
  const { stack } = stackOf(...resources);
  expect(await stack.importedInstead(URN, ID)).toBe(imported);
});
