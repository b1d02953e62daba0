import { type LogType, logTypes } from '@tollgate/api/roles'
import { getOrInsert } from '@tollgate/base'
import type { RowColumns, SqlDialect } from '../dialects/sql-dialect.ts'
import type { LogRow, Quota, Seconds } from '../entities.ts'
import type { BatchStatement } from '../program.ts'
import { clipKey } from '../text.ts'
import { hourOf, safe } from './charge-sums.ts'

/** What the rollup counts of a log row. */
type CountedRow = Pick<
  LogRow,
  'createdAt' | 'userId' | 'model' | 'quota' | 'promptTokens' | 'completionTokens'
>

interface RollupPlace {
  readonly hour: Seconds
  readonly type: LogType
  readonly userId: number
  readonly model: string
}

interface RollupSum extends RollupPlace {
  count: number
  quota: Quota
  promptTokens: number
  completionTokens: number
}

const columns: RowColumns = {
  hour: 'integer',
  type: 'integer',
  user_id: 'integer',
  model: 'text',
  count: 'integer',
  quota: 'integer',
  prompt_tokens: 'integer',
  completion_tokens: 'integer',
}

type ByModel = Map<string, RollupSum>
type ByUser = Map<number, ByModel>
type ByType = Map<LogType, ByUser>

const noHour = (): ByType => new Map()
const noType = (): ByUser => new Map()
const noUser = (): ByModel => new Map()

/** What log rows add to the hourly rollup. */
export class RollupSums {
  readonly #all: RollupSum[] = []
  readonly #byHour = new Map<Seconds, ByType>()
  /** Where the last row was counted: the next one is often like it. */
  #last: RollupSum | undefined

  /** @param row its texts as they stand in the table */
  add(type: LogType, row: CountedRow): void {
    const sum = this.#sumOf(type, row)
    sum.count += 1
    sum.quota = safe(sum.quota + row.quota)
    sum.promptTokens = safe(sum.promptTokens + row.promptTokens)
    sum.completionTokens = safe(sum.completionTokens + row.completionTokens)
  }

  #sumOf(type: LogType, { createdAt, userId, model }: CountedRow): RollupSum {
    const hour = hourOf(createdAt)
    const name = clipKey(model)
    const last = this.#last
    const isLikeLast =
      last?.model === name && last.userId === userId && last.hour === hour && last.type === type
    if (isLikeLast) return last
    this.#last = this.#find({ hour, type, userId, model: name })
    return this.#last
  }

  /** By one small look-up after the other: putting a key together for each row would cost more. */
  #find(place: RollupPlace): RollupSum {
    const byUser = getOrInsert(getOrInsert(this.#byHour, place.hour, noHour), place.type, noType)
    const byModel = getOrInsert(byUser, place.userId, noUser)
    return byModel.get(place.model) ?? this.#begin(byModel, place)
  }

  #begin(byModel: ByModel, place: RollupPlace): RollupSum {
    const sum = { ...place, count: 0, quota: 0, promptTokens: 0, completionTokens: 0 }
    byModel.set(place.model, sum)
    this.#all.push(sum)
    return sum
  }

  /** Adds the sums to the table. */
  statement(dialect: SqlDialect): BatchStatement {
    return dialect.insertRows(
      'usage_hourly',
      columns,
      this.#all.map((sum) => [
        sum.hour,
        logTypes[sum.type],
        sum.userId,
        sum.model,
        sum.count,
        sum.quota,
        sum.promptTokens,
        sum.completionTokens,
      ]),
      `on conflict (hour, type, user_id, model) do update set
        count = usage_hourly.count + excluded.count,
        quota = usage_hourly.quota + excluded.quota,
        prompt_tokens = usage_hourly.prompt_tokens + excluded.prompt_tokens,
        completion_tokens = usage_hourly.completion_tokens + excluded.completion_tokens`,
    )
  }
}
