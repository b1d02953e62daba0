import { ampleCalls } from '../../store/money/balance-shares.ts'
import type { Quota } from '../../store/units.ts'
import type { Account } from '../balances/account-cache.ts'

/** The part of a share that no call has reserved; below zero when charges exceeded the share. */
export function idleShareOf({ balance, reserved }: Account): Quota {
  return balance - reserved
}

/**
 * Returns the quota to return when calls of an account have ended: always the charges beyond the node's share, which free quota pays;
 * the deficit of an overdrawn balance; in a fleet also the rest of a share that is not ample, which other nodes need.
 */
export function restOf(account: Account, nodes: number): Quota {
  const idle = idleShareOf(account)
  if (account.balance < 0) return account.balance
  if (idle <= 0) return 0
  if (nodes > 1 && !account.isAmple) return idle
  return Math.min(idle, Math.max(0, -account.free))
}

/** Returns the quota to give to another node that needs it: this one keeps half of a share that is ample still. */
export function surrenderOf(account: Account, need: Quota): Quota {
  const idle = idleShareOf(account)
  if (idle <= 0) return Math.min(0, account.balance)
  const half = Math.floor(idle / 2)
  return half >= ampleCalls * need ? idle - half : idle
}

/** Everything that is not reserved. */
export function allOf(account: Account): Quota {
  const idle = idleShareOf(account)
  return idle < 0 ? Math.min(0, account.balance) : idle
}
