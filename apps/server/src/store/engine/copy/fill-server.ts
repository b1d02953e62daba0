import { z } from 'zod'
import type { Logger } from '../../../lib/logger.ts'
import { StoreOpenError } from '../../errors.ts'
import { defaultBlockRows, defaultSpanBlocks } from '../../log/index/sealer.ts'
import { addPartitions } from '../../log/partitions/cover.ts'
import { partitionWidth } from '../../log/partitions/ranges.ts'
import { type Program, query } from '../../program.ts'
import { createStore, type Store } from '../../store.ts'
import { readTransaction, type ServerTransactionId } from '../open/committed-transaction.ts'
import { beginAloneOnServer, nameServer, type ServerTransaction } from '../open/server-connection.ts'
import { readInstallation } from '../state.ts'
import { columnListOf, columnsOf } from './carried-tables.ts'
import { readCounters, readOption, readSequences, type TableShape } from './catalogue.ts'
import type { CopySource } from './copy-source.ts'
import { type Copied, type CopyTarget, copyTables, type Progress, tablesOf } from './copy-tables.ts'
import { encodeCopyRows } from './copy-text.ts'
import { returnShares } from './return-shares.ts'

export interface FillServer {
  readonly url: string
  readonly source: CopySource
  readonly progress: Progress
  /** Runs in the same transaction, once every row is there. */
  readonly settle: (store: Store) => Promise<void>
  /** Runs when everything is there, before this transaction is committed. */
  readonly committing?: (transaction: ServerTransactionId) => void
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Makes a PostgreSQL database that has no installation a copy of another one, in one transaction: all of it or nothing. No node
 * runs over it meanwhile.
 * @throws StoreOpenError with one sentence
 */
export async function fillServer(filling: FillServer): Promise<Copied> {
  const { url, logger } = filling
  const look = await beginUnused(url)
  await look.close()
  const { openPostgres } = await postgres()
  const log = { blockRows: defaultBlockRows, spanBlocks: defaultSpanBlocks.postgres }
  // Nothing in it is lost: there is no installation.
  const upgrade = { dataDir: '', copyChoice: 'none' } as const
  await (await openPostgres({ url, ...log, upgrade, logger })).close()
  const transaction = await beginUnused(url)
  try {
    const copied = await fill(transaction, filling)
    filling.source.requireUndisturbed()
    filling.committing?.(await transaction.run(readTransaction()))
    await transaction.commit()
    return copied
  } finally {
    await transaction.close()
  }
}

/** Loaded by those who use it. */
function postgres() {
  return import('../connections/postgres.ts')
}

async function beginUnused(url: string): Promise<ServerTransaction> {
  const transaction = await beginAloneOnServer(url)
  const { isUsed, movedTo } = await transaction.run(readInstallation('postgres'))
  if (!isUsed && movedTo === '') return transaction
  await transaction.close()
  throw new StoreOpenError(
    `${upperFirst(nameServer(url))} holds an installation already: name an empty database.`,
  )
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

async function fill(
  transaction: ServerTransaction,
  { source, progress, settle }: FillServer,
): Promise<Copied> {
  const { connection, run } = transaction
  const tables = await tablesOf(source, { kind: 'postgres', read: run })
  await run(emptyTables(tables))
  const days = await source.read(daysOfLog())
  const retention = Number((await source.read(readOption('LogRetentionDays'))) ?? 0)
  await run(coverDays(days, retention))
  const triggered = await run(tablesWithTriggers())
  await run(switchTriggers(triggered, 'disable'))
  const copied = await copyTables(source, serverTarget(transaction), tables, progress)
  await run(switchTriggers(triggered, 'enable'))
  await run(setSequences(new Map((await source.read(readCounters(source.kind))).map(asEntry))))
  const { withinTransaction } = await postgres()
  await withinTransaction(connection, (joined) =>
    settle(createStore({ ...joined, upgraded: undefined, close: async () => undefined })),
  )
  // What was settled just now was charged to the share of a node, too.
  await run(returnShares())
  await run(analyzeTables(tables))
  return copied
}

function asEntry({ table, last }: { readonly table: string; readonly last: number }): [string, number] {
  return [table, last]
}

function serverTarget({ connection, run }: ServerTransaction): CopyTarget {
  return {
    kind: 'postgres',
    read: run,
    add: (table, rows) =>
      connection
        .copyIn(
          `copy "${table.name}" (${columnListOf(table)}) from stdin`,
          encodeCopyRows(rows, columnsOf(table)),
        )
        .catch((error) => {
          throw refusedRows(table, error)
        }),
  }
}

/** Classes of SQLSTATE that say that it is a row: a value, a rule of the table, a limit of the server. */
const rowFaults = /^(22|23|54)/

/** Rows that one database takes and the other does not: the operator alone can change them. */
function refusedRows({ name }: TableShape, error: unknown): unknown {
  const { code, message, detail } = rowFault.parse(error)
  if (!rowFaults.test(code)) return error
  const [reason] = [message, ...(detail === undefined ? [] : [detail])].join(': ').split('\n')
  return new StoreOpenError(
    `PostgreSQL does not take a row of the table ${name} (${reason}): change it at the source and begin again, nothing was changed.`,
    { cause: error },
  )
}

const rowFault = z.object({
  code: z.string().catch(''),
  message: z.string().catch(''),
  detail: z.string().optional().catch(undefined),
})

function namesOf(tables: readonly TableShape[]): string {
  return tables.map(({ name }) => `"${name}"`).join(', ')
}

/** Empties the tables of what a start without a set-up leaves: its identity, a set-up code, the last runs of jobs. */
function* emptyTables(tables: readonly TableShape[]): Program<void> {
  yield* query(`truncate ${namesOf(tables)}, nodes, changes`)
}

const daySeconds = 86_400

/** The days, counted from 1970, of which the log has rows. */
function* daysOfLog(): Program<readonly number[]> {
  const rows = yield* query<{ day: number }>(
    `select distinct created_at / ${daySeconds} as day from logs order by 1`,
  )
  return rows.map(({ day }) => day)
}

/** Partitions for the times of the rows: old ones go at once when they are cleared. */
function* coverDays(days: readonly number[], retentionDays: number): Program<void> {
  for (const day of days)
    yield* addPartitions({ from: day * daySeconds, to: day * daySeconds }, partitionWidth(retentionDays))
}

function* tablesWithTriggers(): Program<readonly string[]> {
  const rows = yield* query<{ name: string }>(
    `select distinct relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
      where not tgisinternal and relnamespace = current_schema()::regnamespace and not relispartition`,
  )
  return rows.map(({ name }) => name)
}

/** They announce changes to nodes, of which none runs. */
function* switchTriggers(names: readonly string[], how: 'enable' | 'disable'): Program<void> {
  for (const name of names) yield* query(`alter table "${name}" ${how} trigger user`)
}

/** Sets every sequence to continue where the source's does, also where the last rows are gone. */
function* setSequences(counters: ReadonlyMap<string, number>): Program<void> {
  for (const [table, sequence] of yield* readSequences()) {
    const last = counters.get(table) ?? 0
    yield* query(`select setval('"${sequence}"', ${Math.max(1, last)}, ${last > 0})`)
  }
}

/** Until the server looks at them by itself, it would plan as for empty tables. */
function* analyzeTables(tables: readonly TableShape[]): Program<void> {
  yield* query(`analyze ${namesOf(tables)}`)
}
