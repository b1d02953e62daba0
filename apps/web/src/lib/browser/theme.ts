import { useEffect } from 'react'
import { readLocal, useLocal, writeLocal } from './local-store.ts'
import { useMediaQuery } from './media-query.ts'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

const systemPrefersDark = '(prefers-color-scheme: dark)'

function asTheme(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system'
}

export function setTheme(theme: Theme): void {
  writeLocal('theme-mode', theme === 'system' ? null : theme)
}

/** The person's choice, and the theme that it means now. */
export function useTheme(): { readonly choice: Theme; readonly resolved: 'light' | 'dark' } {
  const choice = asTheme(useLocal('theme-mode'))
  const systemDark = useMediaQuery(systemPrefersDark)
  const resolved = choice === 'system' ? (systemDark ? 'dark' : 'light') : choice
  return { choice, resolved }
}

/** Applies the theme to the document; the script in `index.html` does so before the first paint. */
export function useThemeOnDocument(): void {
  const { resolved } = useTheme()
  useEffect(() => {
    document.documentElement.dataset.theme = resolved
  }, [resolved])
}

/** Switches from the theme on screen to the other one. */
export function toggleTheme(): void {
  const choice = asTheme(readLocal('theme-mode'))
  const dark = choice === 'system' ? window.matchMedia(systemPrefersDark).matches : choice === 'dark'
  setTheme(dark ? 'light' : 'dark')
}
