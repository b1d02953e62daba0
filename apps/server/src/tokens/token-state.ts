import type { TokenStatus } from '@tollgate/api'
import { Refusal } from '../lib/refusal.ts'
import type { Quota, Seconds, Token } from '../store/entities.ts'

/** What decides whether a key could be used now, whatever its stored status says. */
export interface TokenLife extends Pick<Token, 'expiresAt' | 'unlimitedQuota'> {
  /** As of now, with every settled call counted. */
  readonly remainQuota: Quota
}

function isExpired({ expiresAt }: TokenLife, now: Seconds): boolean {
  return expiresAt !== null && expiresAt < now
}

function isExhausted({ unlimitedQuota, remainQuota }: TokenLife): boolean {
  return !unlimitedQuota && remainQuota <= 0
}

/** The status to show: an enabled key that has run out meanwhile is shown so before anybody tries it. */
export function shownStatus(stored: TokenStatus, life: TokenLife, now: Seconds): TokenStatus {
  if (stored !== 'enabled') return stored
  if (isExpired(life, now)) return 'expired'
  return isExhausted(life) ? 'exhausted' : 'enabled'
}

/** A key may be enabled only when it would work. */
export function refuseEnablingSpent(life: TokenLife, now: Seconds): void {
  if (isExpired(life, now)) throw new Refusal('token_expired_enable')
  if (isExhausted(life)) throw new Refusal('token_exhausted_enable')
}
