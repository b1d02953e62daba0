import { logTypes } from '@tollgate/api/roles'
import { type Program, query, type Value } from '../../program.ts'
import { percentPattern, storableKey, storableText } from '../../schema/text.ts'
import { type ColumnDimension, columnOf, type Dimension, dimensions, textDimensions } from './dimensions.ts'
import { hasSeveralAttempts, rescued, triedPattern } from './failover/failover.ts'
import type { LogFilter } from './log-row.ts'

/** The condition of a filter on one dimension: some values, or (for texts) every value that matches a pattern. */
type Condition =
  | { readonly dimension: ColumnDimension; readonly values: readonly Value[] }
  | { readonly dimension: ColumnDimension; readonly pattern: string }

/** A condition in the numbers of postings: one of the values in one of the dimensions, and no row has two of them. */
export interface PostingCondition {
  readonly dimensions: readonly Dimension[]
  readonly values: readonly number[]
}

/** A filter with its conditions for postings. */
export interface Look {
  readonly filter: LogFilter
  readonly conditions: readonly PostingCondition[]
}

export function timesOf({ from, to }: LogFilter): { from: number; to: number } {
  return { from: from ?? Number.MIN_SAFE_INTEGER, to: to ?? Number.MAX_SAFE_INTEGER }
}

function conditionsOf(filter: LogFilter): Condition[] {
  const { type, userId, tokenId, channelId, tokenName, model, group } = filter
  const values: Partial<Record<ColumnDimension, Value | readonly Value[] | undefined>> = {
    type: type && (typeof type === 'string' ? logTypes[type] : type.map((each) => logTypes[each])),
    user: userId,
    key: tokenId,
    channel: channelId,
    token: tokenName && storableKey(tokenName),
    model: model && storableKey(model),
    group: group && storableKey(group),
  }
  return Object.entries(values).flatMap(([name, value]): Condition[] => {
    const dimension = name as ColumnDimension
    if (value === undefined) return []
    if (dimension === 'model' && String(value).includes('%'))
      return [{ dimension, pattern: percentPattern(String(value)) }]
    return [
      { dimension, values: typeof value === 'object' && Array.isArray(value) ? value : [value as Value] },
    ]
  })
}

/** The filter as a condition on rows of `logs`. */
export function rowCondition(filter: LogFilter): { sql: string; parameters: Value[] } {
  const { from, to } = timesOf(filter)
  const conditions = conditionsOf(filter).map((condition) =>
    'pattern' in condition
      ? { sql: likePattern(columnOf[condition.dimension]), parameters: [condition.pattern] }
      : { sql: isOneOf(columnOf[condition.dimension], condition.values), parameters: condition.values },
  )
  if (filter.requestId !== undefined)
    conditions.push({ sql: 'request_id = ?', parameters: [storableText(filter.requestId)] })
  conditions.push(...failoverRows(filter))
  return {
    sql: ['created_at >= ? and created_at <= ?', ...conditions.map(({ sql }) => sql)].join(' and '),
    parameters: [from, to, ...conditions.flatMap(({ parameters }) => parameters)],
  }
}

function failoverRows({ triedChannelId, isRescued }: LogFilter): { sql: string; parameters: Value[] }[] {
  const tried = {
    sql: `(channel_id = ? or (${hasSeveralAttempts} and other like ? escape '\\'))`,
    parameters: [triedChannelId ?? 0, triedPattern(triedChannelId ?? 0)],
  }
  const served = { sql: `type = ${logTypes.consumption} and ${hasSeveralAttempts}`, parameters: [] }
  return [...(triedChannelId === undefined ? [] : [tried]), ...(isRescued === true ? [served] : [])]
}

function failoverPostings({ triedChannelId, isRescued }: LogFilter): PostingCondition[] {
  const tried = { dimensions: ['channel', 'failover'], values: [triedChannelId ?? 0] } as const
  const served = { dimensions: ['failover'], values: [rescued] } as const
  return [...(triedChannelId === undefined ? [] : [tried]), ...(isRescued === true ? [served] : [])]
}

/** The filter's conditions for postings; `undefined` when a text in it never occurred in a sealed row. */
export function* postingConditions(filter: LogFilter): Program<PostingCondition[] | undefined> {
  const found = failoverPostings(filter)
  for (const condition of conditionsOf(filter)) {
    const values = yield* postingValues(condition)
    if (values.length === 0) return undefined
    found.push({ dimensions: [condition.dimension], values })
  }
  return found
}

function* postingValues(condition: Condition): Program<readonly number[]> {
  const { dimension } = condition
  if ('values' in condition && !textDimensions.some((text) => text === dimension))
    return condition.values.map(Number)
  const [sql, parameters] =
    'values' in condition
      ? [isOneOf('text', condition.values), condition.values]
      : [likePattern('text'), [condition.pattern]]
  const terms = yield* query<{ id: number }>(`select id from log_terms where dimension = ? and ${sql}`, [
    dimensions[dimension],
    ...parameters,
  ])
  return terms.map((term) => term.id)
}

function isOneOf(column: string, values: readonly Value[]): string {
  return values.length === 1 ? `${column} = ?` : `${column} in (${values.map(() => '?').join(', ')})`
}

function likePattern(column: string): string {
  return `lower(${column}) like lower(?) escape '\\'`
}
