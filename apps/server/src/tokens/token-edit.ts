import { rateLimitsIn, type TokenUpdateBody, tokenStatuses } from '@tollgate/api'
import type { Token, TokenChange } from '../store/repositories/tokens.ts'
import type { Seconds } from '../store/units.ts'
import {
  checkedAllowIps,
  checkedExpiry,
  checkedModelLimits,
  checkedName,
  neverExpires,
} from './token-fields.ts'

/** The fields that an edit names, checked. The caller decides about status, quota and whether the group may be used. */
export function editedFields(token: Token, body: TokenUpdateBody, now: Seconds): TokenChange {
  return {
    ...(body.name !== undefined && { name: checkedName(body.name) }),
    ...(body.expired_time !== undefined && { expiresAt: editedExpiry(token, body.expired_time, now) }),
    ...(body.unlimited_quota !== undefined && { unlimitedQuota: body.unlimited_quota }),
    ...(body.model_limits_enabled !== undefined && { modelLimitsEnabled: body.model_limits_enabled }),
    ...(body.model_limits !== undefined && { modelLimits: checkedModelLimits(body.model_limits) }),
    ...(body.allow_ips !== undefined && { allowIps: checkedAllowIps(body.allow_ips) }),
    ...(body.group !== undefined && { group: body.group }),
    ...rateLimitsIn(body),
  }
}

/** A form sends back the expiry it was opened with, so an unchanged one is accepted even when it is in the past. */
function editedExpiry(token: Token, expiry: Seconds, now: Seconds): Seconds | null {
  return expiry === (token.expiresAt ?? neverExpires) ? token.expiresAt : checkedExpiry(expiry, now)
}

/** Whether an edit enables a spent key again. Switching between enabled and disabled has a call of its own. */
export function enablesSpent(token: Token, body: TokenUpdateBody): boolean {
  const isSpent = token.status === 'expired' || token.status === 'exhausted'
  return isSpent && body.status === tokenStatuses.enabled
}
