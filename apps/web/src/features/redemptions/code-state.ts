import { nameOf, type RedemptionStatus, redemptionStatuses, type WireRedemption } from '@tollgate/api'
import type { Tone } from '../../components/ui/tag.tsx'

/** Waiting to be redeemed is well; switched off and used up are merely over. */
const tones = {
  unused: 'good',
  disabled: 'warn',
  used: 'neutral',
} as const satisfies Record<RedemptionStatus, Tone>

/** The state by name; a status that a newer server may send counts as disabled. */
export function stateOf({ status }: Pick<WireRedemption, 'status'>): RedemptionStatus {
  return nameOf(redemptionStatuses, status) ?? 'disabled'
}

export function toneOf(state: RedemptionStatus): Tone {
  return tones[state]
}

/** Enough of a code to tell it from others, and too little to redeem it. */
export function maskedCode({ key }: Pick<WireRedemption, 'key'>): string {
  return `${key.slice(0, 4)}…${key.slice(-4)}`
}

/** One line per code, for an operator's own list: name, four spaces, code. */
export function codeLines(codes: readonly Pick<WireRedemption, 'name' | 'key'>[]): string {
  return codes.map(({ name, key }) => `${name}    ${key}`).join('\n')
}
