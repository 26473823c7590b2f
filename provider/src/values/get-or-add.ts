interface Table<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of a key, which is made and added where the table has none. */
export function getOrAdd<K, V extends object>(table: Table<K, V>, key: K, make: () => V): V {
  const present = table.get(key);
  if (present !== undefined) return present;
  const made = make();
  table.set(key, made);
  return made;
}
