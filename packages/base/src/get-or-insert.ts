/** The value of a key; creates and stores it when the key is new. */
export function getOrInsert<Key, Value>(
  entries: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: (key: Key) => Value,
): Value {
  const known = entries.get(key)
  if (known !== undefined) return known
  const made = make(key)
  entries.set(key, made)
  return made
}
