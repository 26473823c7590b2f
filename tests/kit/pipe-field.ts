import type { Json } from "./json";

export type OnChange = "update" | "replace" | "sentAlong" | "providerOnly";

/** What is true of a field beside its type and what a change of it does; what is false is left out. */
interface Facts {
  readonly isRequired?: boolean;
  readonly isSecret?: boolean;
  readonly isWriteOnly?: boolean;
  /** One of several members, of which an object has one. */
  readonly isVariant?: boolean;
  /** A list whose order means nothing. */
  readonly isSet?: boolean;
  /** The members by which elements of a set are the same. */
  readonly identity?: readonly string[];
  /** In a complete pipe, for a field that is compared as a whole. */
  readonly value?: Json;
  /** Another value, for each field that is compared as a whole. */
  readonly changed?: Json;
}

export interface PipeField extends Facts {
  /** `[]` marks the elements of a list. */
  readonly path: string;
  readonly type: string;
  readonly onChange: OnChange;
}

export const field =
  (onChange: OnChange) =>
  (path: string, type: string, facts: Facts = {}): PipeField => ({ path, type, onChange, ...facts });
export const update = field("update");
export const replace = field("replace");
export const sentAlong = field("sentAlong");
export const providerOnly = field("providerOnly");

export const under = (owner: string, fields: readonly PipeField[]): PipeField[] =>
  fields.map((one) => ({ ...one, path: `${owner}.${one.path}` }));
