import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import { RewritingService, type AccessEntry } from "../../../testkit/rewriting-service";
import { runAgainst, up } from "./online";

const clock = { now: () => 0, sleep: () => Promise.resolve() };
const theirs: AccessEntry = { source: "203.0.113.9/32", description: "vpn" };

/** Spells an address with the length of its prefix, and takes space off a description. */
const cidr = ({ source, description }: AccessEntry): AccessEntry => ({
  source: source.includes("/") ? source : `${source}/${source.includes(":") ? "128" : "32"}`,
  description: description?.trim() ?? "",
});

/** Writes another word for a word, and adds to a description. */
const reworded = ({ source, description }: AccessEntry): AccessEntry => ({
  ...cidr({ source: source === "any" ? "0.0.0.0/0" : source }),
  description: `${description ?? ""} (API)`,
});

async function against(changes: Partial<RewritingService>) {
  const service = await RewritingService.start(changes);
  const run = runAgainst(serviceSettingsDefinition, service, clock);
  return Object.assign(run, { service });
}

const sourcesOf = ({ service }: { service: RewritingService }): string[] =>
  service.ipAccessList.map(({ source }) => source);

const warnings = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith("warning"));

const office = { source: "10.0.0.1", description: " office " };
const others = { source: "2001:DB8::0:1" };

describe("an entry that the service spells in another way", () => {
  test("counts as declared: exclusive keeps it, no output or warning names it, and no request repeats it", async () => {
    const run = await against({ spell: cidr, ipAccessList: [theirs] });
    const args = { ipAccessList: [office, others], exclusive: true };
    const before = await up(run, args);
    expect(run.service.ipAccessList).toEqual([
      { source: "10.0.0.1/32", description: "office" },
      { source: "2001:DB8::0:1/128", description: "" },
    ]);
    expect(run.service.takeBodies()).toEqual([
      { ipAccessList: { add: [office, others] } },
      { ipAccessList: { remove: [theirs] } },
    ]);
    expect(before.outputs).toMatchObject({ ipAccessList: [office, others], unmanagedIpAccessList: [] });
    expect(run.lines).toEqual([]);

    const respelled = [{ source: "10.0.0.1/32", description: "office" }, { source: "2001:db8:0:0::1" }];
    expect(await up(run, { ...args, ipAccessList: respelled }, before)).toEqual(before);
    await up(run, { ...args, name: "Shop" }, before);
    expect(run.service.takeBodies()).toEqual([{ name: "Shop" }]);
    expect([sourcesOf(run), run.lines]).toEqual([["10.0.0.1/32", "2001:DB8::0:1/128"], []]);
  });

  test("is removed also where the service has changed its spelling since the last answer", async () => {
    const run = await against({});
    const { id, outputs } = await up(run, {
      ipAccessList: [{ source: "10.0.0.1" }],
      deletionPolicy: "delete",
    });
    run.service.ipAccessList = [{ source: "10.0.0.1/32" }];
    run.nextRun();
    await run.lifecycle.delete(id, outputs);
    expect([sourcesOf(run), run.lines]).toEqual([[], []]);
  });

  test("causes a warning when the service still lists it after its removal", async () => {
    const run = await against({ spell: cidr, kept: "10.0.0.1/32" });
    const before = await up(run, { ipAccessList: [office] });
    run.lines.length = 0;
    await up(run, { ipAccessList: [] }, before);
    expect(warnings(run.lines)[0]).toBe(
      `warning: service ${before.id}: the request to remove "10.0.0.1/32" from ipAccessList succeeded, but the response still lists ` +
        `it. Remove it in the service's console.`,
    );
  });
});

describe("an entry that first appears in the answer to its addition", () => {
  test("is recognized by the list before the addition, where the program gives a description", async () => {
    const run = await against({ spell: reworded, ipAccessList: [theirs] });
    await up(run, { ipAccessList: [{ source: "any" }], exclusive: true });
    expect(run.service.takeBodies()[0]).toEqual({});
    expect(sourcesOf(run)).toEqual(["0.0.0.0/0"]);
  });

  test("stays where it cannot be recognized, and a warning says so", async () => {
    const run = await against({ spell: reworded, ipAccessList: [theirs] });
    const before = await up(run, { ipAccessList: [{ source: "any" }] });
    const { outputs } = await up(run, { ipAccessList: [{ source: "any" }], exclusive: true }, before);
    expect(sourcesOf(run)).toEqual(["203.0.113.9/32", "0.0.0.0/0"]);
    expect(outputs["unmanagedIpAccessList"]).toEqual([]);
    expect(warnings(run.lines).at(-1)).toBe(
      `warning: service ${before.id}: ipAccessList does not list "any", but lists "203.0.113.9/32", "0.0.0.0/0", which may be the ` +
        `same in another spelling. The provider did not change it. Declare the entry in the spelling of the service.`,
    );
  });
});
