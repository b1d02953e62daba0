import type { Database } from 'bun:sqlite'
import { openReadingFile } from '../open/reading-file.ts'
import type { Row } from '../program.ts'
import { columnListOf } from './carried-tables.ts'
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
    batches: (table) => batchesOf(reading.database, table, batchRows),
    requireUndisturbed: reading.requireUndisturbed,
    close: async () => reading.close(),
  }
}

async function* batchesOf(
  database: Database,
  table: TableShape,
  batchRows: number,
): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = []
  const statement = database.prepare<Row, []>(`select ${columnListOf(table)} from "${table.name}"`)
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
