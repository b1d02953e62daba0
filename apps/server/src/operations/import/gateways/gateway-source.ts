import { logTypes } from '@tollgate/api'
import type { ForeignDatabase, ForeignRow } from '../../../store/engine/foreign/foreign-database.ts'
import type { Seconds } from '../../../store/units.ts'
import { ImportError, type ImportSource, type SourceCalls, type SourceRow } from '../import-source.ts'
import { columnDefaults, columnFates, tableReasons } from './columns.ts'
import { withChargedRatios } from './completion-ratios.ts'
import { type GatewayKind, readChannel, readCode, readOrder, readToken, readUser } from './gateway-rows.ts'
import { callsRow, optionRow } from './tables.ts'
import { prepaidQuota, unplacedData } from './unplaced.ts'

interface Dependencies {
  readonly kind: GatewayKind
  readonly database: ForeignDatabase
  readonly now: Seconds
}

/** Units of a dollar where no option says otherwise, in both. */
const defaultQuotaPerUnit = 500_000

/** one-api or new-api, by its database. Throws ImportError for a database of another program. */
export async function openGatewaySource(deps: Dependencies): Promise<ImportSource> {
  const { kind, database, now } = deps
  for (const table of ['users', 'tokens', 'channels', 'options'])
    if (!(await database.has(table)))
      throw new ImportError(`${database.origin} is no database of ${kind}: it has no table "${table}".`)
  const options = await readOptions(database)
  const quotaPerUnit = Number(options.find(({ key }) => key === 'QuotaPerUnit')?.value ?? defaultQuotaPerUnit)
  const log = await openLog(database)
  // The rule for dots got its date two months before this column came.
  const isOldProgram = !(await database.columns('channels')).has('settings')
  return {
    origin: database.origin,
    hasGlobalIds: false,
    quotaPerUnit,
    async *options() {
      yield kind === 'new-api' ? withChargedRatios(options) : options
    },
    channels: () => rowsOf(database, 'channels', (row) => readChannel(row, kind, isOldProgram)),
    users: () => rowsOf(database, 'users', readUser),
    tokens: () => rowsOf(database, 'tokens', readToken),
    codes: () => rowsOf(database, 'redemptions', (row) => readCode(row, now)),
    orders: () => rowsOf(database, 'top_ups', (row) => readOrder(row, quotaPerUnit)),
    ...log,
    unplaced: async () => [
      ...(await unplacedData(withoutLog(database), { columnFates, columnDefaults, tableReasons })),
      ...(await prepaidQuota(database)),
      ...(await otherLogRows(database)),
    ],
    remarks: () => [],
    close: () => database.close(),
  }
}

async function* rowsOf<Value>(
  database: ForeignDatabase,
  table: string,
  read: (row: ForeignRow) => SourceRow<Value>,
): AsyncGenerator<readonly SourceRow<Value>[]> {
  if (!(await database.has(table))) return
  for await (const rows of database.rows(table, 'id')) yield rows.map(read)
}

async function readOptions(database: ForeignDatabase) {
  const options = []
  for await (const rows of database.rows('options', 'key'))
    options.push(...rows.map((row) => optionRow.parse(row)))
  return options
}

const callTypes = { [logTypes.consumption]: 'consumption', [logTypes.error]: 'error' } as const

/** The log, which may lie in another database. */
async function openLog(database: ForeignDatabase): Promise<Pick<ImportSource, 'callsOf' | 'countCalls'>> {
  if (!(await database.has('logs'))) return { callsOf: async () => [], countCalls: async () => 0 }
  const types = Object.keys(callTypes).join(', ')
  return {
    async callsOf(user) {
      const rows = await database.query(
        `select created_at - created_at % 3600 as hour, type, model_name as model, channel_id as channel,
          count(*) as calls, sum(quota) as quota, sum(prompt_tokens) as prompt_tokens,
          sum(completion_tokens) as completion_tokens
        from logs where user_id = ? and type in (${types})
        group by created_at - created_at % 3600, type, model_name, channel_id`,
        [Number(user)],
      )
      return rows.map((row): SourceCalls => {
        const sum = callsRow.parse(row)
        return {
          hour: sum.hour,
          type: sum.type === logTypes.error ? 'error' : 'consumption',
          model: sum.model,
          channel: sum.channel === 0 ? '' : String(sum.channel),
          count: sum.calls,
          quota: sum.quota,
          promptTokens: sum.prompt_tokens,
          completionTokens: sum.completion_tokens,
        }
      })
    },
    async countCalls() {
      const [row] = await database.query(`select count(*) as n from logs where type in (${types})`)
      return Number(row?.['n'] ?? 0)
    },
  }
}

/** Returns the database without its log, which is taken as sums. */
function withoutLog(database: ForeignDatabase): ForeignDatabase {
  return {
    ...database,
    tables: async () => (await database.tables()).filter((table) => table !== 'logs'),
  }
}

async function otherLogRows(database: ForeignDatabase) {
  if (!(await database.has('logs'))) return []
  const types = Object.keys(callTypes).join(', ')
  const [row] = await database.query(`select count(*) as n from logs where type not in (${types})`)
  const rows = Number(row?.['n'] ?? 0)
  const why = 'they are no calls: what was credited is in the balances'
  return rows === 0 ? [] : [{ table: 'other log rows', rows, why }]
}
