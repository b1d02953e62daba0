import type { TokenStatus } from '@tollgate/api'
import { Refusal } from '../lib/refusal.ts'
import type { Token } from '../store/repositories/tokens.ts'
import type { Quota, Seconds } from '../store/units.ts'

/** What decides whether a key could be used now, whatever its stored status says. */
export interface TokenValidity extends Pick<Token, 'expiresAt' | 'unlimitedQuota'> {
  /** As of now, with every settled call counted. */
  readonly remainQuota: Quota
}

function isExpired({ expiresAt }: TokenValidity, now: Seconds): boolean {
  return expiresAt !== null && expiresAt < now
}

function isExhausted({ unlimitedQuota, remainQuota }: TokenValidity): boolean {
  return !unlimitedQuota && remainQuota <= 0
}

/** The status to show: an enabled key that has run out meanwhile is shown so before anybody tries it. */
export function shownStatus(stored: TokenStatus, validity: TokenValidity, now: Seconds): TokenStatus {
  if (stored !== 'enabled') return stored
  if (isExpired(validity, now)) return 'expired'
  return isExhausted(validity) ? 'exhausted' : 'enabled'
}

/** A key may be enabled only when it would work. */
export function refuseEnablingSpent(validity: TokenValidity, now: Seconds): void {
  if (isExpired(validity, now)) throw new Refusal('token_expired_enable')
  if (isExhausted(validity)) throw new Refusal('token_exhausted_enable')
}
