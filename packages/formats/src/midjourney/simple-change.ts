import type { ChosenAction } from './custom-id.ts'
import { MidjourneyFault } from './fault.ts'

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
