import { useSyncExternalStore } from 'react'
import { parseJson } from '../format/json.ts'

/**
 * Values the browser keeps between visits. The names are part of the console's contract: an operator's support
 * notes and older consoles on the same host use them.
 */
export type LocalKey =
  | 'user'
  | 'status'
  | 'status_mark'
  | 'system_name'
  | 'logo'
  | 'footer_html'
  | 'quota_per_unit'
  | 'display_in_currency'
  | 'theme-mode'
  | 'language'
  | 'page-size'
  | 'default_collapse_sidebar'
  | 'enable_data_export'
  | 'enable_drawing'
  | 'enable_task'
  | 'enable_status_page'
  | 'mj_notify_enabled'
  | 'chats'
  | 'channel_models'
  | 'id-sort'
  | 'aff'
  | 'proving'
  | 'modelsExpanded'
  | 'notice'
  | 'home_page_content'
  | 'about'
  | 'first-steps-hidden'
  | `${string}-table-columns`
  | `${string}-table-density`
  | `${string}-view`
  | `draft:${string}`

const listeners = new Set<() => void>()

function announce(): void {
  for (const listener of listeners) listener()
}

/**
 * Values of this page that the browser did not take: private windows may forbid storage, and it may be full. They last as long as the
 * page, or until another tab stores one.
 */
const unstored = new Map<string, string | null>()
let isFollowing = false

/** Lets what another tab stores take the place of what this page alone has. */
function followOtherTabs(): void {
  if (isFollowing || !('window' in globalThis)) return
  isFollowing = true
  window.addEventListener('storage', ({ key }) => {
    if (key === null) unstored.clear()
    else unstored.delete(key)
    announce()
  })
}

/** The text of this page or the stored one; null when there is none. */
export function readLocal(key: LocalKey): string | null {
  const text = unstored.get(key)
  if (text !== undefined) return text
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores text (null removes the key), in the page where the browser takes none, and tells everything that shows it. */
export function writeLocal(key: LocalKey, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
    unstored.delete(key)
  } catch {
    unstored.set(key, value)
    followOtherTabs()
  }
  announce()
}

/** Forgets the value that this page alone has, as a stored one is gone for all tabs when one of them removes it. */
export function dropUnstored(key: LocalKey): void {
  unstored.delete(key)
}

/** Reads JSON that `accept` recognises; anything else counts as absent. */
export function readLocalJson<Value>(
  key: LocalKey,
  accept: (value: unknown) => value is Value,
): Value | undefined {
  const text = readLocal(key)
  const value = text === null ? undefined : parseJson(text)
  return accept(value) ? value : undefined
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The stored text as state: follows changes made here and in other tabs. */
export function useLocal(key: LocalKey): string | null {
  return useSyncExternalStore(subscribe, () => readLocal(key))
}
