type Entries<Value> = Readonly<Record<string, Value>>

/**
 * The entry that holds for a model: its own, else that of the longest beginning of its name that ends with `*` in the
 * map; `undefined` where there is none.
 */
export function modelEntry<Value>(entries: Entries<Value>, model: string): Value | undefined {
  return modelEntries(entries, model)[0]
}

/** What holds for a model, member by member: an entry says what those of longer beginnings leave open. */
export function modelMembers<Value extends object>(
  entries: Entries<Value>,
  model: string,
): Value | undefined {
  const found = modelEntries(entries, model)
  return found.length === 0 ? undefined : Object.assign({}, ...found.toReversed())
}

/** The closest first. */
function modelEntries<Value>(entries: Entries<Value>, model: string): readonly Value[] {
  const beginnings = Object.keys(entries).filter(
    (name) => name === model || (name.endsWith('*') && model.startsWith(name.slice(0, -1))),
  )
  const closest = beginnings.toSorted(
    (a, b) => Number(b === model) - Number(a === model) || b.length - a.length,
  )
  // Each is a name of the map.
  return closest.map((name) => entries[name] as Value)
}
