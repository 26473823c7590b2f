import { adopts, type Version } from "./program";
import { belongsTo, refusable, type Action, type Row } from "./rows";
import type { Observation, Snapshot } from "./stack-of-rows";

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

/** The rules that a run broke for a row of a pipe or an endpoint, beside those of all rows. */
export function violationsOfRules(row: Row, run: Observation, version: Version): string[] {
  const evidence = evidenceOf(row, run, version);
  return [wrongDeletes, wrongLeftovers, wrongHolder, unannounced].flatMap((rule) => rule(evidence));
}

function evidenceOf(row: Row, run: Observation, version: Version) {
  const holders = (all: Snapshot) => all.holders.filter(({ name }) => belongsTo(row, name));
  const idsThere = ({ things }: Snapshot): string[] =>
    things.flatMap(({ id, owner }) => (owner === row.name ? [id] : []));
  const held = { before: holders(run.before), after: holders(run.after) };
  const there = { before: idsThere(run.before), after: idsThere(run.after) };
  const heldBefore = [...new Set(held.before.map(({ id }) => id))];
  const own = new Set([...there.before, ...there.after, ...heldBefore]);
  /** Whether the resource of this id has another id now. */
  const isReplaced = (id: string): boolean =>
    held.before.some((old) => old.id === id && held.after.some(({ urn }) => urn === old.urn));
  return {
    row,
    version,
    run,
    held,
    there,
    /** Ids that a DELETE named. */
    deleted: run.requests
      .filter(({ method }) => method === "DELETE")
      .flatMap(({ path }) => [...own].filter((id) => path.endsWith(`/${id}`))),
    /** Ids that left the state in this run, each with the policy that decides whether the pipe is deleted. */
    givenUp: heldBefore
      .filter((id) => !run.after.holders.some((holder) => holder.id === id))
      .map((id) => ({ id, policy: policyOf(row, version, isReplaced(id)) })),
  };
}

type Evidence = ReturnType<typeof evidenceOf>;

/** The policy of the program decides about a replaced resource, the stored one about a removed resource. */
function policyOf({ action, stored, next }: Row, version: Version, isReplaced: boolean): string {
  if (version === 3) return next;
  // With --replace the engine creates the new one without a diff, and carries out `delete[retain]` itself.
  if (action === "replace-flag" && stored === "retain") return stored;
  return isReplaced ? next : stored;
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
  const isAllowed = row.replacement === "allow" && row.next === "retain";
  const isDoubled = there.after.length > there.before.length && !isAllowed;
  return [
    ...left.map(({ id }) => `${id} is there although the policy is "delete"`),
    ...there.after.filter((id) => !known.includes(id)).map((id) => `made ${id}, which no resource holds`),
    ...(isDoubled && !ownDecision.includes(row.action) ? [`${there.after.length} are there`] : []),
  ];
}

/** Whether the resource should have the same id after the action. */
function keepsId({ row, version }: Evidence): boolean {
  const { action } = row;
  // The provider sees these replacements in a diff or, those of --replace, in the state, so that it never adopts the pipe again.
  if (action === "replaced-twice" || action === "replace-flag") return false;
  if (steady.includes(action) || version === 3) return true;
  return !refusable.some((one) => one === action) && adopts(row, version);
}

/** The state has existing objects only, and those that the program declares. */
function wrongHolder(evidence: Evidence): string[] {
  const { row, run, held, there } = evidence;
  const dead = held.after.filter(({ id }) => !there.after.includes(id));
  const violations = dead.map(({ id }) => `the state holds ${id}, which is not there`);
  if (row.action === "removed") return violations;
  const before = held.before[0]?.id;
  const after = held.after[0]?.id;
  if (!keepsId(evidence))
    return before === after ? [...violations, `still holds ${String(after)}`] : violations;
  if (before !== after) violations.push(`holds ${String(after)} instead of ${String(before)}`);
  const ids = [...held.before, ...held.after].map(({ id }) => id);
  const written = run.requests.filter(
    ({ method, path }) => method !== "GET" && ids.some((id) => path.endsWith(id)),
  );
  return [...violations, ...written.map(({ method, path }) => `sent ${method} ${path}`)];
}

const deletes: readonly string[] = ["delete", "delete-replaced", "discard-replaced"];
const creates: readonly string[] = ["create", "create-replacement"];

/** The preview announces every deleted, retained or created object, by a step of the engine or a line with the id, and no other adoption. */
function unannounced(evidence: Evidence): string[] {
  const { row, run, held, there, givenUp } = evidence;
  const { steps, lines } = run.preview;
  const shows = (id: string, stays: boolean): boolean =>
    steps.some((step) => deletes.includes(step.op) && step.id === id && (step.retains ?? stays) === stays);
  const says = (id: string, stays: boolean): boolean =>
    lines.some((line) => line.toLowerCase().includes(id) && (stays || /delet/i.test(line)));
  // With --replace the provider does not know which pipe is replaced. It may keep more pipes than the preview says, never fewer.
  const mayStay = row.action === "replace-flag" && row.stored === "delete" && row.next === "retain";
  const ends = givenUp
    .map(({ id }) => ({ id, stays: there.after.includes(id) }))
    .filter(({ id, stays }) => !shows(id, stays) && !says(id, stays) && !(stays && mayStay));
  const made = held.after
    .filter(({ id }) => !there.before.includes(id) && there.after.includes(id))
    .filter(({ urn }) => !steps.some((step) => creates.includes(step.op) && step.urn === urn));
  const adoptions = lines.filter((line) => line.includes(`"${row.name}" adopts the existing`));
  return [
    ...(keepsId(evidence) ? [] : adoptions),
    ...ends.map(({ id, stays }) => `the preview did not say that ${id} ${stays ? "stays" : "is deleted"}`),
    ...made.map(({ id }) => `the preview did not say that ${id} is made`),
  ];
}
