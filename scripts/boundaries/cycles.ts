/**
 * Groups of modules that know each other in a circle: the strongly connected components of more than one module, and
 * modules that know themselves (Tarjan 1972). `knows` returns the neighbours of a module.
 */
export function cyclesIn(
  modules: Iterable<string>,
  knows: (module: string) => readonly string[],
): readonly (readonly string[])[] {
  const state: Search = { order: new Map(), open: [], cycles: [] }
  for (const module of modules) if (!state.order.has(module)) visit(module, knows, state)
  return state.cycles
}

interface Search {
  readonly order: Map<string, number>
  readonly open: string[]
  readonly cycles: string[][]
}

function visit(module: string, knows: (module: string) => readonly string[], state: Search): number {
  const position = state.order.size
  state.order.set(module, position)
  state.open.push(module)
  let lowest = position
  for (const next of knows(module)) lowest = Math.min(lowest, reach(next, knows, state))
  if (lowest === position) close(module, knows(module).includes(module), state)
  return lowest
}

function reach(next: string, knows: (module: string) => readonly string[], state: Search): number {
  const position = state.order.get(next)
  if (position === undefined) return visit(next, knows, state)
  return state.open.includes(next) ? position : Number.POSITIVE_INFINITY
}

function close(module: string, knowsItself: boolean, state: Search): void {
  const members = state.open.splice(state.open.indexOf(module))
  if (members.length > 1 || knowsItself) state.cycles.push(members)
}
