import type { Role } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import { isNearAdministrators } from '../../accounts/users/manage/near-accounts.ts'
import { activeUser } from '../../accounts/users/stored-users.ts'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { Vault } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createEventLog, type LogSubject } from '../../records/logs/event-log.ts'
import type { Redemption } from '../../store/money/redemptions.ts'
import type { Store } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'

/**
 * Turns a code into balance, once, also under concurrent attempts: marks the code as used, credits and logs it in one
 * transaction. Returns the quota gained.
 */
export type RedeemCode = (user: Redeemer, key: string) => Promise<Quota>

/** The user who redeems, with their current role. */
export interface Redeemer extends LogSubject {
  readonly role: Role
}

interface Dependencies {
  readonly store: Pick<Store, 'redemptions'>
  readonly ledger: Pick<Ledger, 'credit'>
  readonly vault: Pick<Vault, 'hash'>
  readonly clock: Clock
}

export function createRedeemCode(deps: Dependencies): RedeemCode {
  const { store, ledger, vault, clock } = deps
  async function redeem(user: Redeemer, code: Redemption): Promise<void> {
    await ledger.credit({
      kind: 'user',
      id: user.userId,
      cause: 'redemption',
      amount: code.quota,
      actorId: user.userId,
      note: String(code.id),
      async inTransaction(tx) {
        await refuseNearAdministrators(tx, user, code)
        if (!(await tx.redemptions.markUsed(code, user.userId, unixSeconds(clock))))
          throw new CodeChangedError()
        const event = { event: 'code_redeemed', params: { quota: code.quota, code: code.id } } as const
        await createEventLog({ usage: tx.usage, clock }).appendTopUpLog(user, event, code.quota)
      },
    })
  }

  return async (user, key) => {
    for (;;) {
      const code = await findUsable(store, vault, key)
      refuseCreators(user, code)
      try {
        await redeem(user, code)
        return code.quota
      } catch (error) {
        // Used, disabled, deleted or edited since it was read: what it is now decides.
        if (!(error instanceof CodeChangedError)) throw error
      }
    }
  }
}

class CodeChangedError extends Error {
  override readonly name = 'CodeChangedError'
}

async function findUsable(
  { redemptions }: Pick<Store, 'redemptions'>,
  vault: Pick<Vault, 'hash'>,
  text: string,
): Promise<Redemption> {
  const key = text.replace(/\p{Cf}+/gu, '').trim()
  if (key === '') throw new Refusal('redemption_key_required')
  const find = (spelling: string) => redemptions.findByKeyHash(vault.hash(spelling))
  // Ours are lower case, and phones begin what is typed with a capital; imported ones are as they were.
  const code = (await find(key)) ?? (await find(key.toLowerCase()))
  if (code === undefined) throw new Refusal('redemption_invalid')
  if (code.status === 'disabled') throw new Refusal('redemption_disabled')
  if (code.status !== 'unused') throw new Refusal('redemption_already_used')
  return code
}

/**
 * Refuses a code to those who can read or may know its key: quota goes down the ladder of ranks alone. Administrators can read every
 * code's key, so no code is a gift to an administrator; root gives itself quota as it likes. A former administrator may still know the
 * codes that they created.
 */
function refuseCreators({ userId, role }: Redeemer, { creatorId }: Redemption): void {
  if (role === 'root') return
  if (role === 'admin' || creatorId === userId) throw new Refusal('redemption_by_maker')
}

/**
 * Refuses an administrator's code to an account near one. All administrators read all keys: whoever of them made it, another may have
 * passed it on.
 */
async function refuseNearAdministrators(
  tx: Pick<Store, 'users'>,
  { userId, role }: Redeemer,
  { creatorId, adminId }: Redemption,
): Promise<void> {
  if (role === 'root') return
  const makers = [creatorId, adminId].filter((id) => id !== 0)
  const known = await tx.users.listByIds(makers)
  if (!makers.some((id) => known.get(id)?.role !== 'root')) return
  const redeemer = activeUser(await tx.users.find(userId))
  if (await isNearAdministrators(tx, redeemer, makers)) throw new Refusal('redemption_near_administrator')
}
