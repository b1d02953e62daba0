import { createKeybindingsHandler, type KeybindingsMap } from 'tinykeys'
import { useMountedEntries } from '../mounted-list.ts'
import { createSharedState, useSharedState } from '../shared-state.ts'

/**
 * Keys of the console. A combination is one key (`c`, `/`, `?`), a key with Ctrl or ⌘ (`mod+k`), or two keys one
 * after the other (`g t`).
 */
export interface Hotkey {
  readonly keys: string
  /** Its text in the list of keys, already translated. */
  readonly label: string
  readonly group: 'everywhere' | 'page' | 'go'
  readonly run: () => void
}

const sequenceTimeoutMs = 900

const active = createSharedState<readonly Hotkey[]>([])

/** Decides whether a key press is text for a field rather than a command. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

/** Elements that take plain keys while they are open; a panel that opened on hover does not. */
const coveringRoles =
  '[role="dialog"]:not([data-passive]), [role="alertdialog"], [role="menu"], [role="listbox"]'

function isCovered(): boolean {
  return document.querySelector(coveringRoles) !== null
}

/** Decides whether the press belongs to a field, a dialog or the browser. */
function isForOthers(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.isComposing || event.altKey) return true
  return !event.ctrlKey && !event.metaKey && (isTyping(event.target) || isCovered())
}

/**
 * The bindings of `tinykeys`, which takes the first match: sequences come before single keys, and of equals the one
 * registered last, so that a page's key wins over the frame's.
 */
function bindingsOf(hotkeys: readonly Hotkey[]): KeybindingsMap {
  const sequencesFirst = [...hotkeys].reverse().sort((left, right) => pressesOf(right) - pressesOf(left))
  const bindings: KeybindingsMap = {}
  for (const { keys, run } of sequencesFirst) {
    bindings[bindingOf(keys)] ??= (event) => {
      event.preventDefault()
      run()
    }
  }
  return bindings
}

const pressesOf = ({ keys }: Hotkey): number => keys.split(' ').length

/** Signs such as `?` and `/` need Shift on some keyboards and not on others. */
function bindingOf(keys: string): string {
  return keys
    .split(' ')
    .map((press) => (/^[^\w\s]$/.test(press) ? `[Shift]+${press}` : press.replace('mod+', '$mod+')))
    .join(' ')
}

export interface HotkeyHandler {
  /** Handles these keys from now on. A sequence that has begun goes on: parts of a page register keys while it loads. */
  set(hotkeys: readonly Hotkey[]): void
  handle(event: KeyboardEvent): void
}

/** @param ignore whether a press is for something else */
export function createHotkeyHandler(ignore: (event: KeyboardEvent) => boolean): HotkeyHandler {
  let handle: EventListener = () => {}
  let hotkeys: readonly Hotkey[] = []
  let last: KeyboardEvent | undefined
  const begins = ({ key, timeStamp }: KeyboardEvent) =>
    performance.now() - timeStamp < sequenceTimeoutMs &&
    hotkeys.some(({ keys }) => keys.startsWith(`${key} `))
  return {
    set(next) {
      hotkeys = next
      handle = createKeybindingsHandler(bindingsOf(next), { timeout: sequenceTimeoutMs, ignore })
      if (last && begins(last)) handle(last)
    },
    handle(event) {
      handle(event)
      last = event
    },
  }
}

declare global {
  interface Window {
    /** A press of Ctrl or ⌘ with K that index.html noted while the console loaded; `null` once the console listens. */
    early?: KeyboardEvent | null
  }
}

/** Starts listening; called once by the application, which is then sent the press that came before. */
export function startHotkeys(): () => void {
  const handler = createHotkeyHandler(isForOthers)
  handler.set(active.get())
  const end = active.subscribe(() => handler.set(active.get()))
  window.addEventListener('keydown', handler.handle)
  const { early } = window
  window.early = null
  // The frame registers its keys with the same rendering.
  if (early) setTimeout(() => window.dispatchEvent(new KeyboardEvent('keydown', early)))
  return () => {
    end()
    window.removeEventListener('keydown', handler.handle)
  }
}

/** Registers keys while the component is mounted. They appear in the `?` list. */
export function useHotkeys(hotkeys: readonly Hotkey[]): void {
  useMountedEntries(active, hotkeys, ({ keys, label }) => `${keys}=${label}`)
}

/** One key of a page, such as `c` for create. */
export function useHotkey(keys: string, label: string, run: () => void): void {
  useHotkeys([{ keys, label, group: 'page', run }])
}

/** Every key that works now, for the `?` list. */
export function useActiveHotkeys(): readonly Hotkey[] {
  return useSharedState(active)
}

/** A combination as the keys of this machine are labelled: `['Ctrl', 'K']`, `['g', 't']`. */
export function keyCaps(keys: string): readonly string[] {
  const apple = /mac|iphone|ipad/i.test(navigator.platform)
  return keys
    .split(/[ +]/)
    .map((key) => (key === 'mod' ? (apple ? '⌘' : 'Ctrl') : key === 'Enter' ? '↵' : key))
}
