import type { KeyboardEvent, MouseEvent, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useHotkeys } from '../../lib/browser/hotkeys.ts'

/**
 * Recognises a press in a row that was meant for something inside it: a control, or a menu or dialog of the row, which React counts as
 * inside although it is drawn elsewhere.
 */
export function isForControl(event: MouseEvent | KeyboardEvent): boolean {
  const target = event.target as Element
  if (!event.currentTarget.contains(target)) return true
  const control = target.closest('a, button, input, select, textarea, label')
  return control !== null && event.currentTarget.contains(control)
}

/** A press that ends a text selection in the row does not count as a click. */
export function hasTextSelected(row: Element): boolean {
  const selection = window.getSelection()
  return selection !== null && selection.toString() !== '' && selection.containsNode(row, true)
}

/** The rows of the table of a page, whose first one a link leads to. */
export const rowsId = 'rows'

/** Elements that take the focus in each form of a list: rows, cards and tiles. */
const rowSelector = 'tr[tabindex], li[tabindex], [data-row]'

/** Moves the focus past search and filters. */
export function focusFirstRow(): void {
  const rows = document.getElementById(rowsId)
  const first = rows?.querySelector<HTMLElement>(rowSelector) ?? rows
  first?.focus()
}

/** Keys with the number of rows that they go down. */
const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }

/** Returns the number of rows that a key goes down: `j` and the arrow down one, `k` and the arrow up one back. */
export function stepOf({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: KeyboardEvent | globalThis.KeyboardEvent): 1 | -1 | undefined {
  return ctrlKey || metaKey || altKey ? undefined : steps[key]
}

/** Enter opens, the arrows and `j` and `k` go up and down. */
export function onRowKey(event: KeyboardEvent<HTMLTableRowElement>, open: () => void): void {
  if (event.target !== event.currentTarget) return
  if (event.key === 'Enter') {
    open()
    return
  }
  const step = stepOf(event)
  const row = step && event.currentTarget[step > 0 ? 'nextElementSibling' : 'previousElementSibling']
  if (row instanceof HTMLElement) {
    event.preventDefault()
    row.focus()
  }
}

/** `j` and `k` from anywhere on the page: to the rows, and from a control in a row to its neighbours. */
export function useRowHotkeys(body: RefObject<HTMLElement | null>): void {
  const { t } = useTranslation()
  const go = (step: 1 | -1) => () => {
    const rows = [...(body.current?.querySelectorAll<HTMLElement>(rowSelector) ?? [])]
    const here = rows.findIndex((row) => row.contains(document.activeElement))
    rows[here < 0 ? 0 : here + step]?.focus()
  }
  useHotkeys([
    { keys: 'j', label: t('keys.nextRow'), group: 'page', run: go(1) },
    { keys: 'k', label: t('keys.previousRow'), group: 'page', run: go(-1) },
  ])
}
