/** Actions that need no second resource, or that are the user's own command: `replacementPolicy` refuses none of them. */
const neverRefused = [
  "unchanged",
  "renamed-with-alias",
  "moved-with-alias",
  "replace-flag",
  "holder-removed",
  "provider-added",
] as const;

/** Actions that make another resource of the program have the pipe, or create a second one. */
const renaming = ["renamed", "moved", "renamed-with-provider"] as const;

/** Actions that `replacementPolicy` refuses by default. */
export const refusable = ["replaced", "replaced-twice", "replace-on-changes", "defaults-changed"] as const;

/** What the changed program, or the user's command, does to a resource. */
export type Action = (typeof neverRefused | typeof renaming | typeof refusable)[number] | "removed";

type Policy = "retain" | "delete";

interface RowAxes {
  readonly action: Action;
  /** The deletionPolicy in the state. */
  readonly stored: Policy;
  /** The deletionPolicy of the changed program. */
  readonly next: Policy;
  readonly replacement: "refuse" | "allow";
  /**
   * How the resource got its id: it was created; adopted, and the program still declares `adopt`; adopted, and the program
   * no longer declares it; created, and the changed program adopts it.
   */
  readonly origin: "created" | "adopted" | "adopt-removed" | "adopted-later";
}

/** A resource with a service of its own, and the action on it. The names of all objects of the row contain its logical name. */
export interface Row extends RowAxes {
  readonly kind: "Pipe" | "ReversePrivateEndpoint";
  readonly name: string;
}

/** Whether a logical name belongs to the row: to its resource, also after a rename, or to a second resource with its id. */
export const belongsTo = ({ name }: Row, logicalName: string): boolean =>
  ["", ".new", ".second"].some((end) => logicalName === `${name}${end}`);

const policies = { stored: ["retain", "delete"], next: ["retain", "delete"] } as const;
const replacement = ["refuse", "allow"] as const;

/**
 * Rows of pipes that a preview accepts: all combinations but those that differ in `replacement` alone. A second pipe for the same data is
 * created beside a running one only if the policy allows it.
 */
export function pipeRows(): Row[] {
  const always = { ...policies, origin: ["created", "adopted", "adopt-removed"] } as const;
  // After these a program can adopt the former id of the resource.
  const adoptable = ["renamed", "renamed-with-provider", "moved", "replace-flag"] as const;
  return rowsOf("Pipe", [
    { ...always, action: neverRefused, replacement },
    { ...always, action: refusable, replacement: ["allow"] },
    { ...always, action: renaming, replacement: ["allow"] },
    { ...always, action: renaming, origin: ["adopted"], replacement: ["refuse"] },
    { ...always, action: ["removed"], next: ["retain"], replacement },
    { ...policies, origin: ["adopted-later"], action: adoptable, replacement },
  ]);
}

/** Rows of reverse private endpoints that a preview accepts. Every change replaces one, so replaceOnChanges adds nothing. */
export function endpointRows(): Row[] {
  const created = { ...policies, origin: ["created"] } as const;
  const replaced = ["replaced", "replaced-twice", "defaults-changed"] as const;
  return rowsOf("ReversePrivateEndpoint", [
    { ...created, action: [...neverRefused, ...renaming], replacement },
    { ...created, action: replaced, replacement: ["allow"] },
    { ...created, action: ["removed"], next: ["retain"], replacement: ["refuse"] },
  ]);
}

function rowsOf(kind: Row["kind"], axes: readonly Axes<RowAxes>[]): Row[] {
  return axes.flatMap((some) =>
    product(some).map((row) => ({
      ...row,
      kind,
      name: `${kind}.${row.action}.${row.stored}-${row.next}.${row.replacement}.${row.origin}`,
    })),
  );
}

type Axes<T> = { readonly [K in keyof T]: readonly T[K][] };

function product<T extends object>(axes: Axes<T>): T[] {
  const names = Object.keys(axes) as (keyof T)[];
  return names.reduce<Partial<T>[]>(
    (rows, name) => rows.flatMap((row) => axes[name].map((value) => ({ ...row, [name]: value }))),
    [{}],
  ) as T[];
}
