import { isNative } from "../../../testkit/adapter";
import type { Deployment } from "../../../testkit/deployment";
import type { LoggedRequest, Simulator } from "../../../testkit/simulator";
import type { Run } from "../../../testkit/cli";
import { messagesOf } from "../../../testkit/messages";
import type { Row } from "./rows";

/** A resource of the state: its name and id. */
export interface Holder {
  readonly urn: string;
  /** The logical name. */
  readonly name: string;
  readonly id: string;
}

/** A pipe or an endpoint of the service. */
export interface Thing {
  readonly id: string;
  /** The name of the row that it belongs to. */
  readonly owner: string;
}

/** The state and the service at one time. */
export interface Snapshot {
  readonly holders: readonly Holder[];
  readonly things: readonly Thing[];
  readonly services: ReadonlyMap<string, ServiceEntries>;
}

/** The entries of a service's two lists, as sorted texts. */
export type ServiceEntries = readonly string[];

export function snapshot(deployment: Deployment, simulator: Simulator): Snapshot {
  const { pipes, endpoints, services } = simulator.control.state();
  return {
    holders: deployment.resources.flatMap(({ urn, type, id }) =>
      type.includes("datapipes:") && id !== undefined ? [{ urn, name: nameIn(urn), id }] : [],
    ),
    things: [
      ...pipes.map(({ id, destination }) => ({ id, owner: destination.table ?? "" })),
      ...endpoints.map(({ id, description = "" }) => ({ id, owner: description.replace(/: \w+$/, "") })),
    ],
    services: new Map(services.map((service) => [service.id, entriesOf(service)])),
  };
}

type Lists = Pick<
  ReturnType<Simulator["control"]["state"]>["services"][number],
  "ipAccessList" | "privateEndpointIds"
>;

/** The entries of both lists as texts that can be compared. */
export const entriesOf = ({ ipAccessList = [], privateEndpointIds = [] }: Lists): ServiceEntries =>
  [
    ...ipAccessList.map(({ source = "", description = "" }) => `${source} ${description}`),
    ...privateEndpointIds,
  ].sort();

export const nameIn = (urn: string): string => urn.split("::").at(-1) ?? "";

/** One step of a preview. */
export interface Step {
  readonly op: string;
  readonly urn: string;
  /** The id before, where there was one. */
  readonly id: string | undefined;
  /** Whether the preview shows `delete[retain]`; undefined with the native plugin, which cannot set this option. */
  readonly retains: boolean | undefined;
}

/** The result of a preview. */
export interface Preview {
  readonly steps: readonly Step[];
  readonly lines: readonly string[];
}

interface PreviewJson {
  steps?: { op: string; urn: string; oldState?: { id?: string; retainOnDelete?: boolean } }[];
  diagnostics?: { message: string }[];
}

/** Parses the output of `pulumi preview --json`. */
export function previewOf({ stdout }: Run): Preview {
  const { steps = [], diagnostics = [] } = JSON.parse(stdout) as PreviewJson;
  return {
    steps: steps.map(({ op, urn, oldState }) => ({
      op,
      urn,
      id: oldState?.id,
      retains: isNative ? undefined : oldState?.retainOnDelete === true,
    })),
    lines: diagnostics.map(({ message }) => message),
  };
}

/** The errors of a run, by the logical name of the resource. */
export const errorsOf = ({ output }: Run): ReadonlyMap<string, string> =>
  new Map(
    messagesOf(output)
      .filter(({ isError }) => isError)
      .map(({ resource, text }) => [resource, text]),
  );

/** One run: the snapshots before and after it, its preview and its requests. */
export interface Observation {
  readonly before: Snapshot;
  readonly preview: Preview;
  readonly requests: readonly LoggedRequest[];
  readonly errors: ReadonlyMap<string, string>;
  readonly after: Snapshot;
  /** The preview right after the run. */
  readonly next: Preview;
}

/** Whether a logical name belongs to the row: to its resource, also after a rename, or to a second resource with its id. */
export const belongsTo = (row: Row, name: string): boolean =>
  name === row.name || name === `${row.name}.new` || name === `${row.name}.second`;
