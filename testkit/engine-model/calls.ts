import type { Plugin, Stored } from "./adapter";

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

/** The plugin, which adds the calls of the engine to a list. */
export function recorded({ adapter, lines }: Plugin, calls: Call[]): Plugin {
  // Pulumi's plugin for dynamic resources supports no previews, so the engine does not call it.
  const note = (call: Call): void => {
    if (!adapter.setsOptions || call.preview === undefined) calls.push(call);
  };
  const at = ({ preview }: { readonly preview: boolean }) => (preview ? { preview } : {});
  return {
    lines,
    adapter: {
      setsOptions: adapter.setsOptions,
      check(resource, olds, news) {
        note({ method: "Check", name: resource.name, olds: olds ?? {}, news });
        return adapter.check(resource, olds, news);
      },
      diff(resource, old, news) {
        note({ method: "Diff", name: resource.name, ...stored(old), news });
        return adapter.diff(resource, old, news);
      },
      create(resource, news, operation) {
        note({ method: "Create", name: resource.name, ...at(operation), news });
        return adapter.create(resource, news, operation);
      },
      update(resource, old, news, operation) {
        note({ method: "Update", name: resource.name, ...stored(old), ...at(operation), news });
        return adapter.update(resource, old, news, operation);
      },
      read(resource, old) {
        note({ method: "Read", name: resource.name, ...stored(old) });
        return adapter.read(resource, old);
      },
      delete(resource, old) {
        note({ method: "Delete", name: resource.name, ...stored(old) });
        return adapter.delete(resource, old);
      },
    },
  };
}
