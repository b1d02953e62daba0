import { startTransition, useEffect, useState } from 'react'

interface Identified {
  readonly id: string
}

/** More than the highest window shows. */
const firstRows = 30

const none: readonly never[] = []

/**
 * The rows to draw now. Of a page of new rows the first come at once, the others as soon as those are on screen, so that
 * a long page turns as quickly as a short one. Rows that were there before stay.
 */
export function useRenderedRows<Row extends Identified>(rows: readonly Row[]): readonly Row[] {
  const [before, setBefore] = useState<readonly Row[]>(none)
  // Not `useDeferredValue`: a page turns within a transition of the router, where that defers nothing.
  useEffect(() => startTransition(() => setBefore(rows)), [rows])
  if (before === rows || rows.length <= firstRows) return rows
  return firstRendered(rows, before)
}

/** Exported for its test. */
export function firstRendered<Row extends Identified>(
  rows: readonly Row[],
  before: readonly Row[],
): readonly Row[] {
  const known = new Set(before.map(({ id }) => id))
  return rows.filter(({ id }, index) => index < firstRows || known.has(id))
}
