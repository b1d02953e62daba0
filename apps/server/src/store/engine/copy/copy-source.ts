import type { DatabaseKind } from '../../dialects/sql-dialect.ts'
import type { Program, Row } from '../../program.ts'
import type { TableShape } from './catalogue.ts'

/** A database as it is at one moment, to read. */
export interface CopySource {
  readonly kind: DatabaseKind
  /** Runs a program of small reads. */
  read<Result>(program: Program<Result>): Promise<Result>
  /** Every row of a table, some at a time, with the columns of another one that has a row for each of its ids. */
  batches(table: TableShape, joined?: TableShape): AsyncGenerator<readonly Row[]>
  /** @throws StoreOpenError when what was read was not of one moment after all */
  requireUndisturbed(): void
  close(): Promise<void>
}

/** Rows of one batch: some megabytes of the widest table. */
export const rowsPerBatch = 5000

/** @throws RangeError for an integer that was rounded on its way here */
export function refuseRounded(rows: readonly Row[], { name, columns }: TableShape): void {
  for (const [column, type] of Object.entries(columns)) {
    if (type !== 'integer') continue
    for (const row of rows) {
      const value = row[column]
      if (typeof value === 'number' && !Number.isSafeInteger(value))
        throw new RangeError(`${name}.${column} in the database is beyond the safe integers`)
    }
  }
}
