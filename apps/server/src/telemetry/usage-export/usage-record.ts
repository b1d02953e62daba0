import { decimalOf, divide, formatDecimal } from '@tollgate/base/decimal'
import { listOf, objectOf } from '@tollgate/formats'
import type { LogRow } from '../../store/log/index/log-row.ts'

/** One call as destinations get it. */
export interface UsageRecord {
  /** Id of the row in the log: the same when a record is sent again. */
  readonly id: number
  /** ISO 8601, to the second. */
  readonly time: string
  readonly kind: 'charge' | 'failure'
  readonly request_id: string
  readonly user_id: number
  readonly username: string
  readonly key_id: number
  readonly key_name: string
  readonly group: string
  readonly model: string
  readonly channel_id: number
  readonly stream: boolean
  readonly seconds: number
  readonly input_tokens: number
  readonly output_tokens: number
  /** Quota units. */
  readonly quota: number
  /** Exact decimal text, in the unit of currency of the installation. */
  readonly amount: string
  /** Cost of the call for the operator, likewise; absent where it is not known. */
  readonly cost?: string
  /** Explanation of the charge, or of the failure: `other` of the log. */
  readonly details?: unknown
  readonly content?: string
}

const identity = ['username', 'user_id', 'key_name', 'key_id', 'group'] as const
/** Fields that may go as hashes. */
export const hashableFields = identity
/** Fields that may be left out. */
export const recordFields = [
  ...identity,
  'model',
  'channel_id',
  'amount',
  'cost',
  'details',
] as const satisfies readonly (keyof UsageRecord)[]

export interface Redaction {
  readonly leaveOut: readonly (typeof recordFields)[number][]
  readonly hash: readonly (typeof hashableFields)[number][]
  readonly content: boolean
  /** Keyed, so that nobody finds a name by trying names. */
  readonly hashOf: (text: string) => string
}

/** The record of a row, redacted. Never throws: a row whose details are no JSON goes without them. */
export function usageRecord(row: LogRow, quotaPerUnit: number, redaction: Redaction): UsageRecord {
  const amountOf = (quota: number) =>
    formatDecimal(divide(decimalOf(quota), decimalOf(quotaPerUnit), positions)).replaceAll(',', '')
  const details = redaction.content ? parsed(row.other) : withoutWords(parsed(row.other))
  const record: UsageRecord = {
    id: row.id,
    time: new Date(row.createdAt * 1000).toISOString(),
    kind: row.type === 'error' ? 'failure' : 'charge',
    request_id: row.requestId,
    user_id: row.userId,
    username: row.username,
    key_id: row.tokenId,
    key_name: row.tokenName,
    group: row.group,
    model: row.model,
    channel_id: row.channelId,
    stream: row.isStream,
    seconds: row.useTimeSeconds,
    input_tokens: row.promptTokens,
    output_tokens: row.completionTokens,
    quota: row.quota,
    amount: amountOf(row.quota),
    ...(row.cost !== null && { cost: amountOf(row.cost) }),
    ...(details !== undefined && { details }),
    ...(redaction.content && { content: row.content }),
  }
  return redacted(record, redaction)
}

/** Digits behind the point: a quota unit is far more than this at every rate that can be set. */
const positions = 12

function redacted(record: UsageRecord, { leaveOut, hash, hashOf }: Redaction): UsageRecord {
  if (leaveOut.length + hash.length === 0) return record
  const fields: Record<string, unknown> = { ...record }
  for (const name of hash) fields[name] = hashOf(`${name}:${record[name]}`)
  for (const name of leaveOut) delete fields[name]
  // A hash stands where a number or a name was.
  return fields as unknown as UsageRecord
}

/** Upstreams' words at the attempts may quote the caller, as the row's content may. */
function withoutWords(details: unknown): unknown {
  const { admin_info: admin } = objectOf(details)
  const attempts = listOf(objectOf(admin).attempts)
  if (!attempts.some((attempt) => objectOf(attempt).said !== undefined)) return details
  const silent = attempts.map((attempt) => {
    const { said: _, ...rest } = objectOf(attempt)
    return rest
  })
  return { ...objectOf(details), admin_info: { ...objectOf(admin), attempts: silent } }
}

function parsed(other: string): unknown {
  try {
    return other === '' ? undefined : JSON.parse(other)
  } catch {
    return undefined
  }
}
