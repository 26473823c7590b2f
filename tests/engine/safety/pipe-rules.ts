import { belongsTo, nameIn, type Holder, type Observation, type Snapshot, type Step } from "./observation";
import { adopts, type Version } from "./program";
import type { Action, PipeRow } from "./rows";

/** Actions that create a second resource because the user asks for it, or as the preview shows. */
const ownDecision: readonly Action[] = ["replace-flag", "renamed", "renamed-with-provider", "moved"];

/** Actions that change nothing of the resource. */
const steady: readonly Action[] = [
  "unchanged",
  "renamed-with-alias",
  "moved-with-alias",
  "holder-removed",
  // The engine replaces only if the provider itself asks for it, and the stock plugin process of Pulumi does not.
  "provider-added",
];

/** Actions whose replacement the provider sees in a diff, so that it does not adopt the pipe again. */
const replacedByDiff: readonly Action[] = [
  "replaced",
  "replaced-twice",
  "replace-on-changes",
  "defaults-changed",
];

/** The effect of one run on one row. */
interface Evidence {
  readonly row: PipeRow;
  readonly version: Version;
  readonly run: Observation;
  readonly held: { readonly before: readonly Holder[]; readonly after: readonly Holder[] };
  /** The ids of the existing objects. */
  readonly there: { readonly before: readonly string[]; readonly after: readonly string[] };
  /** Ids that a DELETE named. */
  readonly deleted: readonly string[];
  /** Ids that left the state in this run, each with the policy that decides whether the pipe is deleted. */
  readonly givenUp: readonly { readonly id: string; readonly policy: string }[];
}

/** The rules that a run broke for a row of a pipe or an endpoint. */
export function violationsOfPipe(row: PipeRow, run: Observation, version: Version): string[] {
  const evidence = evidenceOf(row, run, version);
  return [
    ...errors(evidence),
    ...wrongDeletes(evidence),
    ...wrongLeftovers(evidence),
    ...wrongHolder(evidence),
    ...unannounced(evidence),
    ...nextSteps(evidence),
  ];
}

function evidenceOf(row: PipeRow, run: Observation, version: Version): Evidence {
  const holders = ({ holders: all }: Snapshot) => all.filter(({ name }) => belongsTo(row, name));
  const things = ({ things: all }: Snapshot) =>
    all.filter(({ owner }) => owner === row.name).map(({ id }) => id);
  const [held, there] = [
    { before: holders(run.before), after: holders(run.after) },
    { before: things(run.before), after: things(run.after) },
  ];
  const own = new Set([...there.before, ...there.after, ...held.before.map(({ id }) => id)]);
  return {
    row,
    version,
    run,
    held,
    there,
    deleted: run.requests
      .filter(({ method }) => method === "DELETE")
      .map(({ path }) => path.split("/").at(-1) ?? "")
      .filter((id) => own.has(id)),
    givenUp: [...new Set(held.before.map(({ id }) => id))]
      .filter((id) => !run.after.holders.some((holder) => holder.id === id))
      .map((id) => ({ id, policy: policyOf(row, version, isReplacement(held, id)) })),
  };
}

/** Whether the resource of this URN has another id now. */
const isReplacement = ({ before, after }: Evidence["held"], id: string): boolean =>
  before.some((old) => old.id === id && after.some(({ urn }) => urn === old.urn));

/** The policy of the program decides about a replaced resource, the stored one about a removed resource. */
function policyOf({ action, stored, next }: PipeRow, version: Version, replaced: boolean): string {
  if (version === 3) return next;
  // With --replace the engine creates the new one without a diff, and carries out `delete[retain]` itself.
  if (action === "replace-flag" && stored === "retain") return stored;
  return replaced ? next : stored;
}

function errors({ row, run }: Evidence): string[] {
  return [...run.errors].filter(([name]) => belongsTo(row, name)).map(([, error]) => `failed: ${error}`);
}

/** A run never deletes an id that a resource has, or that another resource had. */
function wrongDeletes({ run, there, deleted, givenUp }: Evidence): string[] {
  const gone = there.before.filter((id) => !there.after.includes(id));
  return [...new Set([...deleted, ...gone])].flatMap((id) => {
    if (run.after.holders.some((holder) => holder.id === id)) return [`deleted ${id}, which the state holds`];
    const given = givenUp.find((candidate) => candidate.id === id);
    if (given === undefined) return [`deleted ${id}, which no resource of the row held`];
    return given.policy === "retain" ? [`deleted ${id} although the policy is "retain"`] : [];
  });
}

/** A removed resource stays or is deleted by its policy; a second one exists only where the program allows it. */
function wrongLeftovers({ row, held, there, givenUp }: Evidence): string[] {
  const left = givenUp.filter(({ id, policy }) => policy === "delete" && there.after.includes(id));
  const known = [...there.before, ...held.after.map(({ id }) => id)];
  const orphans = there.after.filter((id) => !known.includes(id));
  const allowed = row.replacement === "allow" && row.next === "retain";
  const doubled = there.after.length > there.before.length && !allowed;
  return [
    ...left.map(({ id }) => `${id} is there although the policy is "delete"`),
    ...orphans.map((id) => `made ${id}, which no resource holds`),
    ...(doubled && !ownDecision.includes(row.action) ? [`${there.after.length} are there`] : []),
  ];
}

/** Whether the resource should have the same id after the action. */
function expectedId({ row, version }: Evidence): "same" | "another" {
  const { action } = row;
  if (steady.includes(action) || (version === 3 && action !== "replaced-twice")) return "same";
  if (replacedByDiff.includes(action)) return "another";
  return adopts(row, version) ? "same" : "another";
}

/** The state has existing objects only, and those that the program declares. */
function wrongHolder(evidence: Evidence): string[] {
  const { row, run, held, there } = evidence;
  const dead = held.after.filter(({ id }) => !there.after.includes(id));
  const violations = dead.map(({ id }) => `the state holds ${id}, which is not there`);
  const expected = row.action === "removed" ? 0 : 1;
  if (held.after.length !== expected)
    violations.push(`the state has ${held.after.length} resources of the row`);
  const [before, after] = [held.before[0]?.id, held.after[0]?.id];
  const wanted = expectedId(evidence);
  if (expected === 0) return violations;
  if (wanted === "another")
    return before === after ? [...violations, `still holds ${String(after)}`] : violations;
  if (before !== after) violations.push(`holds ${String(after)} instead of ${String(before)}`);
  return [...violations, ...writesTo(held, run).map((write) => `sent ${write}`)];
}

function writesTo({ before, after }: Evidence["held"], { requests }: Observation): string[] {
  const ids = [...before, ...after].map(({ id }) => id);
  return requests
    .filter(({ method, path }) => method !== "GET" && ids.some((id) => path.endsWith(id)))
    .map(({ method, path }) => `${method} ${path.split("/").at(-1) ?? ""}`);
}

const deletes: readonly string[] = ["delete", "delete-replaced", "discard-replaced"];
const creates: readonly string[] = ["create", "create-replacement"];

/** The preview announces every deleted, retained or created object: by a step of the engine, or by a line with the id. */
function unannounced({ row, run, held, there, givenUp }: Evidence): string[] {
  const { steps, lines } = run.preview;
  const shows = (id: string, retains: boolean): boolean =>
    steps.some(
      (step) => deletes.includes(step.op) && step.id === id && (step.retains ?? retains) === retains,
    );
  const says = (id: string, stays: boolean): boolean =>
    lines.some((line) => line.toLowerCase().includes(id) && (stays || /delet/i.test(line)));
  const ends = givenUp.map(({ id }) => ({ id, stays: there.after.includes(id) }));
  // With --replace the provider does not know which pipe is replaced. It may keep more pipes than the preview says, never fewer.
  const keepsMore = (stays: boolean): boolean =>
    stays && row.action === "replace-flag" && row.stored === "delete" && row.next === "retain";
  const made = held.after.filter(({ id }) => !there.before.includes(id) && there.after.includes(id));
  return [
    ...ends
      .filter(({ id, stays }) => !shows(id, stays) && !says(id, stays) && !keepsMore(stays))
      .map(
        ({ id, stays }) => `the preview did not say that ${id} ${stays ? "is left running" : "is deleted"}`,
      ),
    ...made
      .filter(({ urn }) => !steps.some((step) => creates.includes(step.op) && step.urn === urn))
      .map(({ id }) => `the preview did not say that ${id} is made`),
  ];
}

/** The preview after a run shows no change. */
function nextSteps({ row, run }: Evidence): string[] {
  return remainingSteps(run.next.steps, (name) => belongsTo(row, name));
}

/** The steps that a preview shows for resources of these names. */
export const remainingSteps = (steps: readonly Step[], isOwn: (name: string) => boolean): string[] =>
  steps
    .filter(({ urn }) => urn.includes("datapipes:") && isOwn(nameIn(urn)))
    .filter(({ op }) => !["same", "refresh", "read"].includes(op))
    .map(({ op }) => `the next preview shows ${op}`);
