import { contract } from "./contract";
import { withDefaults } from "./fill";
import type { Pipe, PipeSettings, Scaling, TableMapping } from "./models";

const { properties: PIPE = {} } = contract.operation("updatePipe").result;

const MAPPING = PIPE["source"]?.properties?.["postgres"]?.properties?.["tableMappings"]?.items ?? {};

export const DEFAULT_SCALING = withDefaults({}, PIPE["scaling"] ?? {}) as Readonly<Required<Scaling>>;

export const DEFAULT_SETTINGS = withDefaults({}, PIPE["settings"] ?? {}) as Readonly<Required<PipeSettings>>;

/** A table mapping with what the server adds. */
export function fillMapping(mapping: TableMapping): TableMapping {
  return withDefaults({ ...mapping }, MAPPING) as TableMapping;
}

/** A pipe with everything that a real service adds to a request. */
export function fillPipe(pipe: Pipe): Pipe {
  // A postgres pipe has no settings of its own: `getPipeSettings` answers 404 for it.
  const settings = pipe.source.postgres ? {} : { settings: { ...DEFAULT_SETTINGS, ...pipe.settings } };
  const filled = withDefaults({ ...pipe }, { properties: PIPE }) as Pipe;
  const { kafka, postgres } = filled.source;
  if (kafka) kafka.consumerGroup ??= `datapipes-${pipe.id}`;
  if (postgres?.settings) {
    postgres.settings.publicationName ??= `datapipes_pub_${pipe.id.slice(0, 8)}`;
    postgres.settings.replicationSlotName ??= `datapipes_slot_${pipe.id.slice(0, 8)}`;
  }
  return { ...filled, ...settings };
}
