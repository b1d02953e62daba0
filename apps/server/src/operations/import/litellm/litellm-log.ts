import { decimalOf, multiply, roundToInteger } from '@tollgate/base/decimal'
import type { ForeignDatabase } from '../../../store/engine/foreign/foreign-database.ts'
import type { SourceCalls } from '../import-source.ts'
import { callsRow, tables } from './tables.ts'

/** Hourly sums of the log, by the owner of the key that called. */
export interface LiteLlmLog {
  readonly count: number
  /** Calls of an owner that did not fail. */
  countOf(owner: string): number
  callsOf(owner: string, quotaPerUnit: number): readonly SourceCalls[]
}

type Sum = ReturnType<typeof callsRow.parse>

/** @param ownerOf the owner of a key by its hash; `undefined` for a key that is gone */
export async function readLog(
  database: ForeignDatabase,
  ownerOf: (key: string) => string | undefined,
): Promise<LiteLlmLog> {
  const byOwner = new Map<string, Sum[]>()
  let count = 0
  if (await database.has(tables.log))
    for (const row of await database.query(sums)) {
      const sum = callsRow.parse(row)
      const owner = ownerOf(sum.api_key) ?? sum.user
      const known = byOwner.get(owner)
      if (known === undefined) byOwner.set(owner, [sum])
      else known.push(sum)
      count += sum.calls
    }
  return {
    count,
    countOf: (owner) =>
      (byOwner.get(owner) ?? []).reduce((calls, sum) => calls + (sum.failed === 1 ? 0 : sum.calls), 0),
    callsOf: (owner, quotaPerUnit) => (byOwner.get(owner) ?? []).map((sum) => callsOf(sum, quotaPerUnit)),
  }
}

const sums = `select cast(floor(extract(epoch from "startTime") / 3600) * 3600 as bigint) as hour, api_key, "user",
    coalesce(nullif(model_group, ''), model) as model, case when status = 'failure' then 1 else 0 end as failed,
    count(*) as calls, sum(spend) as spend, sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens
  from "${tables.log}" group by 1, 2, 3, 4, 5`

/** Returns the calls of a sum, each rounded for itself; the rest of the total is charged in one sum. */
function callsOf(sum: Sum, quotaPerUnit: number): SourceCalls {
  const isFailed = sum.failed === 1
  const exact = multiply(decimalOf(sum.spend), decimalOf(quotaPerUnit))
  return {
    hour: sum.hour,
    type: isFailed ? 'error' : 'consumption',
    model: sum.model,
    channel: '',
    count: sum.calls,
    quota: isFailed ? 0 : roundToInteger(exact, 'half-away'),
    promptTokens: isFailed ? 0 : sum.prompt_tokens,
    completionTokens: isFailed ? 0 : sum.completion_tokens,
  }
}
