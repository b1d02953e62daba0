/** What is done with pictures, as the protocol names it. */
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
