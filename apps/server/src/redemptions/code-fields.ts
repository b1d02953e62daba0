import { redemptionBatchMaximum, redemptionNameMaxLength } from '@tollgate/api'
import { Refusal } from '../lib/refusal.ts'
import type { Quota } from '../store/units.ts'

/** Above any real gift, and so far below the largest safe integer that balances stay exact. */
const largestQuota: Quota = 10 ** 15

/** Length is counted in Unicode characters, not in bytes. */
export function checkedCodeName(text: string): string {
  const name = text.trim()
  if (name === '' || [...name].length > redemptionNameMaxLength)
    throw new Refusal('redemption_name_length', { max: redemptionNameMaxLength })
  return name
}

export function checkedCodeQuota(quota: Quota): Quota {
  if (!Number.isInteger(quota) || quota < 1 || quota > largestQuota)
    throw new Refusal('redemption_quota_invalid', { max: largestQuota })
  return quota
}

export function checkedCount(count: number): number {
  if (count < 1) throw new Refusal('redemption_count_low')
  if (count > redemptionBatchMaximum)
    throw new Refusal('redemption_count_high', { max: redemptionBatchMaximum })
  return count
}
