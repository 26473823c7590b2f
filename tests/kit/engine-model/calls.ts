import type { Identity, Plugin, Stored } from "./adapter";

/** A request, with the members that the protocol has. */
export interface Call {
  readonly method: string;
  readonly name: string;
  readonly id?: unknown;
  readonly preview?: unknown;
  readonly olds?: unknown;
  readonly oldInputs?: unknown;
  readonly news?: unknown;
}

const stored = ({ id, inputs, outputs }: Stored) => ({ id, olds: outputs, oldInputs: inputs });

export function recorded({ adapter, lines }: Plugin, calls: Call[]): Plugin {
  const { setsOptions, urnOf } = adapter;
  const noting =
    <R extends [Identity, ...unknown[]], T>(
      method: string,
      call: (...request: R) => T,
      valuesOf: (...request: R) => Partial<Call>,
    ) =>
    (...request: R): T => {
      const [{ name }] = request;
      const { preview = false, ...values } = valuesOf(...request);
      // Pulumi's plugin for dynamic resources supports no previews, so the engine does not call it.
      if (preview === false) calls.push({ method, name, ...values });
      else if (!setsOptions) calls.push({ method, name, ...values, preview });
      return call(...request);
    };
  return {
    lines,
    adapter: {
      setsOptions,
      urnOf,
      check: noting("Check", adapter.check, (_, olds = {}, news) => ({ olds, news })),
      diff: noting("Diff", adapter.diff, (_, old, news) => ({ ...stored(old), news })),
      create: noting("Create", adapter.create, (_, news, { preview }) => ({ news, preview })),
      update: noting("Update", adapter.update, (_, old, news, how) => ({ ...stored(old), news, ...how })),
      read: noting("Read", adapter.read, (_, old) => stored(old)),
      delete: noting("Delete", adapter.delete, (_, old) => stored(old)),
    },
  };
}
