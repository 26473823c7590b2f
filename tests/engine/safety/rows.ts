import { pairwise, product, type Axes } from "../../../testkit/pairwise";
import { tier } from "../../../testkit/tier";

/** Actions that need no second resource, or that are the user's own command: `replacementPolicy` refuses none of them. */
const neverRefused = [
  "unchanged",
  "renamed-with-alias",
  "moved-with-alias",
  "renamed",
  "moved",
  "replace-flag",
  "holder-removed",
  "provider-added",
  "renamed-with-provider",
] as const;

/** Actions that `replacementPolicy` refuses by default. */
export const refusable = ["replaced", "replaced-twice", "replace-on-changes", "defaults-changed"] as const;

/** What the changed program, or the user's command, does to a resource. */
export type Action = (typeof neverRefused | typeof refusable)[number] | "removed";

type Policy = "retain" | "delete";

interface PolicyAxes {
  readonly action: Action;
  /** The deletionPolicy in the state. */
  readonly stored: Policy;
  /** The deletionPolicy of the changed program. */
  readonly next: Policy;
}

interface PipeAxes extends PolicyAxes {
  readonly replacement: "refuse" | "allow";
  /**
   * How the resource got its id: it was created; adopted, and the program still declares `adopt`; adopted, and the program
   * no longer declares it; created, and the changed program adopts it.
   */
  readonly origin: "created" | "adopted" | "adopt-removed" | "adopted-later";
}

interface SettingsAxes extends PolicyAxes {
  readonly exclusive: boolean;
  /** Whether the changed program declares other entries. */
  readonly entries: "same" | "changed";
}

/** A resource with a service of its own, and the action on it. The names of all objects of the row contain its logical name. */
type RowOf<Kind, Combination> = Combination & { readonly kind: Kind; readonly name: string };

export type PipeRow = RowOf<"Pipe" | "ReversePrivateEndpoint", PipeAxes>;
export type SettingsRow = RowOf<"ServiceSettings", SettingsAxes>;
export type Row = PipeRow | SettingsRow;

const policies = { stored: ["retain", "delete"], next: ["retain", "delete"] } as const;
const replacement = ["refuse", "allow"] as const;

/** Rows of pipes that a preview accepts: all combinations but those that differ in `replacement` alone. */
export function pipeRows(): PipeRow[] {
  const always = { ...policies, origin: ["created", "adopted", "adopt-removed"] } as const;
  // After these a program can adopt the former id of the resource.
  const adoptable = ["renamed", "renamed-with-provider", "moved", "replace-flag"] as const;
  return rowsOf("Pipe", POLICIES, [
    { ...always, action: neverRefused, replacement },
    { ...always, action: refusable, replacement: ["allow"] },
    { ...always, action: ["removed"], next: ["retain"], replacement },
    { ...policies, origin: ["adopted-later"], action: adoptable, replacement },
  ]);
}

/** Rows of reverse private endpoints that a preview accepts. Every change replaces one, so replaceOnChanges adds nothing. */
export function endpointRows(): PipeRow[] {
  const created = { ...policies, origin: ["created"] } as const;
  const replaced = ["replaced", "replaced-twice", "defaults-changed"] as const;
  return rowsOf("ReversePrivateEndpoint", undefined, [
    { ...created, action: neverRefused, replacement },
    { ...created, action: replaced, replacement: ["allow"] },
    { ...created, action: ["removed"], next: ["retain"], replacement: ["refuse"] },
  ]);
}

/** Rows of the settings of services. A program has one resource for each service, so no id is used twice. */
export function settingsRows(): SettingsRow[] {
  const common = { ...policies, exclusive: [true, false], entries: ["same", "changed"] } as const;
  const actions = neverRefused.filter((action) => action !== "holder-removed");
  const axes: Axes<SettingsAxes>[] = [
    { ...common, action: [...actions, "replace-on-changes", "replaced"] },
    { ...common, action: ["removed"], next: ["retain"], entries: ["same"] },
    // Configuration names one service, and that has one resource.
    {
      action: ["defaults-changed"],
      stored: ["delete"],
      next: ["delete"],
      exclusive: [false],
      entries: ["same"],
    },
  ];
  return reduced(axes, POLICIES).map((one) => ({
    ...one,
    kind: "ServiceSettings",
    name: `ServiceSettings.${one.action}.${one.stored}-${one.next}.${one.exclusive ? "exclusive" : "shared"}.${one.entries}`,
  }));
}

/** Which policy decides depends on the action. */
const POLICIES = ["action", "stored", "next"] as const;

/** Few rows that have all pairs of values, and all values of `together`; in the tier `all` all rows. */
function reduced<T extends object>(axes: readonly Axes<T>[], together?: readonly (keyof T)[]): readonly T[] {
  const all = axes.flatMap((some) => product(some));
  return tier === "all" ? all : pairwise(all, together);
}

const rowsOf = (
  kind: PipeRow["kind"],
  together: typeof POLICIES | undefined,
  axes: readonly Axes<PipeAxes>[],
): PipeRow[] =>
  reduced(axes, together).map((one) => ({
    ...one,
    kind,
    name: `${kind}.${one.action}.${one.stored}-${one.next}.${one.replacement}.${one.origin}`,
  }));
