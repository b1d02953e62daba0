/** Rules for the fields of a key, and for whether it could be used now. */
import { neverExpires, type TokenStatus, type TokenSwitch } from '@tollgate/api'
import { parseAddressRange } from '../../lib/outbound/addresses.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Token } from '../../store/accounts/tokens.ts'
import type { Quota, Seconds } from '../../store/units.ts'

/** End of the year 9999: a later time is milliseconds sent for seconds. */
const latestExpiry: Seconds = 253_402_300_799

/** An expiry as JSON has it; throws for a time that is past or impossible. */
export function checkExpiry(expiry: Seconds, now: Seconds): void {
  if (expiry === neverExpires) return
  if (expiry > 0 && expiry <= now) throw new Refusal('token_expiry_past')
  if (expiry <= 0 || expiry > latestExpiry) throw new Refusal('token_expiry_invalid')
}

/**
 * Refuses an entry that is neither an address nor a CIDR range, and names it: dropping it would open a key to addresses
 * that its owner meant to exclude.
 */
export function checkAddresses(allowIps: string): void {
  const invalid = addressesOf(allowIps).find((line) => parseAddressRange(line) === undefined)
  if (invalid !== undefined) throw new Refusal('token_address_invalid', { line: invalid.slice(0, 100) })
}

/** Addresses and ranges of a token, one a line. */
export function addressesOf(allowIps: string): string[] {
  return allowIps.split('\n').flatMap((line) => line.trim() || [])
}

/** Facts that decide whether a key can be used now, apart from its stored status. */
export interface TokenValidity extends Pick<Token, 'expiresAt' | 'unlimitedQuota'> {
  /** Current figures, with every settled call counted. */
  readonly remainQuota: Quota
}

function isExpired({ expiresAt }: TokenValidity, now: Seconds): boolean {
  return expiresAt !== null && expiresAt < now
}

function isExhausted({ unlimitedQuota, remainQuota }: TokenValidity): boolean {
  return !unlimitedQuota && remainQuota <= 0
}

/** The status of a key: the person's switch, and of an enabled key what its expiry and quota say. */
export function currentStatus(stored: TokenSwitch, validity: TokenValidity, now: Seconds): TokenStatus {
  if (stored === 'disabled') return stored
  if (isExpired(validity, now)) return 'expired'
  return isExhausted(validity) ? 'exhausted' : 'enabled'
}

/** Refuses to enable a key that would not work. */
export function refuseEnablingSpent(validity: TokenValidity, now: Seconds): void {
  if (isExpired(validity, now)) throw new Refusal('token_expired_enable')
  if (isExhausted(validity)) throw new Refusal('token_exhausted_enable')
}
