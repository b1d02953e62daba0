import type { Database } from 'bun:sqlite'
import type { Row } from '../../program.ts'
import { openReadingFile } from '../open/reading-file.ts'
import { selectOf, withColumnsOf } from './carried-tables.ts'
import type { TableShape } from './catalogue.ts'
import { type CopySource, refuseRounded, rowsPerBatch } from './copy-source.ts'

/**
 * Reads a SQLite database as of one moment, while a gateway may be writing it.
 * @param batchRows rows that are read at once, during which the thread does nothing else
 * @throws StoreOpenError with one sentence
 */
export function openFileSource(file: string, batchRows = rowsPerBatch): CopySource {
  const reading = openReadingFile(file)
  return {
    kind: 'sqlite',
    read: async (program) => reading.run(program),
    batches: (table, joined) =>
      batchesOf(reading.database, selectOf(table, joined), withColumnsOf(table, joined), batchRows),
    requireUndisturbed: reading.requireUndisturbed,
    close: async () => reading.close(),
  }
}

async function* batchesOf(
  database: Database,
  select: string,
  table: TableShape,
  batchRows: number,
): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = []
  const statement = database.prepare<Row, []>(select)
  try {
    for (const row of statement.iterate()) {
      batch.push(row)
      if (batch.length < batchRows) continue
      refuseRounded(batch, table)
      yield batch
      batch = []
    }
  } finally {
    statement.finalize()
  }
  refuseRounded(batch, table)
  if (batch.length > 0) yield batch
}
