import { pairwise, product, type Axes } from "../../../testkit/pairwise";
import { tier } from "../../../testkit/tier";

/** What the changed program, or the user's command, does to a resource. */
export type Action =
  | "unchanged"
  | "renamed-with-alias"
  | "moved-with-alias"
  | "renamed"
  | "moved"
  | "replace-flag"
  | "replace-on-changes"
  | "replaced"
  | "replaced-twice"
  | "removed"
  | "holder-removed"
  | "provider-added"
  | "renamed-with-provider"
  | "defaults-changed";

export type Policy = "retain" | "delete";

/**
 * How the resource got its id: it was created; adopted, and the program still declares `adopt`; adopted, and the program
 * no longer declares it; created, and the changed program adopts it.
 */
export type Origin = "created" | "adopted" | "adopt-removed" | "adopted-later";

export interface PipeAxes {
  readonly action: Action;
  /** The deletionPolicy in the state. */
  readonly stored: Policy;
  /** The deletionPolicy of the changed program. */
  readonly next: Policy;
  readonly replacement: "refuse" | "allow";
  readonly origin: Origin;
}

/** A resource with a service of its own, and the action on it. */
export interface PipeRow extends PipeAxes {
  readonly kind: "Pipe" | "ReversePrivateEndpoint";
  /** The logical name, which the names of all objects of the row contain. */
  readonly name: string;
}

interface SettingsAxes {
  readonly action: Action;
  readonly stored: Policy;
  readonly next: Policy;
  readonly exclusive: boolean;
  /** Whether the changed program declares other entries. */
  readonly entries: "same" | "changed";
}

/** The settings of a service, and the action on them. */
export interface SettingsRow extends SettingsAxes {
  readonly kind: "ServiceSettings";
  readonly name: string;
}

export type Row = PipeRow | SettingsRow;

const policies = ["retain", "delete"] as const;
const replacementPolicies = ["refuse", "allow"] as const;

/** Actions that need no second resource, or that are the user's own command: `replacementPolicy` refuses none of them. */
export const neverRefused = [
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
export const refusable = ["replaced", "replace-on-changes", "defaults-changed"] as const;

/** Actions after which a program can adopt the former id of the resource. */
const adoptable: readonly Action[] = ["renamed", "renamed-with-provider", "moved", "replace-flag"];

const settingsActions: readonly Action[] = [
  "unchanged",
  "renamed-with-alias",
  "moved-with-alias",
  "renamed",
  "moved",
  "replace-flag",
  "replace-on-changes",
  "replaced",
  "provider-added",
  "renamed-with-provider",
];

const always = { stored: policies, next: policies, origin: ["created", "adopted", "adopt-removed"] } as const;

/** Rows of pipes that a preview accepts: all combinations but those that differ in `replacement` alone. */
export function pipeRows(): PipeRow[] {
  const later = { ...always, origin: ["adopted-later"] } as const;
  const axes: Axes<PipeAxes>[] = [
    { ...always, action: neverRefused, replacement: replacementPolicies },
    { ...always, action: [...refusable, "replaced-twice"], replacement: ["allow"] },
    { ...always, action: ["removed"], next: ["retain"], replacement: replacementPolicies },
    { ...later, action: adoptable, replacement: replacementPolicies },
  ];
  const all = axes.flatMap((some) => product(some));
  return reduced(all, POLICIES).map((one) => named("Pipe", one));
}

/** Rows of reverse private endpoints that a preview accepts. */
export function endpointRows(): PipeRow[] {
  const created = { stored: policies, next: policies, origin: ["created"] } as const;
  const axes: Axes<PipeAxes>[] = [
    { ...created, action: neverRefused, replacement: replacementPolicies },
    { ...created, action: ["replaced", "replaced-twice", "defaults-changed"], replacement: ["allow"] },
    { ...created, action: ["removed"], next: ["retain"], replacement: ["refuse"] },
  ];
  const all = axes.flatMap((some) => product(some));
  return reduced(all).map((one) => named("ReversePrivateEndpoint", one));
}

/** Rows of the settings of services. A program has one resource for each service, so no id is used twice. */
export function settingsRows(): SettingsRow[] {
  const common = { stored: policies, exclusive: [true, false], entries: ["same", "changed"] } as const;
  const axes: Axes<SettingsAxes>[] = [
    { ...common, action: settingsActions, next: policies },
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
  const all = axes.flatMap((some) => product(some));
  return reduced(all, POLICIES).map((one) => ({
    ...one,
    kind: "ServiceSettings",
    name: `ServiceSettings.${one.action}.${one.stored}-${one.next}.${one.exclusive ? "exclusive" : "shared"}.${one.entries}`,
  }));
}

/** Which policy decides depends on the action. */
const POLICIES = ["action", "stored", "next"] as const;

/** Few rows that have all pairs of values, and all values of `together`; in the tier `all` all rows. */
const reduced = <T extends object>(all: readonly T[], together?: readonly (keyof T)[]): readonly T[] =>
  tier === "all" ? all : pairwise(all, together);

/** Rows that a preview refuses. Each needs its own run, because the engine stops at the first failure: one of each action, or all. */
export function refusedRows(): PipeRow[] {
  const pipes = product<PipeAxes>({ ...always, action: refusable, replacement: ["refuse"] });
  const endpoints = product<PipeAxes>({
    stored: policies,
    next: policies,
    // Every change replaces an endpoint, so replaceOnChanges adds nothing.
    action: ["replaced", "defaults-changed"],
    replacement: ["refuse"],
    origin: ["created"],
  });
  return [
    ...oneOfEach(pipes).map((one) => named("Pipe", one)),
    ...oneOfEach(endpoints).map((one) => named("ReversePrivateEndpoint", one)),
  ];
}

/** A row for each action, with values that differ; in the tier `all` all rows. */
function oneOfEach(all: readonly PipeAxes[]): readonly PipeAxes[] {
  const few = reduced(all);
  const isFirst = ({ action }: PipeAxes, at: number) => few.findIndex((row) => row.action === action) === at;
  return tier === "all" ? all : few.filter(isFirst);
}

const named = (kind: PipeRow["kind"], axes: PipeAxes): PipeRow => ({
  ...axes,
  kind,
  name: `${kind}.${axes.action}.${axes.stored}-${axes.next}.${axes.replacement}.${axes.origin}`,
});

/** The rows whose names match the expression `DATAPIPES_MATRIX_ROWS`; all of them without it. */
export function chosen<T extends Row>(rows: readonly T[]): T[] {
  const wanted = new RegExp(process.env["DATAPIPES_MATRIX_ROWS"] ?? "");
  return rows.filter(({ name }) => wanted.test(name));
}
