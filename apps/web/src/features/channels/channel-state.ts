import { type Channel, type ChannelStatus, channelStatuses, nameOf } from '@tollgate/api'
import type { Tone } from '../../components/ui/tag.tsx'

export type StateWord = ChannelStatus | 'resting' | 'probing' | 'unknown'

/** How a channel is doing, in the words of the list. */
export interface ChannelState {
  readonly word: StateWord
  readonly tone: Tone
  /** Why; empty when there is nothing to explain. */
  readonly reason: string
  /** Unix seconds since when it is off; 0 when unknown. */
  readonly since: number
  /** Unix seconds when it is tried again; 0 when nothing is planned. */
  readonly retryAt: number
  readonly keysInService: number
  readonly keyCount: number
}

const tones: Readonly<Record<StateWord, Tone>> = {
  enabled: 'good',
  disabled: 'neutral',
  'auto-disabled': 'bad',
  resting: 'warn',
  probing: 'info',
  unknown: 'neutral',
}

type Observed = Pick<Channel, 'status' | 'other_info' | 'health' | 'key_count'>

/** Sums up status, breaker and keys. The stored reason counts only for what the gateway did itself. */
export function channelState(channel: Observed): ChannelState {
  const word = wordOf(channel)
  const disabling = word === 'auto-disabled' ? readOtherInfo(channel.other_info) : { reason: '', time: 0 }
  const explained = word === 'auto-disabled' || word === 'resting' || word === 'probing'
  return {
    word,
    tone: tones[word],
    reason: disabling.reason || (explained ? channel.health.reason : ''),
    since: disabling.time,
    retryAt: explained ? channel.health.retry_at : 0,
    keysInService: channel.key_count - channel.health.keys.filter((key) => key.status !== 'enabled').length,
    keyCount: channel.key_count,
  }
}

function wordOf({ status, health }: Observed): StateWord {
  const name = nameOf(channelStatuses, status)
  if (name !== 'enabled') return name ?? 'unknown'
  if (health.state === 'open') return 'resting'
  return health.state === 'half-open' ? 'probing' : 'enabled'
}

/** Reason and time that the server wrote down when it switched the channel off; other versions may have left text. */
export function readOtherInfo(text: string): { readonly reason: string; readonly time: number } {
  try {
    const value = JSON.parse(text) as { status_reason?: unknown; status_time?: unknown } | null
    return {
      reason: typeof value?.status_reason === 'string' ? value.status_reason : '',
      time: typeof value?.status_time === 'number' ? value.status_time : 0,
    }
  } catch {
    return { reason: '', time: 0 }
  }
}

export type ResponseTier = 'untested' | 'fast' | 'fair' | 'slow' | 'very-slow'

/** Tier of a response time in ms: up to 1 s, up to 3 s, up to 5 s, and above (spec operations §4). */
export function responseTier(milliseconds: number): ResponseTier {
  if (milliseconds <= 0) return 'untested'
  if (milliseconds <= 1000) return 'fast'
  if (milliseconds <= 3000) return 'fair'
  return milliseconds <= 5000 ? 'slow' : 'very-slow'
}

/** Entries of a comma list of the wire. */
export function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/** Groups in reading order: `default` first, the others as they are. */
export function groupsOf(text: string): readonly string[] {
  const groups = listOf(text)
  return groups.includes('default') ? ['default', ...groups.filter((group) => group !== 'default')] : groups
}
