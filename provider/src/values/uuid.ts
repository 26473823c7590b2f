import { UNKNOWN_TEXTS } from "../pulumi/engine-marks";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** An id for comparison: UUIDs are case-insensitive. */
export const idKey = (id: string): string => id.toLowerCase();

export const isSameId = (value: unknown, id: string): boolean =>
  typeof value === "string" && idKey(value) === idKey(id);

/** Whether an answer of the API can have this id: a UUID, and none by which the engine marks unknown values. */
export const isIdOfAnswer = (id: unknown): id is string =>
  typeof id === "string" && isUuid(id) && !UNKNOWN_TEXTS.has(idKey(id));
