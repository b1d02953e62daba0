import type { Envelope, Language, RefusalCode, ResponseKind } from '@tollgate/api'
import type { RefusedRequestError } from '@tollgate/http/server'
import { Refusal } from '../lib/refusal.ts'
import { BalanceRangeError, StoreFault } from '../store/errors.ts'

/** Turns an error into a response, in the format of the client that called. */
export interface ErrorResponse<Body = unknown> {
  readonly status: number
  readonly body: Body
}

/**
 * Business refusals are HTTP 200 with `success: false`, because the form that asked shows their message.
 * This table lists the other codes: clients handle these by their status, on every call.
 */
const refusalStatus: Readonly<Partial<Record<RefusalCode, number>>> = {
  not_logged_in: 401,
  user_header_missing: 401,
  user_header_mismatch: 401,
  signature_invalid: 401,
  relay_key_invalid: 401,
  // Older consoles show this one apart from the others.
  oauth_state_invalid: 403,
  relay_key_not_allowed: 403,
  access_token_read_only: 403,
  admin_address_not_allowed: 403,
  admin_second_factor_required: 403,
  edit_conflict: 409,
  body_too_large: 413,
  too_many_requests: 429,
  internal_error: 500,
  database_unavailable: 503,
  database_damaged: 503,
  server_stopping: 503,
}

/** Anything but a refusal says nothing about itself: it is the database's state or our own fault. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof BalanceRangeError) return balanceRefusal(error)
  if (!(error instanceof StoreFault) || error.kind === 'failed') return new Refusal('internal_error')
  return new Refusal(error.kind === 'damaged' ? 'database_damaged' : 'database_unavailable')
}

/** Names the field, what was read, and what to write instead. */
function balanceRefusal({ field, balance, amount }: BalanceRangeError): Refusal {
  const max = Number.MAX_SAFE_INTEGER
  const room = amount < 0 ? -max - balance : max - balance
  return new Refusal('balance_out_of_range', { field, balance, amount, max, room })
}

/**
 * Statuses of calls that respond with text, bytes or a page instead of the envelope: there a status of 200 would mean success.
 */
const plainRefusalStatus: Readonly<Partial<Record<RefusalCode, number>>> = {
  permission_denied: 403,
  admin_part_missing: 403,
  user_banned: 403,
  session_required: 403,
  recent_proof_required: 403,
  foreign_origin: 403,
  https_required: 403,
  access_token_invalid: 401,
  record_not_found: 404,
  ...refusalStatus,
}

/** The status of a refusal, by the kind of response that the call declares. */
export function refusalStatusOf(code: RefusalCode, response: ResponseKind): number {
  return response === 'envelope' ? (refusalStatus[code] ?? 200) : (plainRefusalStatus[code] ?? 400)
}

/** The text of an error for a response without an envelope. */
export interface PlainError {
  readonly status: number
  readonly code: RefusalCode
  readonly message: string
}

export function plainError(error: unknown, language: Language): PlainError {
  const refusal = refusalOf(error)
  return {
    status: refusalStatusOf(refusal.code, 'text'),
    code: refusal.code,
    message: refusal.publicMessage(language),
  }
}

/** Shape of the console. */
export function consoleError(error: unknown, language: Language): ErrorResponse<Envelope> {
  const refusal = refusalOf(error)
  const body: Envelope = {
    ...refusal.extra,
    success: false,
    message: refusal.publicMessage(language),
    code: refusal.code,
  }
  return { status: refusalStatusOf(refusal.code, 'envelope'), body }
}

/**
 * The error in the shape of the wallet's calls: its message is the data. What was refused before the wallet was reached has the
 * envelope's `success` too.
 */
export function walletError(error: unknown, language: Language): ErrorResponse {
  const { status, body } = consoleError(error, language)
  const { success, ...rest } = body
  return {
    status,
    body: { ...rest, ...(status !== 200 && { success }), message: 'error', data: body.message },
  }
}

/** The error for an unknown path or method; the same for the console and for every dialect of the relay. */
export function unknownPath(method: string, path: string): ErrorResponse {
  return {
    status: 404,
    body: {
      error: {
        message: `Invalid URL (${method} ${path})`,
        type: 'invalid_request_error',
        param: '',
        code: '',
      },
    },
  }
}

/** Returns the error for malformed and oversized requests, before a route is known. */
export function refusedRequest({ status, message }: RefusedRequestError) {
  return jsonReply(status, { error: { message, type: 'invalid_request_error', param: '', code: '' } })
}

export function jsonReply(status: number, body: unknown) {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
