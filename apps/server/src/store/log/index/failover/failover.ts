import { postingPart } from '../dimensions.ts'
import type { LogRow } from '../log-row.ts'
import { encodeSparse, type ValuePosition } from '../postings.ts'

/** Stands among the postings of `failover` for calls that were served after an attempt had failed. Channels are above it. */
export const rescued = 0

/** Matches the `other` of a call with several attempts: JSON text writes a quote of any stated text with a backslash. */
const severalAttempts = `"use\\_channel":["%","%],"attempts":`
/** `true` in SQL for the rows of calls with several attempts. */
export const hasSeveralAttempts = `other like '%${severalAttempts}%' escape '\\'`

/** The pattern of rows whose call tried a channel. */
export function triedPattern(channelId: number): string {
  return `%"use\\_channel":[%"${channelId}"%],"attempts":%`
}

/** The channels of a call's attempts in their order, from the `other` of its row; none in rows without attempts. */
export function triedChannels(other: string): readonly number[] {
  const found = /"use_channel":\[([^\]]*)\],"attempts":/.exec(other)?.[1] ?? ''
  return found === '' ? [] : found.split(',').map((quoted) => Number(quoted.slice(1, -1)))
}

/** Recognises a call that was served although an attempt had failed. */
export function isRescued({ type, other }: Pick<LogRow, 'type' | 'other'>): boolean {
  return type === 'consumption' && triedChannels(other).length > 1
}

interface FailoverRow {
  readonly isCharged: boolean
  readonly channelId: number
  /** Empty where it has not several attempts. */
  readonly other: string
}

/** What of a row stands in the postings: its channel has postings of its own. */
export function failoverValues({ isCharged, channelId, other }: FailoverRow): number[] {
  const channels = triedChannels(other)
  if (channels.length < 2) return []
  const before = [...new Set(channels)].filter((channel) => channel !== channelId && channel > 0)
  return isCharged ? [rescued, ...before] : before
}

/** The part of a block: it is there without a row too, which tells the block from those of programs that wrote none. */
export function failoverPart(values: readonly ValuePosition[], size: number): Uint8Array {
  const empty = new Uint8Array(4)
  return encodeSparse('failover', values, size).get(postingPart('failover', rescued)) ?? empty
}
