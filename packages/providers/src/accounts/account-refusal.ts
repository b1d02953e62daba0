import type { JsonObject } from '@tollgate/formats'
import { type Fact, fact } from '../profile/target-profile.ts'

/** A refusal that concerns the operator's account, as the vendor sends it. */
export interface AccountRefusal {
  readonly status: number
  readonly body: JsonObject | string
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** `unknown`: nobody documents or reported it. `none`: a server of the operator's own, which has no accounts. */
export type AccountColumn = Fact<AccountRefusal> | 'unknown' | 'none'

/** How an upstream says what is wrong with an account. */
export interface AccountRefusals {
  readonly outOfCredit: AccountColumn
  /** Closed, locked, or restricted for another reason. */
  readonly suspended: AccountColumn
  readonly keyRefused: AccountColumn
}

/** A refusal with the page or the public issue that has it. */
export function refused(
  status: number,
  body: JsonObject | string,
  source: string,
  headers?: AccountRefusal['headers'],
): Fact<AccountRefusal> {
  return fact({ status, body, ...(headers && { headers }) }, source)
}

/** A body of OpenAI's form. */
export function openAiBody(message: string, code: string | null, type = 'invalid_request_error'): JsonObject {
  return { error: { message, type, param: null, code } }
}
