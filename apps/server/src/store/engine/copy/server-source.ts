import type { Row } from '../../program.ts'
import type { PooledConnection } from '../connections/postgres-pool.ts'
import { beginOnServer } from '../open/server-connection.ts'
import { selectOf, withColumnsOf } from './carried-tables.ts'
import type { TableShape } from './catalogue.ts'
import { type CopySource, refuseRounded, rowsPerBatch } from './copy-source.ts'

/**
 * Reads a PostgreSQL database as of one moment, while nodes may be writing it.
 * @throws StoreOpenError with one sentence
 */
export async function openServerSource(url: string, batchRows = rowsPerBatch): Promise<CopySource> {
  const { connection, run, close } = await beginOnServer(
    url,
    'begin isolation level repeatable read read only',
  )
  return {
    kind: 'postgres',
    read: run,
    batches: (table, joined) =>
      batchesOf(connection, selectOf(table, joined), withColumnsOf(table, joined), batchRows),
    requireUndisturbed: () => undefined,
    close,
  }
}

async function* batchesOf(
  connection: PooledConnection,
  select: string,
  table: TableShape,
  batchRows: number,
): AsyncGenerator<readonly Row[]> {
  await connection.query(`declare copied no scroll cursor for ${select}`)
  for (;;) {
    const { rows } = await connection.query(`fetch ${batchRows} from copied`)
    if (rows.length === 0) break
    refuseRounded(rows, table)
    yield rows
  }
  await connection.query('close copied')
}
