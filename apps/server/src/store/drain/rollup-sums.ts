import { type LogType, logTypes } from '@tollgate/api/roles'
import { entryOf } from '../../lib/entry-of.ts'
import type { RowColumns, SqlWords } from '../dialects/words.ts'
import type { LogRow, Quota, Seconds } from '../entities.ts'
import type { BatchStatement } from '../program.ts'
import { clipKey } from '../text.ts'
import { hourOf, safe } from './charge-sums.ts'

/** What the rollup counts of a log row. */
type CountedRow = Pick<
  LogRow,
  'createdAt' | 'userId' | 'model' | 'quota' | 'promptTokens' | 'completionTokens'
>

interface RollupSum {
  readonly hour: Seconds
  readonly type: LogType
  readonly userId: number
  readonly model: string
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

/** What log rows add to the hourly rollup. */
export class RollupSums {
  readonly #sums = new Map<string, RollupSum>()

  /** @param row its texts as they stand in the table */
  add(type: LogType, row: CountedRow): void {
    const { userId } = row
    const hour = hourOf(row.createdAt)
    const model = clipKey(row.model)
    const sum = entryOf(this.#sums, `${hour} ${type} ${userId} ${model}`, () => ({
      hour,
      type,
      userId,
      model,
      count: 0,
      quota: 0,
      promptTokens: 0,
      completionTokens: 0,
    }))
    sum.count += 1
    sum.quota = safe(sum.quota + row.quota)
    sum.promptTokens = safe(sum.promptTokens + row.promptTokens)
    sum.completionTokens = safe(sum.completionTokens + row.completionTokens)
  }

  /** Adds the sums to the table. */
  statement(words: SqlWords): BatchStatement {
    return words.insertRows(
      'usage_hourly',
      columns,
      Array.from(this.#sums.values(), (sum) => [
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
