import { isNative } from "../../../testkit/adapter";
import type { Deployment } from "../../../testkit/deployment";
import type { Simulator } from "../../../testkit/simulator";
import type { Run } from "../../../testkit/cli";
import { messagesOf } from "../../../testkit/messages";
import type { Row } from "./rows";

export function snapshot(deployment: Deployment, simulator: Simulator) {
  const { pipes, endpoints } = simulator.control.state();
  return {
    /** The resources of the state; `name` is the logical one. */
    holders: deployment.resources.flatMap(({ urn, type, id }) =>
      type.includes("datapipes:") && id !== undefined ? [{ urn, name: nameIn(urn), id }] : [],
    ),
    /** The pipes and endpoints of the services, each with the name of the row that it belongs to. */
    things: [
      ...pipes.map(({ id, destination }) => ({ id, owner: destination.table ?? "" })),
      ...endpoints.map(({ id, description = "" }) => ({ id, owner: description.replace(/: \w+$/, "") })),
    ],
  };
}

export type Snapshot = ReturnType<typeof snapshot>;

export const nameIn = (urn: string): string => urn.split("::").at(-1) ?? "";

interface PreviewJson {
  steps?: { op: string; urn: string; oldState?: { id?: string; retainOnDelete?: boolean } }[];
  diagnostics?: { message: string }[];
}

export function previewOf({ stdout }: Run) {
  const { steps = [], diagnostics = [] } = JSON.parse(stdout) as PreviewJson;
  return {
    /** `id` is the one before, and `retains` whether the preview shows `delete[retain]`, which the native plugin cannot set. */
    steps: steps.map(({ op, urn, oldState }) => ({
      ...{ op, urn, id: oldState?.id },
      retains: isNative ? undefined : oldState?.retainOnDelete === true,
    })),
    lines: diagnostics.map(({ message }) => message),
  };
}

export type Preview = ReturnType<typeof previewOf>;

/** The errors of a run, by the logical name of the resource. */
export const errorsOf = ({ output }: Run): ReadonlyMap<string, string> =>
  new Map(messagesOf(output).flatMap(({ isError, resource, text }) => (isError ? [[resource, text]] : [])));

/** Whether a logical name belongs to the row: to its resource, also after a rename, or to a second resource with its id. */
export const belongsTo = ({ name }: Row, logicalName: string): boolean =>
  ["", ".new", ".second"].some((end) => logicalName === `${name}${end}`);
