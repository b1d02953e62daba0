import { nameOf, type Token, type TokenStatus, tokenStatuses } from '@tollgate/api'
import type { Tone } from '../../components/ui/tag.tsx'

/** Switched off is a choice; run out is something to be dealt with. */
const tones = {
  enabled: 'good',
  disabled: 'neutral',
  expired: 'warn',
  exhausted: 'bad',
} as const satisfies Record<TokenStatus, Tone>

/** The state by name; a status that a newer server may send counts as disabled. */
export function stateOf({ status }: Pick<Token, 'status'>): TokenStatus {
  return nameOf(tokenStatuses, status) ?? 'disabled'
}

export function toneOf(state: TokenStatus): Tone {
  return tones[state]
}

/** Models a key is limited to; `undefined` when it may use all. */
export function limitedModels(token: Pick<Token, 'model_limits_enabled' | 'model_limits'>) {
  return token.model_limits_enabled ? listOf(token.model_limits) : undefined
}

/** Names of a comma list. */
export function listOf(text: string): readonly string[] {
  return text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
}

/** A key's time of last use starts as its time of creation; a call in the same second shows in what was used. */
export function wasUsed({
  accessed_time,
  created_time,
  used_quota,
}: Pick<Token, 'accessed_time' | 'created_time' | 'used_quota'>): boolean {
  return accessed_time > created_time || used_quota > 0
}

/** Time before its end from which on a key expires soon. */
const soonSeconds = 3 * 86_400

/** Decides whether a key that works will stop doing so within days. */
export function expiresSoon(token: Pick<Token, 'status' | 'expired_time'>, now: number): boolean {
  return (
    stateOf(token) === 'enabled' &&
    token.expired_time !== neverExpires &&
    token.expired_time - now <= soonSeconds
  )
}

/** Number that means "never expires" on the wire. */
export const neverExpires = -1
