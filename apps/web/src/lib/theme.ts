import { useEffect } from 'react'
import { readLocal, useLocal, writeLocal } from './local-store.ts'
import { useMediaQuery } from './use-phone.ts'

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
