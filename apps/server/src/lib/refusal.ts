import type { BrokenLimit } from '@tollgate/api'
import {
  fillText,
  type Language,
  type RefusalCode,
  refusalTexts,
  type TextDetails,
} from '@tollgate/api/errors'

export type RefusalDetails = TextDetails

export interface RefusalOptions extends ErrorOptions {
  /** Fields beside `message` in the envelope (`time` of a failed channel test). */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Time after which the same call may pass again; the response has it in `Retry-After`. */
  readonly retryAfterSeconds?: number
}

/**
 * A use case refuses a call. `code` and `details` may reach the caller; `cause` is for the log alone. The edge turns it
 * into the envelope; nothing else formats it.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly details: RefusalDetails
  readonly extra: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined

  constructor(code: RefusalCode, details: RefusalDetails = {}, options: RefusalOptions = {}) {
    super(fillText(refusalTexts[code].en, details, 'en'), options)
    this.code = code
    this.details = details
    this.extra = options.extra ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  publicMessage(language: Language): string {
    return fillText(refusalTexts[this.code][language], this.details, language)
  }
}

/** Throws the refusal of a value outside the limits of its field. */
export function refuseLimit({ field, code, max }: BrokenLimit): never {
  throw new Refusal(code, { max, detail: `${field} (max ${max})` })
}
