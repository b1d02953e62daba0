import { startTransition, useEffect, useState } from 'react'

interface Identified {
  readonly id: string
}

/** A row and its part of what stands above the table, in pixels, in a window of common height. */
const rowHeight = 44
/** Rows that a window has room for, and no more than a high one: all of them are drawn in one task. */
const maxFirstRows = 30
const firstRows = () => Math.min(maxFirstRows, Math.ceil(window.innerHeight / rowHeight))

const none: readonly never[] = []

/**
 * The rows to draw now. Of a page of new rows the first come at once, the others as soon as those are on screen, so that
 * a long page turns as quickly as a short one. Rows that were there before stay.
 */
export function useRenderedRows<Row extends Identified>(rows: readonly Row[]): readonly Row[] {
  const [before, setBefore] = useState<readonly Row[]>(none)
  // Not `useDeferredValue`: a page turns within a transition of the router, where that defers nothing.
  useEffect(() => startTransition(() => setBefore(rows)), [rows])
  const count = firstRows()
  if (before === rows || rows.length <= count) return rows
  return firstRendered(rows, before, count)
}

/** Exported for its test. */
export function firstRendered<Row extends Identified>(
  rows: readonly Row[],
  before: readonly Row[],
  count: number,
): readonly Row[] {
  const known = new Set(before.map(({ id }) => id))
  return rows.filter(({ id }, index) => index < count || known.has(id))
}
