import { useSyncExternalStore } from 'react'

let manualText: string | null = null
const listeners = new Set<() => void>()

function setManualText(text: string | null): void {
  manualText = text
  for (const listener of listeners) listener()
}

/**
 * Copies text; answers whether it worked. When the browser refuses both ways (no secure context, no permission), a
 * dialog shows the text to be copied by hand.
 */
export async function copyText(text: string): Promise<boolean> {
  if ((await copyByClipboard(text)) || copyByField(text)) return true
  setManualText(text)
  return false
}

async function copyByClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** For pages served over plain HTTP, where the clipboard interface does not exist. */
function copyByField(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const focused = document.activeElement
  // Inside an open dialog: one that traps focus would take it away from a field outside.
  const host = focused?.closest('[role="dialog"]') ?? document.body
  host.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}

/** The text waiting to be copied by hand, for the fallback dialog. */
export function useManualCopy(): { readonly text: string | null; readonly close: () => void } {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => manualText,
  )
  return { text, close: () => setManualText(null) }
}
