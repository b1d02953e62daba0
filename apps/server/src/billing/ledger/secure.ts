import type { Quota } from '../../store/units.ts'
import { type AccountShare, extensionOf, type OpenReservation } from '../balances/reservation.ts'
import type { Exposure, ReserveRefusal, SecureResult } from '../ledger-types.ts'

type Extend = (amount: Quota) => boolean | Promise<boolean>

const secured = { ok: true } as const

/**
 * Raises a reservation to what its call may cost; see `Ledger.secure`. At once, unless this node must ask for more of a balance.
 * @param extend reserves more, and asks other nodes first where it must
 */
export function secure(
  own: OpenReservation,
  { needed, believed }: Exposure,
  extend: Extend,
): SecureResult | Promise<SecureResult> {
  own.coverAgain()
  return after(raise(own, needed, extend), (hasNeeded) => {
    if (!hasNeeded) return shortOf(own, needed, false)
    return after(raise(own, believed, extend), (hasAll) => (hasAll ? secured : uncovered(own, believed)))
  })
}

function uncovered(own: OpenReservation, believed: Quota): SecureResult {
  return own.serveUncovered(believed - own.reserved) ? secured : shortOf(own, believed, true)
}

function raise(own: OpenReservation, amount: Quota, extend: Extend): boolean | Promise<boolean> {
  const missing = amount - own.reserved
  return missing <= 0 || extend(missing)
}

function shortOf(own: OpenReservation, needed: Quota, isUncovered: boolean): SecureResult {
  const short = own.accountShares.filter(({ limited }) => limited).sort(byRoom)[0]
  const refusal: ReserveRefusal = short === undefined ? 'account-unknown' : `${short.account.kind}-quota`
  const balance = short === undefined ? 0 : extensionOf(short) + short.reserved
  return { ok: false, refusal, balance, needed, isUncovered }
}

function byRoom(a: AccountShare, b: AccountShare): number {
  return extensionOf(a) - extensionOf(b)
}

/** Goes on at once where there is nothing to wait for. */
function after<T>(value: boolean | Promise<boolean>, next: (value: boolean) => T | Promise<T>) {
  return value instanceof Promise ? value.then(next) : next(value)
}
