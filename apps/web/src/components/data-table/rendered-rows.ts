import { startTransition, useLayoutEffect, useState } from 'react'

interface Identified {
  readonly id: string
}

/** A row and its part of what stands above the table, in pixels, in a window of common height. */
const rowHeight = 44
/** Rows that a window has room for, and no more than a high one: they come on screen together. */
const maxFirstRows = 30
const firstRows = () => Math.min(maxFirstRows, Math.ceil(window.innerHeight / rowHeight))

const none: readonly never[] = []

/** Rows that stand for those to come, and as many as come first in their place. */
export const skeletonRows = 10

/**
 * The rows to draw now; `undefined` while there are none on screen yet. New rows are drawn in a transition, which the browser may interrupt
 * at each of them, because a response draws everything that waits for it in one task: first those that take the place of the skeleton, then as
 * many as the window has room for, again and again. Meanwhile the rows from before stay, and known rows show what is new of them at once.
 */
export function useRenderedRows<Row extends Identified>(rows: readonly Row[]): readonly Row[] | undefined {
  const [before, setBefore] = useState<readonly Row[]>(none)
  const count = firstRows()
  // Not `useDeferredValue`: a page turns within a transition of the router, where that defers nothing.
  useLayoutEffect(() => {
    if (before !== rows) {
      const part = before.length === 0 ? skeletonRows : count
      startTransition(() => setBefore(nextRendered(rows, before, part)))
    }
  }, [rows, before, count])
  return visibleRows(rows, before, count)
}

/** Returns the rows to draw after those that were drawn before: so many new ones more, from the top. Exported for its test. */
export function nextRendered<Row extends Identified>(
  rows: readonly Row[],
  before: readonly Row[],
  count: number,
): readonly Row[] {
  const known = idsOf(before)
  let left = count
  const next = rows.filter(({ id }) => known.has(id) || left-- > 0)
  return next.length === rows.length ? rows : next
}

/** Returns the rows that need no drawing of new ones: of a page whose first rows are new, those of the page before. Exported for its test. */
export function visibleRows<Row extends Identified>(
  rows: readonly Row[],
  before: readonly Row[],
  count: number,
): readonly Row[] | undefined {
  if (before === rows) return rows
  const known = idsOf(before)
  if (hasFirst(rows, known, count)) return rows.filter(({ id }) => known.has(id))
  return before.length === 0 ? undefined : before
}

function idsOf(rows: readonly Identified[]): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id))
}

function hasFirst(rows: readonly Identified[], known: ReadonlySet<string>, count: number): boolean {
  return rows.slice(0, count).every(({ id }) => known.has(id))
}
