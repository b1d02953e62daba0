import { type Channel, type ChannelReasonParams, channelReasonText, isChannelReasonCode } from '@tollgate/api'
import { fieldsOf, parseJson, textOf } from '../../lib/format/json.ts'

/** Problem of a channel, with its reason. */
export interface ChannelProblem {
  readonly condition: Channel['health']['condition']
  /** Reason in the reader's language; empty when unknown. */
  readonly reason: string
  /** Unix seconds, also of the past; 0 when it is not tried again by itself. */
  readonly retryAt: number
}

type Observed = Pick<Channel, 'other_info' | 'health'>

/** `undefined` for a healthy channel, or one that a person disabled. */
export function channelProblem(channel: Observed, language: 'en' | 'zh'): ChannelProblem | undefined {
  const { condition } = channel.health
  if (condition === 'healthy' || condition === 'disabled') return undefined
  return { condition, reason: reasonOf(channel, language), retryAt: retryAtOf(channel.health) }
}

/** A key that a person disabled is not a problem. */
function isOut({ status }: Channel['health']['keys'][number]): boolean {
  return status === 'resting' || status === 'auto-disabled'
}

/** Returns the time of the next try: as a whole, or with the first of its keys where none is left. */
function retryAtOf({ retry_at, keys }: Channel['health']): number {
  if (retry_at > 0 || keys.some(({ status }) => status === 'enabled')) return retry_at
  const times = keys.map((key) => key.retry_at).filter((at) => at > 0)
  return times.length === 0 ? 0 : Math.min(...times)
}

function reasonOf({ other_info, health }: Observed, language: 'en' | 'zh'): string {
  const { condition } = health
  if (condition === 'untested') return ''
  const reasons = [
    condition === 'auto-disabled' ? disabledReason(other_info) : undefined,
    health,
    health.keys.find(isOut),
    lastFailure(health),
  ]
  return reasons.map((reason) => sentence(reason, language)).find((text) => text !== '') ?? ''
}

interface Reason {
  /** Reason in English, from a version that stored no code. */
  readonly reason: string
  readonly reason_code: string
  readonly reason_params: ChannelReasonParams
}

function sentence(provided: Reason | undefined, language: 'en' | 'zh'): string {
  if (provided === undefined) return ''
  const { reason, reason_code: code, reason_params: params } = provided
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
