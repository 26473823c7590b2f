const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** An id for comparison: UUIDs are case-insensitive. */
export const idKey = (id: string): string => id.toLowerCase();

export const isSameId = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" && idKey(one) === idKey(other);
