import { type LogType, logTypes } from '@tollgate/api/roles'
import { getOrInsert } from '@tollgate/base'
import type { RowColumns, SqlTexts } from '../../dialects/sql-dialect.ts'
import type { BatchStatement } from '../../program.ts'
import { clipKey } from '../../schema/text.ts'
import type { Quota, Seconds } from '../../units.ts'
import type { NewLogRow } from '../index/log-row.ts'
import { addCost, type ChargeCorrection, type CostSum, quarterOf, safe } from './charge-sums.ts'

/** The fields of a log row that the rollup counts. */
type CountedRow = Pick<
  NewLogRow,
  'createdAt' | 'userId' | 'model' | 'quota' | 'cost' | 'promptTokens' | 'completionTokens'
>

interface RollupKey {
  /** Beginning of a quarter: the hourly rollups have rows of quarters until these are over. */
  readonly hour: Seconds
  readonly type: LogType
  readonly userId: number
  readonly model: string
}

interface RollupSum extends RollupKey {
  count: number
  quota: Quota
  promptTokens: number
  completionTokens: number
  cost: Quota
  costedQuota: Quota
  costedCalls: number
}

/** The summed figures, each with its column. */
const sumColumns = {
  count: 'count',
  quota: 'quota',
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  cost: 'cost',
  costedQuota: 'costed_quota',
  costedCalls: 'costed_calls',
} as const
const sumNames = [
  'count',
  'quota',
  'promptTokens',
  'completionTokens',
  'cost',
  'costedQuota',
  'costedCalls',
] as const
const costNames = ['cost', 'costedQuota', 'costedCalls'] as const satisfies readonly (keyof CostSum)[]
const noSums = {
  count: 0,
  quota: 0,
  promptTokens: 0,
  completionTokens: 0,
  cost: 0,
  costedQuota: 0,
  costedCalls: 0,
}

type ByModel = Map<string, RollupSum>
type ByUser = Map<number, ByModel>
type ByType = Map<LogType, ByUser>

const noHour = (): ByType => new Map()
const noType = (): ByUser => new Map()
const noUser = (): ByModel => new Map()

/** The sums that log rows add to the hourly rollups. */
export class RollupSums {
  readonly #all: RollupSum[] = []
  readonly #byHour = new Map<Seconds, ByType>()
  /** The sums of the last row: the next one often has the same key. */
  #last: RollupSum | undefined

  /** @param row with its texts as the table stores them */
  add(type: LogType, row: CountedRow): void {
    this.addSum(type, row, 1)
  }

  /**
   * @param count of the rows whose sums `row` has
   * @param costs of those of which a cost is known, where that is a sum too
   */
  addSum(type: LogType, row: CountedRow, count: number, costs?: CostSum): void {
    const sum = this.#sumOf(type, row)
    sum.count += count
    sum.quota = safe(sum.quota + row.quota)
    sum.promptTokens = safe(sum.promptTokens + row.promptTokens)
    sum.completionTokens = safe(sum.completionTokens + row.completionTokens)
    if (costs === undefined) addCost(sum, row)
    else for (const name of costNames) sum[name] = safe(sum[name] + costs[name])
  }

  /** Changes the charges of calls that are counted already. */
  correct({ quota, costedQuota, at, ...key }: ChargeCorrection & Pick<CountedRow, 'userId' | 'model'>): void {
    const sum = this.#sumOf('consumption', { ...noSums, ...key, createdAt: at })
    sum.quota = safe(sum.quota + quota)
    sum.costedQuota = safe(sum.costedQuota + costedQuota)
  }

  #sumOf(type: LogType, { createdAt, userId, model }: CountedRow): RollupSum {
    const hour = quarterOf(createdAt)
    const name = clipKey(model)
    const last = this.#last
    const isLikeLast =
      last?.model === name && last.userId === userId && last.hour === hour && last.type === type
    if (isLikeLast) return last
    this.#last = this.#find({ hour, type, userId, model: name })
    return this.#last
  }

  /** Nested small look-ups: building a key for each row would cost more. */
  #find(key: RollupKey): RollupSum {
    const byUser = getOrInsert(getOrInsert(this.#byHour, key.hour, noHour), key.type, noType)
    const byModel = getOrInsert(byUser, key.userId, noUser)
    return byModel.get(key.model) ?? this.#begin(byModel, key)
  }

  #begin(byModel: ByModel, key: RollupKey): RollupSum {
    const sum = { ...key, ...noSums }
    byModel.set(key.model, sum)
    this.#all.push(sum)
    return sum
  }

  /** The beginnings of the quarters that have sums. */
  get quarters(): Iterable<Seconds> {
    return this.#byHour.keys()
  }

  /** Adds the sums by user and model to a table of them. */
  byUser(table: 'usage_hourly' | 'imported_usage', dialect: SqlTexts): BatchStatement {
    return addSums(
      table,
      { hour: 'integer', type: 'integer', user_id: 'integer', model: 'text' },
      this.#all.map((sum) => ({ key: [sum.hour, logTypes[sum.type], sum.userId, sum.model], sum })),
      dialect,
    )
  }

  /** Adds the sums to the tables: by user and model, and (of calls) by model alone. */
  statements(dialect: SqlTexts): BatchStatement[] {
    const calls = this.#all.filter(({ type }) => type === 'consumption' || type === 'error')
    const byUser = this.byUser('usage_hourly', dialect)
    if (calls.length === 0) return [byUser]
    const byModel = addSums(
      'usage_by_model',
      { type: 'integer', hour: 'integer', model: 'text' },
      sumsByModel(calls).map((sum) => ({ key: [logTypes[sum.type], sum.hour, sum.model], sum })),
      dialect,
    )
    return [byUser, byModel]
  }
}

/** The sum over the users of a model; in the order of the first of them. */
function sumsByModel(sums: readonly RollupSum[]): RollupSum[] {
  const byKey = new Map<string, RollupSum>()
  for (const sum of sums) {
    const key = `${sum.hour} ${sum.type} ${sum.model}`
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, { ...sum })
    else for (const name of sumNames) known[name] = safe(known[name] + sum[name])
  }
  return [...byKey.values()]
}

interface KeyedSum {
  readonly key: readonly (number | string)[]
  readonly sum: RollupSum
}

function addSums(
  table: string,
  key: RowColumns,
  sums: readonly KeyedSum[],
  dialect: SqlTexts,
): BatchStatement {
  const added = Object.values(sumColumns).map(
    (column) => `${column} = ${table}.${column} + excluded.${column}`,
  )
  return dialect.insertRows(
    table,
    {
      ...key,
      ...Object.fromEntries(Object.values(sumColumns).map((column) => [column, 'integer' as const])),
    },
    sums.map(({ key, sum }) => [...key, ...sumNames.map((name) => sum[name])]),
    `on conflict (${Object.keys(key).join(', ')}) do update set ${added.join(', ')}`,
  )
}
