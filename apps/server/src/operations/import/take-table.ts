import type { Store } from '../../store/store.ts'
import type { ImportedKind, ImportedRow } from '../../store/work/imports.ts'
import type { ImportContext } from './import-context.ts'
import { ImportError, type Note, type SourceRow } from './import-source.ts'
import type { TableReport } from './report.ts'

/** Outcome for a row that could be read. */
export type Taken =
  | { readonly targetId: number; readonly changes: readonly Note[] }
  | { readonly leftOut: Note }

interface TableToTake<Value> {
  readonly kind: ImportedKind
  readonly rows: AsyncIterable<readonly SourceRow<Value>[]>
  /** A hash of what never changes about a row; empty where nothing is so. */
  readonly markOf: (value: Value) => string
  /** Writes a row, in the transaction that notes it as taken. */
  readonly take: (tx: Store, value: Value, id: string) => Promise<Taken>
  /** Hears of every row that could be read, taken before or not. */
  readonly seen?: (id: string, value: Value) => void
  /** Hears of a row that this run has taken. */
  readonly taken?: (value: Value) => void
}

/** Rows of one transaction: few are lost when the run is killed, and one sync of the disk serves them all. */
const rowsPerTransaction = 100

/** Takes the rows of a table that were not taken before, each whole or not at all. */
export async function takeTable<Value>(
  context: ImportContext,
  report: TableReport,
  table: TableToTake<Value>,
): Promise<void> {
  for await (const read of table.rows)
    for (let start = 0; start < read.length; start += rowsPerTransaction)
      await takeRows(context, report, table, read.slice(start, start + rowsPerTransaction))
}

/** Outcome for one row, which the report counts once it is committed. */
type Count = () => void

async function takeRows<Value>(
  context: ImportContext,
  report: TableReport,
  table: TableToTake<Value>,
  rows: readonly SourceRow<Value>[],
): Promise<void> {
  const { store, name } = context
  for (const row of rows) if ('value' in row) table.seen?.(row.id, row.value)
  const sourceIds = rows.map(({ id }) => id)
  const counts = await store.transaction(async (tx) => {
    const known = await tx.imports.known(name, table.kind, sourceIds)
    refuseOtherDatabase(name, rows, known, table.markOf)
    const counts: Count[] = []
    for (const row of rows) counts.push(await takeRow(tx, context, report, table, row, known.has(row.id)))
    return counts
  })
  for (const count of counts) count()
}

async function takeRow<Value>(
  tx: Store,
  { name, now, ids }: ImportContext,
  report: TableReport,
  { kind, markOf, take, taken }: TableToTake<Value>,
  row: SourceRow<Value>,
  isKnown: boolean,
): Promise<Count> {
  if ('leftOut' in row) return () => report.leave(row.leftOut)
  if (isKnown)
    return () => {
      report.before += 1
    }
  const { id, value } = row
  const outcome = await take(tx, value, id)
  if ('leftOut' in outcome) return () => report.leave(outcome.leftOut)
  const { targetId, changes } = outcome
  await tx.imports.add([{ source: name, kind, sourceId: id, mark: markOf(value), targetId, importedAt: now }])
  // Rows that follow name it. Should the transaction fail, the run ends.
  ids.add(kind, id, targetId)
  return () => {
    report.take([...row.changes, ...changes])
    taken?.(value)
  }
}

/**
 * Refuses another database of one kind, whose ids are the same and stand for other rows.
 * @throws ImportError when none of the rows that were taken before is what it was
 */
export function refuseOtherDatabase<Value>(
  name: string,
  rows: readonly SourceRow<Value>[],
  known: ReadonlyMap<string, ImportedRow>,
  markOf: (value: Value) => string,
): void {
  const marks = rows.flatMap((row) => {
    const before = known.get(row.id)
    if (before === undefined || before.mark === '' || !('value' in row)) return []
    return [before.mark === markOf(row.value)]
  })
  if (marks.length > 0 && !marks.includes(true))
    throw new ImportError(
      `This is not the database that was imported as "${name}": give it a name of its own with --name.`,
    )
}
