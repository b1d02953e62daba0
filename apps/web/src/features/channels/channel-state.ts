import { type Channel, type ChannelStatus, channelStatuses, nameOf } from '@tollgate/api'
import type { Tone } from '../../components/ui/tag.tsx'
import { noReason, type WireReason } from './reason-text.ts'

export type StateName = ChannelStatus | 'resting' | 'probing' | 'failing' | 'untried' | 'unknown'

/** How a channel is doing, in the words of the list. */
export interface ChannelState {
  readonly word: StateName
  readonly tone: Tone
  /** Why; without code and text when there is nothing to explain. */
  readonly reason: WireReason
  /** Unix seconds since when it is off, or of its last failure; 0 when unknown. */
  readonly since: number
  /** Unix seconds when it is tried again; 0 when nothing is planned. */
  readonly retryAt: number
  readonly keysInService: number
  /** Disabled by the gateway. */
  readonly keysDisabled: number
  readonly keysResting: number
  /** Without those that a person disabled. */
  readonly keyCount: number
}

const tones: Readonly<Record<StateName, Tone>> = {
  enabled: 'good',
  disabled: 'neutral',
  'auto-disabled': 'bad',
  resting: 'warn',
  probing: 'info',
  failing: 'warn',
  // What never answered is not known to work.
  untried: 'neutral',
  unknown: 'neutral',
}

type Observed = Pick<Channel, 'status' | 'other_info' | 'health' | 'key_count'>
type KeyStatus = Channel['health']['keys'][number]['status']

/** Sums up status, breaker, calls and keys. The stored reason counts only for what the gateway did itself. */
export function channelState(channel: Observed): ChannelState {
  const { health, key_count } = channel
  const word = stateNameOf(channel)
  const keysOf = (status: KeyStatus) => health.keys.filter((key) => key.status === status).length
  const explained = word === 'auto-disabled' || word === 'resting' || word === 'probing'
  return {
    word,
    tone: tones[word],
    ...whyOf(word, channel),
    retryAt: explained ? health.retry_at : 0,
    keysInService: key_count - health.keys.filter((key) => key.status !== 'enabled').length,
    keysDisabled: keysOf('auto-disabled'),
    keysResting: keysOf('resting'),
    keyCount: key_count - keysOf('disabled'),
  }
}

function stateNameOf({ status, health }: Observed): StateName {
  const name = nameOf(channelStatuses, status)
  if (name !== 'enabled') return name ?? 'unknown'
  if (health.state === 'open') return 'resting'
  if (health.state === 'half-open') return 'probing'
  if (health.last_failure_time > health.last_success_time) return 'failing'
  return health.never_answered ? 'untried' : 'enabled'
}

function whyOf(word: StateName, { health, other_info }: Observed): Pick<ChannelState, 'reason' | 'since'> {
  switch (word) {
    case 'auto-disabled': {
      const { time, ...stored } = readOtherInfo(other_info)
      return { reason: stored.reason === '' && stored.reason_code === '' ? health : stored, since: time }
    }
    case 'resting':
    case 'probing':
      return { reason: health, since: 0 }
    case 'failing': {
      const { last_failure_code: reason_code, last_failure_params: reason_params } = health
      return { reason: { reason: '', reason_code, reason_params }, since: health.last_failure_time }
    }
    default:
      return { reason: noReason, since: 0 }
  }
}

/** Reason and time that the server wrote down when it switched the channel off; other versions may have left text. */
export function readOtherInfo(text: string): WireReason & { readonly time: number } {
  const { status_reason, status_time, reason_code, reason_params } = objectIn(text)
  return {
    reason: typeof status_reason === 'string' ? status_reason : '',
    reason_code: typeof reason_code === 'string' ? reason_code : '',
    reason_params: (typeof reason_params === 'object' && reason_params !== null
      ? reason_params
      : {}) as WireReason['reason_params'],
    time: typeof status_time === 'number' ? status_time : 0,
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null) ?? {}
  } catch {
    return {}
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
