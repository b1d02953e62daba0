import { keyMask, tokenStatuses, type Token as WireToken, wireRateLimits } from '@tollgate/api'
import { keyEndsOf } from '../../../tokens/key-ends.ts'
import { neverExpires } from '../../../tokens/token-fields.ts'
import type { OwnedToken } from '../../../tokens/tokens.ts'

/** As lists hold it where keys are masked. */
export function toMaskedToken(token: OwnedToken): WireToken {
  const { keyHead, keyTail } = keyEndsOf(token.key)
  return { ...toWireToken(token), key: keyHead + keyMask + keyTail }
}

/** A key as its owner sees it. */
export function toWireToken(token: OwnedToken): WireToken {
  return {
    id: token.id,
    user_id: token.userId,
    key: token.key,
    status: tokenStatuses[token.status],
    name: token.name,
    created_time: token.createdAt,
    accessed_time: token.accessedAt,
    expired_time: token.expiresAt ?? neverExpires,
    remain_quota: token.remainQuota,
    unlimited_quota: token.unlimitedQuota,
    used_quota: token.usedQuota,
    model_limits_enabled: token.modelLimitsEnabled,
    model_limits: token.modelLimits.join(','),
    allow_ips: token.allowIps,
    group: token.group,
    ...wireRateLimits(token),
    DeletedAt: null,
  }
}
