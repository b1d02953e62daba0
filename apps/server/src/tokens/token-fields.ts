import { allowIpsMaxLength, modelLimitsMaxLength, tokenNameMaxLength } from '@tollgate/api'
import { parseAddressRange } from '../lib/outbound/addresses.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Quota, Seconds } from '../store/units.ts'

/** On the wire "never expires" is this number. */
export const neverExpires = -1
/** Above any real balance, and so far below the largest safe integer that differences and sums stay exact. */
const largestQuota: Quota = 10 ** 15
/** End of the year 9999: a time beyond it is milliseconds sent for seconds. */
const latestExpiry: Seconds = 253_402_300_799

/** Length is counted in Unicode characters, not in bytes. */
export function checkedName(text: string): string {
  const name = text.trim()
  if (name === '') throw new Refusal('token_name_required')
  if ([...name].length > tokenNameMaxLength)
    throw new Refusal('token_name_too_long', { max: tokenNameMaxLength })
  return name
}

export function checkedQuota(quota: Quota): Quota {
  if (!Number.isInteger(quota) || quota < 0 || quota > largestQuota)
    throw new Refusal('token_quota_invalid', { max: largestQuota })
  return quota
}

/** @returns `null` for never */
export function checkedExpiry(expiry: Seconds, now: Seconds): Seconds | null {
  if (expiry === neverExpires) return null
  if (expiry > 0 && expiry <= now) throw new Refusal('token_expiry_past')
  if (expiry <= 0 || expiry > latestExpiry) throw new Refusal('token_expiry_invalid')
  return expiry
}

/** Model names of a comma list: trimmed, each once. */
export function checkedModelLimits(list: string | null): readonly string[] {
  const names = new Set((list ?? '').split(',').map((name) => name.trim()))
  names.delete('')
  const limits = [...names]
  if (limits.join(',').length > modelLimitsMaxLength) throw new Refusal('token_models_too_long')
  return limits
}

/**
 * Addresses and CIDR ranges, separated by line breaks or commas. An entry that is neither is refused and named: dropping
 * it would open a key to addresses that its owner meant to exclude.
 */
export function checkedAllowIps(text: string | null): string {
  const lines = new Set((text ?? '').split(/[\n,]/).map((line) => line.trim()))
  lines.delete('')
  const bad = [...lines].find((line) => parseAddressRange(line) === undefined)
  if (bad !== undefined) throw new Refusal('token_address_invalid', { line: bad.slice(0, 100) })
  const allowIps = [...lines].join('\n')
  if (allowIps.length > allowIpsMaxLength) {
    throw new Refusal('invalid_parameter', { detail: `allow_ips (max ${allowIpsMaxLength})` })
  }
  return allowIps
}
