import type { KeyBrief } from '@tollgate/api'

/** A key that still works, and will soon not. */
export interface ExpiringKey {
  readonly key: KeyBrief
  /** Limit that is near; the date if both are, because using the key less does not postpone it. */
  readonly end: 'date' | 'budget'
}

const week = 7 * 24 * 3600
/** Less than this share of a budget is little. */
const littleLeft = 0.1

/**
 * Returns the enabled keys that expire within a week, or have little left of their budget; each once.
 * @param now unix seconds
 */
export function expiringKeys(keys: readonly KeyBrief[], now: number): readonly ExpiringKey[] {
  const known = new Map(keys.map((key) => [key.id, key]))
  return [...known.values()].flatMap((key): readonly ExpiringKey[] => {
    if (expiresSoon(key, now)) return [{ key, end: 'date' }]
    return isNearlyUsedUp(key) ? [{ key, end: 'budget' }] : []
  })
}

function expiresSoon({ expired_time }: KeyBrief, now: number): boolean {
  return expired_time > 0 && expired_time - now < week
}

/** Decides whether a key is nearly used up. A quota without any use is as large as its owner wanted it. */
function isNearlyUsedUp({ unlimited_quota, remain_quota, used_quota }: KeyBrief): boolean {
  return !unlimited_quota && used_quota > 0 && remain_quota < littleLeft * (remain_quota + used_quota)
}
