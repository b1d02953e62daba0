type State = Readonly<Record<string, unknown>>

/** Both states without their equal fields, compared by their JSON. */
export function changedFields(
  before: object | undefined,
  after: object | undefined,
): { readonly before: State | undefined; readonly after: State | undefined } {
  const [old, new_] = [before as State | undefined, after as State | undefined]
  if (old === undefined || new_ === undefined) return { before: old, after: new_ }
  const names = new Set([...Object.keys(old), ...Object.keys(new_)])
  const changed = [...names].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(new_[name]))
  return { before: pick(old, changed), after: pick(new_, changed) }
}

function pick(state: State, names: readonly string[]): State {
  return Object.fromEntries(names.filter((name) => name in state).map((name) => [name, state[name]]))
}
