import { StoreOpenError } from '../../errors.ts'
import type { Program, Row } from '../../program.ts'
import { carriedTables } from './carried-tables.ts'
import { countRowsOf, readTables, type TableShape } from './catalogue.ts'
import type { CopySource } from './copy-source.ts'

/** Hears of each step: so many rows of a table are copied, of how many where that is known. */
export type Progress = (table: string, done: number, total?: number) => void

/** Numbers of copied tables and rows. */
export interface Copied {
  readonly tables: number
  readonly rows: number
}

/** A database that takes the rows of another one. */
export interface CopyTarget {
  readonly kind: CopySource['kind']
  read<Result>(program: Program<Result>): Promise<Result>
  add(table: TableShape, rows: readonly Row[]): Promise<void>
}

/** The tables that go from one database into the other. */
export async function tablesOf(
  source: CopySource,
  target: Pick<CopyTarget, 'kind' | 'read'>,
): Promise<readonly TableShape[]> {
  const from = await source.read(readTables(source.kind))
  const into = await target.read(readTables(target.kind))
  return source.kind === 'sqlite' ? carriedTables(from, into) : carriedTables(into, from)
}

/**
 * Copies every row of the tables, which are empty at the target.
 * @throws StoreOpenError when a table has not the same number of rows afterwards
 */
export async function copyTables(
  source: CopySource,
  target: CopyTarget,
  tables: readonly TableShape[],
  progress: Progress,
): Promise<Copied> {
  let rows = 0
  for (const table of tables) rows += await copyTable(source, target, table, progress)
  return { tables: tables.length, rows }
}

async function copyTable(
  source: CopySource,
  target: CopyTarget,
  table: TableShape,
  progress: Progress,
): Promise<number> {
  const total = await source.read(countRowsOf(table))
  let done = 0
  for await (const rows of source.batches(table)) {
    await target.add(table, rows)
    done += rows.length
    progress(table.name, done, total)
  }
  const found = await target.read(countRowsOf(table))
  if (done !== total || found !== total)
    throw new StoreOpenError(
      `The table ${table.name} has ${total} rows, and ${found} were copied: nothing was changed, try again.`,
    )
  return total
}
