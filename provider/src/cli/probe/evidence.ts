import type { Identified, WireObject } from "../../api/document/wire";
import type { Exchange, RecordedAnswer } from "./exchange";
import type { Imported } from "./imported";
import type { Written } from "./written";

export interface ReadSettings {
  readonly kind: string;
  readonly pipe: Identified;
  readonly exchange: Exchange<WireObject | undefined>;
}

/** All that the probe has seen of a service. */
export interface Evidence {
  readonly baseUrl: string;
  readonly serviceId: string;
  readonly requestTimeoutSeconds: number;
  /** Two reads of the list. */
  readonly first: Exchange<readonly Identified[]>;
  readonly second: Exchange<readonly Identified[]>;
  /** The pipes of the last list that have a UUID, as it has them, with camelCase names of settings. */
  readonly pipes: readonly Identified[];
  readonly settings: readonly ReadSettings[];
  readonly unknownPipe: Exchange;
  readonly badKey: Exchange;
  readonly backups: Exchange;
  readonly imported: readonly Imported[];
  readonly answers: readonly RecordedAnswer[];
  /** Undefined without `--write`. */
  readonly written?: Written;
}
