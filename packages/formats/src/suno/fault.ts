/** A refusal in the protocol's own words: a code, and a message that clients show. */
export class SunoFault extends Error {
  readonly code: string
  /** HTTP status of the answer. */
  readonly status: number

  constructor(code: string, message: string, status = 400) {
    super(message)
    this.name = 'SunoFault'
    this.code = code
    this.status = status
  }
}

/** A refusal as clients of the protocol read it: the body of an answer. */
export function encodeSunoFault({ code, message }: Pick<SunoFault, 'code' | 'message'>) {
  return { code, message, data: null }
}
