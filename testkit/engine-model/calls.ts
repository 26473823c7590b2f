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
  const { setsOptions } = adapter;
  const note = (method: string, { name }: Identity, values: object, preview = false): void => {
    // Pulumi's plugin for dynamic resources supports no previews, so the engine does not call it.
    if (!preview || !setsOptions) calls.push({ method, name, ...values, ...(preview && { preview }) });
  };
  return {
    lines,
    adapter: {
      setsOptions,
      check(resource, olds, news) {
        note("Check", resource, { olds: olds ?? {}, news });
        return adapter.check(resource, olds, news);
      },
      diff(resource, old, news) {
        note("Diff", resource, { ...stored(old), news });
        return adapter.diff(resource, old, news);
      },
      create(resource, news, operation) {
        note("Create", resource, { news }, operation.preview);
        return adapter.create(resource, news, operation);
      },
      update(resource, old, news, operation) {
        note("Update", resource, { ...stored(old), news }, operation.preview);
        return adapter.update(resource, old, news, operation);
      },
      read(resource, old) {
        note("Read", resource, stored(old));
        return adapter.read(resource, old);
      },
      delete(resource, old) {
        note("Delete", resource, stored(old));
        return adapter.delete(resource, old);
      },
    },
  };
}
