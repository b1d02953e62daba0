import { useEffect, useRef, useSyncExternalStore } from 'react'

/**
 * Keys of the console. A combination is one key (`c`, `/`, `?`), a key with Ctrl or ⌘ (`mod+k`), or two keys one
 * after the other (`g t`).
 */
export interface Hotkey {
  readonly keys: string
  /** Said in the list of keys, already translated. */
  readonly label: string
  readonly group: 'everywhere' | 'page' | 'go'
  readonly run: () => void
}

const sequenceTimeoutMs = 900

let active: readonly Hotkey[] = []
const listeners = new Set<() => void>()
let pendingFirst = ''
let pendingUntil = 0

function change(next: readonly Hotkey[]): void {
  active = next
  for (const listener of listeners) listener()
}

/** Whether a key press is text for a field rather than a command. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

/** What owns plain keys while it is open; not a panel that only the resting pointer opened. */
const coveringRoles =
  '[role="dialog"]:not([data-passive]), [role="alertdialog"], [role="menu"], [role="listbox"]'

function isCovered(): boolean {
  return document.querySelector(coveringRoles) !== null
}

/** The combination of a press, given the key pressed shortly before it. Exported for its test. */
export function matchHotkey(
  pressed: { readonly key: string; readonly mod: boolean },
  before: string,
  hotkeys: readonly Hotkey[],
): Hotkey | undefined {
  const key = pressed.key.length === 1 ? pressed.key.toLowerCase() : pressed.key
  if (pressed.mod) return hotkeys.find((hotkey) => hotkey.keys === `mod+${key}`)
  const sequence = before === '' ? undefined : hotkeys.find((hotkey) => hotkey.keys === `${before} ${key}`)
  // Later registrations win: a page's key goes before the frame's.
  return sequence ?? hotkeys.findLast((hotkey) => hotkey.keys === key)
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return
  const mod = event.ctrlKey || event.metaKey
  if (!mod && (isTyping(event.target) || isCovered())) return
  const before = performance.now() < pendingUntil ? pendingFirst : ''
  const found = matchHotkey({ key: event.key, mod }, before, active)
  pendingFirst = mod ? '' : event.key.toLowerCase()
  pendingUntil = performance.now() + sequenceTimeoutMs
  if (!found) return
  pendingFirst = ''
  event.preventDefault()
  found.run()
}

/** Starts listening; called once by the application. */
export function startHotkeys(): () => void {
  window.addEventListener('keydown', onKeyDown)
  return () => window.removeEventListener('keydown', onKeyDown)
}

/** Registers keys while the component is on screen. They appear in the `?` list. */
export function useHotkeys(hotkeys: readonly Hotkey[]): void {
  const latest = useRef(hotkeys)
  useEffect(() => {
    latest.current = hotkeys
  })
  const signature = hotkeys.map((hotkey) => `${hotkey.keys}=${hotkey.label}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature stands for the list; `run` is read late
  useEffect(() => {
    const mine = latest.current.map((hotkey, index) => ({
      ...hotkey,
      run: () => latest.current[index]?.run(),
    }))
    change([...active, ...mine])
    return () => change(active.filter((hotkey) => !mine.includes(hotkey)))
  }, [signature])
}

/** One key of a page, such as `c` for create. */
export function useHotkey(keys: string, label: string, run: () => void): void {
  useHotkeys([{ keys, label, group: 'page', run }])
}

/** Every key that works now, for the `?` list. */
export function useActiveHotkeys(): readonly Hotkey[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => active,
  )
}

/** How a combination is written on this machine: `['Ctrl', 'K']`, `['g', 't']`. */
export function keyCaps(keys: string): readonly string[] {
  const apple = /mac|iphone|ipad/i.test(navigator.platform)
  return keys
    .split(/[ +]/)
    .map((key) =>
      key === 'mod' ? (apple ? '⌘' : 'Ctrl') : key === 'Enter' ? '↵' : key.length === 1 ? key : key,
    )
}
