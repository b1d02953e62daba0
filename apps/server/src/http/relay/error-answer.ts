import { DrawingFault, SunoFault } from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import type { Logger } from '../../lib/logger.ts'
import { answerHeaders } from '../../relay/call.ts'
import type { Dialect } from '../../relay/dialects/dialect.ts'
import { apiErrorOf, internalError, RelayError } from '../../relay/relay-error.ts'
import { unknownPath } from '../error-response.ts'
import { callerDialect } from './caller-dialect.ts'
import type { DialectName } from './paths.ts'
import { faultRefusal, taskRefusal } from './task-errors.ts'
import { taskForm } from './task-paths.ts'
import type { Visit } from './visit.ts'

interface ErrorAnswerDependencies {
  readonly dialects: Readonly<Record<DialectName, Dialect>>
  readonly logger: Logger
}

/** An error in the words of the caller's format, which its path tells. */
export function errorAnswer(error: unknown, visit: Visit, deps: ErrorAnswerDependencies): Reply {
  if (error instanceof DrawingFault || error instanceof SunoFault) return faultAnswer(error, visit)
  const known = error instanceof RelayError ? error : unexpected(error, visit, deps)
  const { status, body } = refusalOf(known, visit, deps)
  const headers = {
    ...answerHeaders('application/json', visit),
    ...known.headers,
    ...(known.retryAfterSeconds !== undefined && { 'retry-after': String(known.retryAfterSeconds) }),
  }
  return { status, headers, body }
}

function refusalOf(error: RelayError, visit: Visit, { dialects }: ErrorAnswerDependencies): Refused {
  const form = taskForm(visit.path)
  if (form !== undefined) return taskRefusal(form, error, visit.requestId)
  const body = dialects[callerDialect(visit)].errorBody(apiErrorOf(error, visit.requestId))
  return { status: error.status, body }
}

type Refused = Pick<Reply, 'status' | 'body'>

/** What a form of its own refuses in its own words. */
function faultAnswer(fault: DrawingFault | SunoFault, visit: Visit): Reply {
  const { status, body } = faultRefusal(fault)
  return { status, headers: answerHeaders('application/json', visit), body }
}

/** Our own fault: the log knows, the caller learns nothing but the request's id. */
function unexpected(
  error: unknown,
  { requestId, path }: Visit,
  { logger }: ErrorAnswerDependencies,
): RelayError {
  logger.error({ err: error, requestId, path }, 'a relay call failed')
  return internalError()
}

export function jsonAnswer(visit: Visit, body: unknown, status = 200): Reply {
  return { status, headers: answerHeaders('application/json', visit), body: JSON.stringify(body) }
}

/** A path that no call answers, in the words of the format that it begins like. */
export function unknownAnswer(visit: Visit, deps: ErrorAnswerDependencies): Reply {
  const { method } = visit.request
  if (callerDialect(visit) !== 'openai' || taskForm(visit.path) !== undefined) {
    const error = new RelayError('unknown_path', `There is no ${method} ${visit.path} here.`)
    return errorAnswer(error, visit, deps)
  }
  const { status, body } = unknownPath(method, visit.path)
  return jsonAnswer(visit, body, status)
}
