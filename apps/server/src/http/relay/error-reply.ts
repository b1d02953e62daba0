import { MidjourneyFault, SunoFault } from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import type { Logger } from '../../lib/logger.ts'
import { replyHeaders } from '../../relay/call.ts'
import type { Dialect } from '../../relay/dialects/dialect.ts'
import { apiErrorOf, internalError, RelayError } from '../../relay/relay-error.ts'
import { unknownPath } from '../error-response.ts'
import { callerDialect } from './caller-dialect.ts'
import type { DialectName } from './paths.ts'
import type { RelayContext } from './relay-context.ts'
import { faultRefusal, taskRefusal } from './task-errors.ts'
import { taskForm } from './task-paths.ts'

interface ErrorReplyDependencies {
  readonly dialects: Readonly<Record<DialectName, Dialect>>
  readonly logger: Logger
}

/** An error in the words of the caller's format, which its path tells. */
export function errorReply(error: unknown, context: RelayContext, deps: ErrorReplyDependencies): Reply {
  if (error instanceof MidjourneyFault || error instanceof SunoFault) return faultReply(error, context)
  const known = error instanceof RelayError ? error : unexpected(error, context, deps)
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

/** What a form of its own refuses in its own words. */
function faultReply(fault: MidjourneyFault | SunoFault, context: RelayContext): Reply {
  const { status, body } = faultRefusal(fault)
  return { status, headers: replyHeaders('application/json', context), body }
}

/** Our own fault: the log knows, the caller learns nothing but the request's id. */
function unexpected(
  error: unknown,
  { requestId, path }: RelayContext,
  { logger }: ErrorReplyDependencies,
): RelayError {
  logger.error({ err: error, requestId, path }, 'a relay call failed')
  return internalError()
}

export function jsonReply(context: RelayContext, body: unknown, status = 200): Reply {
  return { status, headers: replyHeaders('application/json', context), body: JSON.stringify(body) }
}

/** A path that no call answers, in the words of the format that it begins like. */
export function unknownPathReply(context: RelayContext, deps: ErrorReplyDependencies): Reply {
  const { method } = context.request
  if (callerDialect(context) !== 'openai' || taskForm(context.path) !== undefined) {
    const error = new RelayError('unknown_path', `There is no ${method} ${context.path} here.`)
    return errorReply(error, context, deps)
  }
  const { status, body } = unknownPath(method, context.path)
  return jsonReply(context, body, status)
}
