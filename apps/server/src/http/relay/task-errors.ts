import {
  encodeMidjourneyFault,
  encodeSunoFault,
  MidjourneyFault,
  midjourneyCodes,
  type SunoFault,
} from '@tollgate/formats'
import type { RelayError, RelayErrorCode } from '../../relay/relay-error.ts'
import type { TaskForm } from './task-paths.ts'

/** A refusal as the callers of a form read it. */
export interface TaskRefusal {
  readonly status: number
  readonly body: string
}

type OwnCode = RelayErrorCode | 'upstream_error'
type Words = Readonly<Partial<Record<OwnCode, string>>>

/** Refusals for which the drawing form has words of its own. */
const midjourneyWords: Words = {
  insufficient_user_quota: 'quota_not_enough',
  insufficient_token_quota: 'quota_not_enough',
  upstream_unreachable: 'do_request_failed',
  upstream_timeout: 'do_request_failed',
  upstream_empty: 'empty_response_body',
  upstream_malformed: 'unmarshal_response_body_failed',
}
/** Of upstreams whose answers are none. */
const ownWords: ReadonlySet<string> = new Set(['empty_response_body', 'unmarshal_response_body_failed'])

/** The same of the music form. */
const sunoWords: Words = {
  insufficient_user_quota: 'quota_not_enough',
  insufficient_token_quota: 'quota_not_enough',
  channel_disabled: 'task_channel_disable',
  upstream_unreachable: 'do_request_failed',
  upstream_timeout: 'do_request_failed',
  invalid_request: 'invalid_request',
  unknown_path: 'invalid_relay_mode',
  upstream_malformed: 'unmarshal_response_body_failed',
}

const serverFaults = 500
const badRequest = 400
const saturated = 429

export function faultRefusal(fault: MidjourneyFault | SunoFault): TaskRefusal {
  const body = fault instanceof MidjourneyFault ? encodeMidjourneyFault(fault) : encodeSunoFault(fault)
  return { status: fault.status, body: JSON.stringify(body) }
}

export function taskRefusal(form: TaskForm, error: RelayError, requestId: string): TaskRefusal {
  return form === 'drawing' ? midjourneyRefusal(error, requestId) : sunoRefusal(error, requestId)
}

/** Statuses of their own have those who call, their keys and their pace; what the form has words for is a 400. */
function midjourneyRefusal(error: RelayError, requestId: string): TaskRefusal {
  const word = midjourneyWords[error.code] ?? (ownWords.has(error.wireCode) ? error.wireCode : undefined)
  const isOwn = word !== undefined || error.code === 'channel_disabled'
  const status = isOwn ? badRequest : error.status
  const description = word ?? messageOf(error, requestId)
  return {
    status,
    body: JSON.stringify(encodeMidjourneyFault({ description, code: midjourneyCodeOf(error) })),
  }
}

function midjourneyCodeOf({ status }: RelayError) {
  if (status === saturated) return midjourneyCodes.saturated
  return status >= serverFaults ? midjourneyCodes.unknown : midjourneyCodes.badRequest
}

function sunoRefusal(error: RelayError, requestId: string): TaskRefusal {
  const code = sunoWords[error.code] ?? error.wireCode
  const status = error.code === 'channel_disabled' ? badRequest : error.status
  return { status, body: JSON.stringify(encodeSunoFault({ code, message: messageOf(error, requestId) })) }
}

function messageOf({ publicMessage }: RelayError, requestId: string): string {
  return `${publicMessage} (request id: ${requestId})`
}
