import { createSharedState, useSharedState } from './shared-state.ts'

/** Counts how often everything on screen became somebody else's. */
const generation = createSharedState(0)

/** Throws away what pages keep for themselves: they are drawn from the beginning. */
export function remountPages(): void {
  generation.set(generation.get() + 1)
}

/** As a key of the pages. */
export function usePageGeneration(): number {
  return useSharedState(generation)
}
