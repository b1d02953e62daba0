import { createSharedState, useSharedState } from '../shared-state.ts'

/** The text that the person has to copy by hand. */
const manualText = createSharedState<string | null>(null)

/**
 * Copies text and returns whether it worked. When the browser refuses both ways (no secure context, no permission), a
 * dialog shows the text for copying by hand.
 */
export async function copyText(text: string): Promise<boolean> {
  if ((await copyByClipboard(text)) || copyByField(text)) return true
  manualText.set(text)
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

/** Copies on pages served over plain HTTP, where the clipboard interface does not exist. */
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

/** The text to copy by hand, for the frame's dialog. */
export function useManualCopy(): { readonly text: string | null; readonly close: () => void } {
  return { text: useSharedState(manualText), close: () => manualText.set(null) }
}
