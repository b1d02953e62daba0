import {
  type Channel,
  type ChannelReasonParams,
  channelReasonText,
  channelStatuses,
  isChannelReasonCode,
} from '@tollgate/api'
import type { Tone } from '../../components/ui/tag.tsx'
import { fieldsOf, parseJson, textOf } from '../../lib/format/json.ts'

type ProblemKind = 'off' | 'resting' | 'probing' | 'noKeys' | 'keys' | 'failing' | 'unused'

/** What is wrong with a channel, and why. */
export interface ChannelProblem {
  readonly word: ProblemKind
  readonly tone: Tone
  /** In the reader's language; empty when unknown. */
  readonly reason: string
  /** Unix seconds; 0 when it is not tried again by itself. */
  readonly retryAt: number
}

const tones: Readonly<Record<ProblemKind, Tone>> = {
  off: 'bad',
  resting: 'warn',
  probing: 'info',
  noKeys: 'bad',
  keys: 'warn',
  failing: 'warn',
  unused: 'neutral',
}

type Observed = Pick<Channel, 'status' | 'other_info' | 'health'>

/** `undefined` for a healthy channel, or one that a person disabled. */
export function channelProblem(channel: Observed, language: 'en' | 'zh'): ChannelProblem | undefined {
  const word = wordOf(channel)
  if (word === undefined) return undefined
  return {
    word,
    tone: tones[word],
    reason: reasonOf(word, channel, language),
    retryAt: retryAtOf(word, channel.health),
  }
}

function wordOf({ status, health }: Observed): ProblemKind | undefined {
  if (status === channelStatuses['auto-disabled']) return 'off'
  if (status !== channelStatuses.enabled) return undefined
  if (health.state === 'open') return 'resting'
  if (health.state === 'half-open') return 'probing'
  const out = health.keys.filter(isOut).length
  if (out > 0) return health.keys.some((key) => key.status === 'enabled') ? 'keys' : 'noKeys'
  if (health.last_failure_time > health.last_success_time) return 'failing'
  return health.never_answered ? 'unused' : undefined
}

/** A key that a person disabled is not a problem. */
function isOut({ status }: Channel['health']['keys'][number]): boolean {
  return status === 'resting' || status === 'auto-disabled'
}

/** When it is tried again: as a whole, or with the first of its keys. */
function retryAtOf(word: ProblemKind, health: Channel['health']): number {
  if (word === 'failing' || word === 'unused') return 0
  if (word !== 'noKeys') return health.retry_at
  const times = health.keys.map((key) => key.retry_at).filter((at) => at > 0)
  return times.length === 0 ? 0 : Math.min(...times)
}

function reasonOf(word: ProblemKind, { other_info, health }: Observed, language: 'en' | 'zh'): string {
  switch (word) {
    case 'off':
      return (
        sentence(disabledReason(other_info), language) ||
        sentence(health, language) ||
        sentence(lastFailure(health), language)
      )
    case 'noKeys':
    case 'keys':
      return sentence(health.keys.find(isOut), language)
    case 'failing':
      return sentence(lastFailure(health), language)
    case 'unused':
      return ''
    default:
      return sentence(health, language) || sentence(lastFailure(health), language)
  }
}

interface Reason {
  /** In English, from a version that kept no code. */
  readonly reason: string
  readonly reason_code: string
  readonly reason_params: ChannelReasonParams
}

function sentence(given: Reason | undefined, language: 'en' | 'zh'): string {
  if (given === undefined) return ''
  const { reason, reason_code: code, reason_params: params } = given
  return isChannelReasonCode(code) ? channelReasonText({ code, params }, language) : reason
}

function lastFailure(health: Channel['health']): Reason {
  return { reason: '', reason_code: health.last_failure_code, reason_params: health.last_failure_params }
}

/** The reason that the gateway stored when it disabled the channel. */
function disabledReason(otherInfo: string): Reason {
  const { status_reason: reason, reason_code: code, reason_params: params } = fieldsOf(parseJson(otherInfo))
  return {
    reason: textOf(reason),
    reason_code: textOf(code),
    reason_params: fieldsOf(params) as ChannelReasonParams,
  }
}
