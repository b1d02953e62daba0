import {
  encodeMidjourneyFault,
  encodeSunoFault,
  MidjourneyFault,
  midjourneyCodes,
  SunoFault,
} from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import type { KeyUsage } from '../../accounts/tokens/key-usage.ts'
import { replyHeaders } from '../../gateway/relay/call.ts'
import type { Dialect, DialectName } from '../../gateway/relay/dialects/dialect.ts'
import {
  apiErrorOf,
  internalError,
  RelayError,
  type RelayErrorCode,
} from '../../gateway/relay/relay-error.ts'
import type { Logger } from '../../lib/logger.ts'
import { unknownPath } from '../error-response.ts'
import { callerDialect } from './caller-key.ts'
import type { RelayContext } from './relay-context.ts'
import { type TaskForm, taskForm } from './task-paths.ts'

interface ErrorReplyDependencies {
  readonly dialects: Readonly<Record<DialectName, Dialect>>
  readonly logger: Logger
  /** Hears of every error that a caller receives; absent where nobody counts them. */
  readonly refused?: ((error: RelayError) => void) | undefined
}

/** Writes an error in the caller's format, which follows from the path. */
export function errorReply(error: unknown, context: RelayContext, deps: ErrorReplyDependencies): Reply {
  if (error instanceof MidjourneyFault || error instanceof SunoFault) return faultReply(error, context)
  const known = error instanceof RelayError ? error : unexpected(error, context, deps)
  deps.refused?.(known)
  const { status, body } = refusalOf(known, context, deps)
  const headers = {
    ...replyHeaders('application/json', context),
    ...known.headers,
    ...(known.retryAfterSeconds !== undefined && { 'retry-after': String(known.retryAfterSeconds) }),
  }
  return { status, headers, body }
}

function refusalOf(error: RelayError, context: RelayContext, { dialects }: ErrorReplyDependencies): Refused {
  const form = taskForm(context.path)
  if (form !== undefined) return taskRefusal(form, error, context.requestId)
  const body = dialects[callerDialect(context)].errorBody(apiErrorOf(error, context.requestId))
  return { status: error.status, body }
}

type Refused = Pick<Reply, 'status' | 'body'>

/** Writes the refusal of a form with words of its own. */
function faultReply(fault: MidjourneyFault | SunoFault, context: RelayContext): Reply {
  const { status, body } = faultRefusal(fault)
  return { status, headers: replyHeaders('application/json', context), body }
}

/** The reply to an internal error: the log has the cause, the caller receives only the request id. */
function unexpected(
  error: unknown,
  { requestId, path }: RelayContext,
  { logger }: ErrorReplyDependencies,
): RelayError {
  logger.error(
    { err: error, requestId, path },
    'this relayed call failed by a fault of Tollgate: report it with this entry',
  )
  return internalError()
}

export function jsonReply(context: RelayContext, body: unknown, status = 200): Reply {
  return { status, headers: replyHeaders('application/json', context), body: JSON.stringify(body) }
}

/** The reply to an unknown path, in the format whose prefix the path has. */
export function unknownPathReply(context: RelayContext, deps: ErrorReplyDependencies): Reply {
  const { method } = context.request
  if (callerDialect(context) !== 'openai' || taskForm(context.path) !== undefined) {
    const error = new RelayError('unknown_path', `There is no ${method} ${context.path} here.`)
    return errorReply(error, context, deps)
  }
  const { status, body } = unknownPath(method, context.path)
  return jsonReply(context, body, status)
}

/** A refusal as the callers of a form read it. */
interface TaskRefusal {
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
/** Codes of unreadable upstream responses. */
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

/** Returns a subscription as clients of OpenAI's former billing calls read it. */
export function subscriptionOf({ limit, expiresAt }: KeyUsage) {
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: expiresAt,
  }
}

/** Returns the usage in hundredths. It is of all time: the dates that clients send have no effect. */
export function usageOf({ used }: KeyUsage) {
  return { object: 'list', total_usage: used * 100 }
}
