/** Codes that responses of this protocol carry beside the upstream's own. */
export const midjourneyCodes = { badRequest: 4, unknown: 5, saturated: 30 } as const

/** One of `midjourneyCodes`. */
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

  /** HTTP status of the response. */
  get status(): 400 | 429 {
    return this.code === midjourneyCodes.saturated ? 429 : 400
  }
}

/** Source of the fault: clients look at the code, some at this word. */
const faultType = 'upstream_error'

/** A refusal as clients of the protocol read it: the body of a response. */
export function encodeMidjourneyFault({ description, code }: Pick<MidjourneyFault, 'description' | 'code'>) {
  return { description, type: faultType, code }
}

/** Operations on images, by the protocol's names. */
export const midjourneyActions = [
  'IMAGINE',
  'UPSCALE',
  'VARIATION',
  'HIGH_VARIATION',
  'LOW_VARIATION',
  'PAN',
  'REROLL',
  'ZOOM',
  'CUSTOM_ZOOM',
  'INPAINT',
  'MODAL',
  'DESCRIBE',
  'BLEND',
  'SHORTEN',
  'UPLOAD',
  'SWAP_FACE',
  'EDITS',
  'VIDEO',
] as const
/** One of `midjourneyActions`. */
export type MidjourneyAction = (typeof midjourneyActions)[number]

/** Name under which an action is routed and priced. */
export function midjourneyModel(action: MidjourneyAction): string {
  return action === 'SWAP_FACE' ? 'swap_face' : `mj_${action.toLowerCase()}`
}

/**
 * They only open a dialogue, which waits for the modal call that is charged.
 */
export function opensDialogue(action: MidjourneyAction): boolean {
  return action === 'INPAINT' || action === 'CUSTOM_ZOOM'
}

/** Action of a button, with the image among the four. */
export interface ChosenAction {
  readonly action: MidjourneyAction
  /** Number from 1; 1 for a single image. */
  readonly index: number
}

interface ButtonRule {
  readonly names: (token: string) => boolean
  readonly action: MidjourneyAction
  /** Part of the id that names the image. */
  readonly indexPart?: number
}

const is = (name: string) => (token: string) => token === name
const holds = (name: string) => (token: string) => token.includes(name)

/** The first that fits: `upsample` goes before `variation`, and that before `pan`. */
const buttons: readonly ButtonRule[] = [
  { names: holds('upsample'), action: 'UPSCALE', indexPart: 3 },
  { names: is('variation'), action: 'VARIATION', indexPart: 3 },
  { names: is('low_variation'), action: 'LOW_VARIATION' },
  { names: is('high_variation'), action: 'HIGH_VARIATION' },
  { names: holds('pan'), action: 'PAN' },
  { names: holds('reroll'), action: 'REROLL' },
  { names: is('Outpaint'), action: 'ZOOM' },
  { names: is('CustomZoom'), action: 'CUSTOM_ZOOM' },
  { names: is('Inpaint'), action: 'INPAINT' },
]

/** Longer ones are not repeated to their caller. */
const maxEcho = 200

/**
 * Reads the id of a button, as in `MJ::JOB::upsample::2::3dbbd469-…` and `MJ::Outpaint::50::1::UUID::SOLO`.
 * @throws DrawingFault for an unknown button, and for an incomplete id
 */
export function readCustomId(customId: string): ChosenAction {
  const parts = customId.split('::')
  const token = parts[1] === 'JOB' ? parts[2] : parts[1]
  if (token === undefined) throw new MidjourneyFault('index_parse_failed')
  const button = buttons.find(({ names }) => names(token))
  if (button === undefined) throw new MidjourneyFault(`unknown_action:${customId.slice(0, maxEcho)}`)
  const { action, indexPart } = button
  return { action, index: indexPart === undefined ? 1 : indexOf(parts[indexPart]) }
}

function indexOf(part: string | undefined): number {
  if (part === undefined || !/^[1-9]\d{0,3}$/.test(part)) throw new MidjourneyFault('index_parse_failed')
  return Number(part)
}

const letters = { u: 'UPSCALE', v: 'VARIATION' } as const

/**
 * Reads a change as people write it: `1320098173412546 U2`. The letter may be small; rerolling (`R`) needs no number.
 * @throws DrawingFault for anything else
 */
export function readSimpleChange(content: string): ChosenAction & { readonly taskId: string } {
  const [taskId = '', change = '', ...more] = content.split(' ')
  const [, letter, digit] = /^(?:([uv])([1-4])|r)$/.exec(change.toLowerCase()) ?? failed()
  if (taskId === '' || more.length > 0) failed()
  if (letter === undefined) return { taskId, action: 'REROLL', index: 1 }
  return { taskId, action: letters[letter as keyof typeof letters], index: Number(digit) }
}

function failed(): never {
  throw new MidjourneyFault('content_parse_failed')
}
