import type { JsonObject } from '@tollgate/formats'

/** A refusal that concerns the operator's account, as the vendor sends it. */
export interface AccountRefusal {
  readonly status: number
  readonly body: JsonObject | string
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A refusal with the page or public issue that has it: known by excerpts of it, so that no day of reading is stated. */
export interface CitedRefusal {
  readonly value: AccountRefusal
  readonly source: string
}

/** `unknown`: nobody documents or reported it. `none`: a server of the operator's own, which has no accounts. */
export type AccountColumn = CitedRefusal | 'unknown' | 'none'

/** Errors by which an upstream reports the state of an account. */
export interface AccountRefusals {
  readonly outOfCredit: AccountColumn
  /** Closed, locked, or restricted for another reason. */
  readonly suspended: AccountColumn
  readonly keyRefused: AccountColumn
}

/** A refusal and where it is cited from. */
export function refused(
  status: number,
  body: JsonObject | string,
  source: string,
  headers?: AccountRefusal['headers'],
): CitedRefusal {
  return { value: { status, body, ...(headers && { headers }) }, source }
}

/** A body of OpenAI's form. */
export function openAiBody(message: string, code: string | null, type = 'invalid_request_error'): JsonObject {
  return { error: { message, type, param: null, code } }
}
