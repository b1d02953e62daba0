import type { PageSource } from './page-source.ts'
import { fitRow, type NamedRow, type TableShape } from './table-shape.ts'
import { readTreePage, type StoredRow } from './tree.ts'

/** Numbers of a table's saved and lost rows. */
export interface SalvagedTable {
  readonly saved: number
  /** Rows of pages that cannot be read, by the pages beside them; exact only by luck. */
  readonly lost: number
  /** Pages that are not what was written. */
  readonly damagedPages: number
}

/** The place of a table in a file. */
export interface RootedShape {
  readonly shape: TableShape
  /** Absent where the file does not say it any more. */
  readonly root: number | undefined
}

/** Takes a row, and says whether there was none like it. */
export type Take = (table: string, row: NamedRow) => boolean

interface Tally {
  readonly shape: TableShape
  saved: number
  damagedPages: number
  leaves: number
  /** Row ids of each leaf that was read. */
  readonly ranges: (readonly [first: number, last: number])[]
}

/**
 * Reads every row that the pages of a file still have. Pages that no tree leads to any more go to the one table that they can
 * be of, where its own tree is broken.
 */
export function salvageRows(
  source: PageSource,
  tables: readonly RootedShape[],
  take: Take,
): ReadonlyMap<string, SalvagedTable> {
  const visited = new Set<number>(freePages(source))
  const tallies = tables.map(({ shape, root }) => {
    const tally: Tally = { shape, saved: 0, damagedPages: 0, leaves: 0, ranges: [] }
    if (root === undefined) tally.damagedPages += 1
    else walk(source, root, tally, visited, take)
    return tally
  })
  adopt(source, tallies, visited, take)
  return new Map(tallies.map((tally) => [tally.shape.name, countOf(tally)]))
}

function walk(source: PageSource, root: number, tally: Tally, visited: Set<number>, take: Take): void {
  const waiting = [root]
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (number < 1 || number > source.count || visited.has(number)) {
      tally.damagedPages += 1
      continue
    }
    const page = readTreePage(source, number, visited)
    if (page === undefined || page.kind !== tally.shape.kind) {
      tally.damagedPages += 1
      continue
    }
    visited.add(number)
    if (!takeRows(page.rows, tally, take) || page.isTorn) tally.damagedPages += 1
    if (page.isLeaf) tally.leaves += 1
    waiting.push(...page.children.toReversed())
  }
}

/** False when some of the rows are not of this table. */
function takeRows(rows: readonly StoredRow[], tally: Tally, take: Take): boolean {
  let fit = 0
  for (const row of rows) {
    const named = fitRow(tally.shape, row)
    if (named === undefined) continue
    fit += 1
    if (take(tally.shape.name, named)) tally.saved += 1
  }
  const ids = rows.flatMap(({ rowid }) => rowid ?? [])
  if (ids.length > 0) tally.ranges.push([Math.min(...ids), Math.max(...ids)])
  return fit === rows.length
}

/**
 * Pages below a broken one: whose they are is told by their content alone, or not at all. Those of tables without row ids look
 * like pages of indexes, and stay where they are.
 */
function adopt(source: PageSource, tallies: readonly Tally[], visited: Set<number>, take: Take): void {
  const broken = tallies.filter(({ damagedPages, shape }) => damagedPages > 0 && shape.kind === 'table')
  if (broken.length === 0) return
  for (let number = 2; number <= source.count; number += 1) {
    if (visited.has(number)) continue
    const used = new Set<number>()
    const page = readTreePage(source, number, used)
    if (page?.kind !== 'table' || !page.isLeaf || page.isTorn || page.rows.length === 0) continue
    const [owner, another] = broken.filter((tally) => canOwn(tally, page.rows))
    if (owner === undefined || another !== undefined) continue
    for (const one of used) visited.add(one)
    visited.add(number)
    owner.leaves += 1
    takeRows(page.rows, owner, take)
  }
}

function canOwn({ shape, ranges }: Tally, rows: readonly StoredRow[]): boolean {
  if (rows.some((row) => fitRow(shape, row) === undefined)) return false
  // Fewer values than columns say too little of whose a row is.
  if (rows.some(({ values }) => values.length < shape.columns.length)) return false
  const ids = rows.flatMap(({ rowid }) => rowid ?? [])
  return ids.every((id) => !ranges.some(([first, last]) => first <= id && id <= last))
}

function countOf({ saved, damagedPages, leaves }: Tally): SalvagedTable {
  const perPage = leaves === 0 ? 1 : Math.max(1, Math.round(saved / leaves))
  return { saved, damagedPages, lost: damagedPages * perPage }
}

/** Pages that hold nothing: what stands in them was deleted. */
function freePages(source: PageSource): number[] {
  const head = source.read(1)
  const free: number[] = []
  let trunk = head.readUInt32BE(32)
  for (let steps = 0; trunk > 1 && trunk <= source.count && steps <= source.count; steps += 1) {
    const page = source.read(trunk)
    const leaves = page.readUInt32BE(4)
    if (leaves > source.usable / 4) break
    free.push(trunk)
    for (let index = 0; index < leaves; index += 1) free.push(page.readUInt32BE(8 + index * 4))
    trunk = page.readUInt32BE(0)
  }
  return free
}
