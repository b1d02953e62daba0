/** Codes that answers of this protocol carry beside the upstream's own. */
export const drawingCodes = { badRequest: 4, unknown: 5, saturated: 30 } as const

export type DrawingCode = (typeof drawingCodes)[keyof typeof drawingCodes]

/** A refusal in the protocol's own words, which its clients compare: `prompt_is_required`. */
export class DrawingFault extends Error {
  readonly description: string
  readonly code: DrawingCode

  constructor(description: string, code: DrawingCode = drawingCodes.badRequest) {
    super(description)
    this.name = 'DrawingFault'
    this.description = description
    this.code = code
  }

  /** HTTP status of the answer. */
  get status(): 400 | 429 {
    return this.code === drawingCodes.saturated ? 429 : 400
  }
}

/** Who says so: clients look at the code, some at this word. */
const faultType = 'upstream_error'

/** A refusal as clients of the protocol read it: the body of an answer. */
export function encodeDrawingFault({ description, code }: Pick<DrawingFault, 'description' | 'code'>) {
  return { description, type: faultType, code }
}
