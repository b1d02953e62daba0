import { createSharedState, type SharedState, useSharedState } from '../shared-state.ts'

/** Below this width rows become cards and the menu a sheet. */
const phoneMaxWidth = 600

/** One state for each query: hundreds of cells share it, and each `matchMedia` list costs a layout. */
const states = new Map<string, SharedState<boolean>>()

function stateOf(query: string): SharedState<boolean> {
  const known = states.get(query)
  if (known) return known
  const list = window.matchMedia(query)
  const state = createSharedState(list.matches)
  list.addEventListener('change', () => state.set(list.matches))
  states.set(query, state)
  return state
}

/** Follows a CSS media query. */
export function useMediaQuery(query: string): boolean {
  return useSharedState(stateOf(query))
}

export function usePhone(): boolean {
  return useMediaQuery(`(width < ${phoneMaxWidth}px)`)
}

/** Decides whether the window shows a grid, and has no room for all of it: it is narrower than so many pixels. */
export function useGridBelow(width: number): boolean {
  return useMediaQuery(`(${phoneMaxWidth}px <= width < ${width}px)`)
}
