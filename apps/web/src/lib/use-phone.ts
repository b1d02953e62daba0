import { useSyncExternalStore } from 'react'

/** Below this width rows become cards and the menu a sheet. */
const phoneMaxWidth = 600

/** Follows a CSS media query. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => window.matchMedia(query).matches,
  )
}

export function usePhone(): boolean {
  return useMediaQuery(`(width < ${phoneMaxWidth}px)`)
}
