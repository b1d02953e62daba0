import type { KeyboardEvent, MouseEvent } from 'react'

/**
 * Whether a press in a row was meant for something inside it: a control, or a menu or dialog of the row, which React
 * counts as inside although it is drawn elsewhere.
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

/** Enter opens, the arrows go up and down. */
export function onRowKey(event: KeyboardEvent<HTMLTableRowElement>, open: () => void): void {
  if (event.target !== event.currentTarget) return
  if (event.key === 'Enter') {
    open()
    return
  }
  const neighbour = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' } as const
  const side = neighbour[event.key as keyof typeof neighbour]
  const row = side && event.currentTarget[side]
  if (row instanceof HTMLElement) {
    event.preventDefault()
    row.focus()
  }
}
