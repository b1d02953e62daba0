import { useSyncExternalStore } from 'react'

/** Below this width rows become cards and the menu a sheet. */
const phoneMaxWidth = 600

interface QueryStore {
  readonly subscribe: (listener: () => void) => () => void
  readonly matches: () => boolean
}

/** One per query: hundreds of cells follow the same one, and each new list of the browser's costs a look at the page. */
const stores = new Map<string, QueryStore>()

function storeOf(query: string): QueryStore {
  const known = stores.get(query)
  if (known) return known
  const list = window.matchMedia(query)
  const listeners = new Set<() => void>()
  let matches = list.matches
  list.addEventListener('change', () => {
    matches = list.matches
    for (const listener of listeners) listener()
  })
  const store: QueryStore = {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    matches: () => matches,
  }
  stores.set(query, store)
  return store
}

/** Follows a CSS media query. */
export function useMediaQuery(query: string): boolean {
  const { subscribe, matches } = storeOf(query)
  return useSyncExternalStore(subscribe, matches)
}

export function usePhone(): boolean {
  return useMediaQuery(`(width < ${phoneMaxWidth}px)`)
}
