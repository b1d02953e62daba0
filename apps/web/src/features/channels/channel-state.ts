import type { Channel, ChannelCondition } from '@tollgate/api'
import { noReason, type WireReason } from './reason-text.ts'

/** Condition of a channel, with the facts to explain it. */
export interface ChannelState {
  readonly condition: ChannelCondition
  /** Reason of the condition; without code and text when there is nothing to explain. */
  readonly reason: WireReason
  /** Unix seconds since when it is off, or of its last failure; 0 when unknown. */
  readonly since: number
  /** Unix seconds when it is tried again, also when that is past; 0 when nothing is planned. */
  readonly retryAt: number
  /** Single calls test it. */
  readonly isProbed: boolean
  readonly neverAnswered: boolean
  readonly lastHour: LastHour
  readonly keysInService: number
  /** Disabled by the gateway. */
  readonly keysDisabled: number
  readonly keysResting: number
  /** Number of keys, without those that a person disabled. */
  readonly keyCount: number
}

type Observed = Pick<Channel, 'other_info' | 'health' | 'key_count'>
type KeyStatus = Channel['health']['keys'][number]['status']

/** Returns the state of a channel for the list. The stored reason counts only for changes of the gateway itself. */
export function channelState(channel: Observed): ChannelState {
  const { health, key_count } = channel
  const { condition } = health
  const keysOf = (status: KeyStatus) => health.keys.filter((key) => key.status === status).length
  return {
    condition,
    ...whyOf(channel),
    retryAt: condition === 'disabled' ? 0 : retryAtOf(health),
    isProbed: health.state === 'half-open',
    neverAnswered: health.never_answered,
    lastHour: health.last_hour,
    keysInService: key_count - health.keys.filter((key) => key.status !== 'enabled').length,
    keysDisabled: keysOf('auto-disabled'),
    keysResting: keysOf('resting'),
    keyCount: key_count - keysOf('disabled'),
  }
}

/** Returns the time of the next try: as a whole, or with the first of its keys. */
function retryAtOf({ retry_at, condition, keys }: Channel['health']): number {
  if (retry_at > 0 || condition !== 'retrying') return retry_at
  const times = keys.map((key) => key.retry_at).filter((at) => at > 0)
  return times.length === 0 ? 0 : Math.min(...times)
}

function whyOf({ health, other_info }: Observed): Pick<ChannelState, 'reason' | 'since'> {
  const cooldown = { reason: health, since: 0 }
  switch (health.condition) {
    case 'auto-disabled': {
      const { time, ...stored } = readOtherInfo(other_info)
      return { reason: stored.reason === '' && stored.reason_code === '' ? health : stored, since: time }
    }
    case 'retrying':
    case 'failing':
    case 'degraded':
      return hasReason(health) ? cooldown : lastFailureOf(health)
    default:
      return { reason: noReason, since: 0 }
  }
}

const hasReason = ({ reason, reason_code }: WireReason) => reason !== '' || reason_code !== ''

function lastFailureOf(health: Channel['health']): Pick<ChannelState, 'reason' | 'since'> {
  const { last_failure_code: reason_code, last_failure_params: reason_params } = health
  return { reason: { reason: '', reason_code, reason_params }, since: health.last_failure_time }
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

/** Response time of a channel as it is shown: the newest of its failed test, its calls and its test. */
export type Response =
  | { readonly kind: 'test-failed'; readonly status: number; readonly reason: WireReason }
  | { readonly kind: 'live' | 'tested'; readonly ms: number }
  /** It was called, but not in the last hour, or never with success. */
  | { readonly kind: 'idle' | 'no-response' | 'untested' | 'none' }

export function responseOf(
  channel: Pick<Channel, 'response_time' | 'test_time' | 'test_failure' | 'health'>,
): Response {
  const { response_time: ms, test_failure: failure, test_time, health } = channel
  const { last_hour, last_success_time, last_failure_time } = health
  if (failure !== null && test_time >= last_success_time) {
    const { status } = failure.params
    const reason = { reason: '', reason_code: failure.code, reason_params: failure.params }
    return { kind: 'test-failed', status: typeof status === 'number' ? status : 0, reason }
  }
  if (last_hour.ok > 0) return { kind: 'live', ms: last_hour.latency_ms }
  if (ms > 0 && failure === null) return { kind: 'tested', ms }
  // Calls of the last hour that all failed, or were refused, are recent calls: their own figures say so.
  if (last_success_time > 0)
    return { kind: last_hour.failed + last_hour.other_failures > 0 ? 'none' : 'idle' }
  return { kind: last_failure_time > 0 || last_hour.failed > 0 ? 'no-response' : 'untested' }
}

/** Returns the response time, in ms; 0 where nothing is known. */
export function responseMs(channel: Parameters<typeof responseOf>[0]): number {
  const response = responseOf(channel)
  return 'ms' in response ? response.ms : 0
}

export type ResponseTier = 'untested' | 'fast' | 'fair' | 'slow' | 'very-slow'

/** Tier of a response time in ms: up to 1 s, up to 3 s, up to 5 s, and above (spec operations §4). */
export function responseTier(milliseconds: number): ResponseTier {
  if (milliseconds <= 0) return 'untested'
  if (milliseconds <= 1000) return 'fast'
  if (milliseconds <= 3000) return 'fair'
  return milliseconds <= 5000 ? 'slow' : 'very-slow'
}

export type LastHour = Channel['health']['last_hour']

/** All attempts, whatever their outcome. */
export function trafficOf({ ok, failed, other_failures }: LastHour): number {
  return ok + failed + other_failures
}

/** Share of attempts that failed by the channel's fault, of those that say something about it. */
export function errorRateOf({ ok, failed }: LastHour): number | undefined {
  return ok + failed === 0 ? undefined : failed / (ok + failed)
}

/** The last hour of several channels together. Their times are not: a mean of means says nothing. */
export function hoursTogether(hours: readonly LastHour[]): LastHour {
  const sum = (field: 'ok' | 'failed' | 'other_failures') =>
    hours.reduce((total, hour) => total + hour[field], 0)
  return { ok: sum('ok'), failed: sum('failed'), other_failures: sum('other_failures'), latency_ms: 0 }
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
