import type { MidjourneyAction } from './actions.ts'
import { MidjourneyFault } from './fault.ts'

/** What a button does, and to which of the four pictures. */
export interface ChosenAction {
  readonly action: MidjourneyAction
  /** From 1; 1 where there is but one picture. */
  readonly index: number
}

interface ButtonRule {
  readonly names: (token: string) => boolean
  readonly action: MidjourneyAction
  /** Part of the id that says which picture. */
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
const longestEcho = 200

/**
 * Reads the id of a button, as in `MJ::JOB::upsample::2::3dbbd469-…` and `MJ::Outpaint::50::1::UUID::SOLO`.
 * @throws DrawingFault for a button that nobody knows, and for an id that breaks off
 */
export function readCustomId(customId: string): ChosenAction {
  const parts = customId.split('::')
  const token = parts[1] === 'JOB' ? parts[2] : parts[1]
  if (token === undefined) throw new MidjourneyFault('index_parse_failed')
  const button = buttons.find(({ names }) => names(token))
  if (button === undefined) throw new MidjourneyFault(`unknown_action:${customId.slice(0, longestEcho)}`)
  const { action, indexPart } = button
  return { action, index: indexPart === undefined ? 1 : indexOf(parts[indexPart]) }
}

function indexOf(part: string | undefined): number {
  if (part === undefined || !/^[1-9]\d{0,3}$/.test(part)) throw new MidjourneyFault('index_parse_failed')
  return Number(part)
}
