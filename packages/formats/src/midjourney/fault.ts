/** Codes that answers of this protocol carry beside the upstream's own. */
export const midjourneyCodes = { badRequest: 4, unknown: 5, saturated: 30 } as const

export type MidjourneyCode = (typeof midjourneyCodes)[keyof typeof midjourneyCodes]

/** A refusal in the protocol's own words, which its clients compare: `prompt_is_required`. */
export class MidjourneyFault extends Error {
  readonly description: string
  readonly code: MidjourneyCode

  constructor(description: string, code: MidjourneyCode = midjourneyCodes.badRequest) {
    super(description)
    this.name = 'MidjourneyFault'
    this.description = description
    this.code = code
  }

  /** HTTP status of the answer. */
  get status(): 400 | 429 {
    return this.code === midjourneyCodes.saturated ? 429 : 400
  }
}

/** Who says so: clients look at the code, some at this word. */
const faultType = 'upstream_error'

/** A refusal as clients of the protocol read it: the body of an answer. */
export function encodeMidjourneyFault({ description, code }: Pick<MidjourneyFault, 'description' | 'code'>) {
  return { description, type: faultType, code }
}
