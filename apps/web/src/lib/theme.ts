import { useEffect, useSyncExternalStore } from 'react'
import { readLocal, useLocal, writeLocal } from './local-store.ts'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

const systemPrefersDark = '(prefers-color-scheme: dark)'

function asTheme(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system'
}

export function setTheme(theme: Theme): void {
  writeLocal('theme-mode', theme === 'system' ? null : theme)
}

/** The person's choice and what it comes to now. */
export function useTheme(): { readonly choice: Theme; readonly resolved: 'light' | 'dark' } {
  const choice = asTheme(useLocal('theme-mode'))
  const systemDark = useMediaQuery(systemPrefersDark)
  const resolved = choice === 'system' ? (systemDark ? 'dark' : 'light') : choice
  return { choice, resolved }
}

/** Keeps the document's theme in step; the script in `index.html` sets it before the first paint. */
export function useThemeOnDocument(): void {
  const { resolved } = useTheme()
  useEffect(() => {
    document.documentElement.dataset.theme = resolved
  }, [resolved])
}

/** Next of light and dark, from what is on screen now. */
export function toggleTheme(): void {
  const choice = asTheme(readLocal('theme-mode'))
  const dark = choice === 'system' ? window.matchMedia(systemPrefersDark).matches : choice === 'dark'
  setTheme(dark ? 'light' : 'dark')
}

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
