import { endOfTime } from '@tollgate/api/calendar'
import { logTypes } from '@tollgate/api/roles'
import { type Program, query } from '../program.ts'
import type { Quota, Seconds } from '../units.ts'
import { type Fragment, oneStretch, rowsOfStretch } from './quarters/split-hours.ts'

/** Calls of everybody with one model: charges with the ratios of groups, and tokens. */
export interface ModelUsage {
  readonly model: string
  readonly calls: number
  readonly quota: Quota
  readonly promptTokens: number
  readonly completionTokens: number
}

const sums = ['count', 'quota', 'prompt_tokens', 'completion_tokens'] as const

/** Reads what calls of these models came to since a quarter of an hour, of the logged ones; `models` as keys of rollups have them. */
export function* readModelUsage(since: Seconds, models: readonly string[]): Program<readonly ModelUsage[]> {
  // PostgreSQL knows no empty list.
  if (models.length === 0) return []
  const only: Fragment = {
    sql: `type = ${logTypes.consumption} and model in (${models.map(() => '?').join(', ')})`,
    parameters: models,
  }
  const { sql, parameters } = rowsOfStretch({
    stretch: oneStretch(since, endOfTime),
    key: ['model'],
    sums,
    rows: {
      sql: `select model, ${sums.join(', ')} from usage_by_model where ${only.sql} and hour >= ?`,
      parameters: [...models, since],
    },
    quarters: 'usage_by_model_quarters',
    only,
  })
  const names = {
    calls: 'count',
    quota: 'quota',
    promptTokens: 'prompt_tokens',
    completionTokens: 'completion_tokens',
  }
  const totals = Object.entries(names).map(([name, column]) => `cast(sum(${column}) as bigint) as "${name}"`)
  return yield* query<ModelUsage>(
    `select model, ${totals.join(', ')} from ${sql} as usage group by model`,
    parameters,
  )
}
