import { defaults, isSecret, isSettingKey, parseSetting, type SettingValues } from '@tollgate/api/settings'
import { splitKeys } from '../../../channels/routing/compile-channel.ts'
import { channelTable } from '../../../store/channels/channels.ts'
import { sealContexts } from '../../../store/installation/sealed-places.ts'
import type { Row } from '../../../store/program.ts'
import { unplacedData } from '../gateways/unplaced.ts'
import { ImportError, type ImportSource, type SourceOption, type SourcePrices } from '../import-source.ts'
import { columnDefaults, columnFates, tableReasons } from './columns.ts'
import type { SourceInstallation } from './open-database.ts'
import { keysOf, readChannel, readCode, readOrder, readTask, type TaskParts } from './other-rows.ts'
import { type AccountParts, readToken, readUser } from './people-rows.ts'
import { grouped } from './read-row.ts'
import type { SourceDatabase } from './source-database.ts'
import { countCalls, UsageReader } from './usage-rows.ts'

const identityLength = 12

/** Another Tollgate as a source: the same rows, with the ids, hashes and seals of another installation. */
export async function openTollgateSource(installation: SourceInstallation): Promise<ImportSource> {
  const { database } = installation
  const options = await readOptions(database)
  const values = valuesOf(options.readable)
  const usage = new UsageReader(database)
  const remarks: string[] = options.unreadable.map(
    (key) => `options: ${key} does not open with the secret: enter it here`,
  )
  return {
    origin: database.origin,
    identity: `tollgate ${database.identity.slice(0, identityLength)}`,
    hasGlobalIds: true,
    quotaPerUnit: values.QuotaPerUnit,
    prices: await pricesOf(database, values),
    async begin(target) {
      if (target.database === database.identity)
        throw new ImportError(
          `${database.origin} is this installation itself, or a copy of it: import takes another one.`,
        )
      if (!target.isApplied && (await installation.isRunning()))
        remarks.push('its gateway runs, or did not end in good order: these are the figures of now')
      else await installation.hold()
    },
    async *options() {
      yield options.readable
    },
    channels: () => read(database.pages('channels', 'channel_accounts'), (row) => readChannel(row, database)),
    async *users() {
      const parts = await accountParts(database)
      yield* read(database.pages('users', 'user_accounts'), (row) => readUser(row, database, parts))
    },
    async *tokens() {
      const held = await heldOf(database, 'token')
      yield* read(database.pages('tokens', 'token_accounts'), (row) => readToken(row, database, held))
    },
    codes: () => read(database.pages('redemptions'), (row) => readCode(row, database)),
    orders: () => read(database.pages('top_up_orders'), readOrder),
    async *tasks() {
      const parts = await taskParts(database)
      yield* read(database.pages('tasks'), (row) => readTask(row, parts))
    },
    callsOf: (user) => usage.callsOf(Number(user)),
    countCalls: () => countCalls(database),
    unplaced: () => unplacedData(catalogueOf(database), { columnFates, columnDefaults, tableReasons }),
    remarks: () => remarks,
    close: () => installation.close(),
  }
}

async function* read<Value>(
  pages: AsyncIterable<readonly Row[]>,
  readRow: (row: Row) => Value,
): AsyncGenerator<readonly Value[]> {
  for await (const rows of pages) yield rows.map(readRow)
}

/** The stored options with their secrets in clear, and the names of those that do not open. */
async function readOptions(database: SourceDatabase) {
  const readable: SourceOption[] = []
  const unreadable: string[] = []
  for (const { key, value } of await database.query<SourceOption>(
    'select key, value from options order by key',
  )) {
    const isSealed = isSettingKey(key) && isSecret(key)
    const text = isSealed ? database.opened(value, sealContexts.option(key)) : value
    if (text === undefined) unreadable.push(key)
    else readable.push({ key, value: text })
  }
  return { readable, unreadable }
}

/** The values in force there. */
function valuesOf(options: readonly SourceOption[]): SettingValues {
  const stored = options.flatMap(({ key, value }) => {
    const parsed = isSettingKey(key) ? parseSetting(key, value) : undefined
    return parsed?.ok ? [[key, parsed.value] as const] : []
  })
  // Each value was parsed as the setting of its key.
  return { ...defaults, ...(Object.fromEntries(stored) as Partial<SettingValues>) }
}

async function pricesOf(database: SourceDatabase, values: SettingValues): Promise<SourcePrices> {
  const models = new Set<string>()
  for (const { models: served } of await database.query<{ models: string }>('select models from channels'))
    for (const model of channelTable.pick(['models']).read({ models: served }).models) models.add(model)
  return { values, models }
}

async function accountParts(database: SourceDatabase): Promise<AccountParts> {
  const byUser = async (table: string, column: string) => {
    const rows = await database.query(`select * from ${table}`)
    return new Map(rows.map((row) => [Number(row[column]), row]))
  }
  return {
    held: await heldOf(database, 'user'),
    factors: await byUser('second_factors', 'user_id'),
    gifts: await byUser('held_invitation_shares', 'invitee_id'),
  }
}

async function heldOf(
  database: SourceDatabase,
  kind: 'user' | 'token',
): Promise<ReadonlyMap<number, number>> {
  const rows = await database.query<{ account_id: number; amount: number }>(
    'select account_id, cast(sum(amount) as bigint) as amount from holds where account_kind = ? group by account_id',
    [kind],
  )
  return new Map(rows.map(({ account_id, amount }) => [account_id, amount]))
}

async function taskParts(database: SourceDatabase): Promise<TaskParts> {
  const keys = new Map<string, string>()
  for await (const rows of database.pages('channels'))
    for (const row of rows) {
      const channel = channelTable.pick(['id', 'keysSealed']).read(row)
      for (const key of splitKeys(keysOf(channel, database) ?? '')) keys.set(database.vault.hash(key), key)
    }
  return { keys, holds: grouped(await database.query('select * from holds'), (row) => String(row['id'])) }
}

/** The schema of the source, in the words of a database of another program. A server may have other tables beside. */
function catalogueOf(database: SourceDatabase) {
  const quoted = (name: string) => `"${name}"`
  return {
    tables: async () => [...(await database.tables()).keys()],
    columns: async (table: string) =>
      new Set(Object.keys((await database.tables()).get(table)?.columns ?? {})),
    async count(table: string) {
      const [row] = await database.query<{ n: number }>(`select count(*) as n from ${quoted(table)}`)
      return row?.n ?? 0
    },
    query: async (statement: string, parameters: readonly (string | number)[] = []) => [
      ...(await database.query(statement, parameters)),
    ],
    quoted,
    asText: (expression: string) => `cast(${expression} as text)`,
  }
}
