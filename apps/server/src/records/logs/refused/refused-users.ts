import type { OwnRefusals, RefusedUser } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { UserRepository } from '../../../store/accounts/users.ts'
import type { FailureGroup } from '../../../store/log/index/log-row.ts'
import type { UsageRepository } from '../../../store/log/usage.ts'
import type { Quota } from '../../../store/units.ts'

/** Balances as they are now; `stored` for an account that is not in memory. */
interface Balances {
  currentBalance(kind: 'user', id: number, stored: Quota): Quota
}

export interface RefusedUsersDeps {
  readonly usage: Pick<UsageRepository, 'failures'>
  readonly users: Pick<UserRepository, 'listByIds'>
  readonly ledger: Balances
  readonly clock: Clock
}

const day = 86_400
const reason = 'insufficient_user_quota'

/** Users whose calls were refused in the last 24 hours for their balance, which still does not cover the last of these calls. */
export interface RefusedUsers {
  /** All of them, those with most refusals first. */
  list(): Promise<RefusedUser[]>
  /** One user's refusals; `null` for one whose balance covers their calls. */
  ofUser(userId: number, balance: Quota): Promise<OwnRefusals | null>
}

export function createRefusedUsers({ usage, users, ledger, clock }: RefusedUsersDeps): RefusedUsers {
  const refusals = async (userId?: number) => {
    const from = unixSeconds(clock) - day
    const { groups } = await usage.failures({ reason, from, ...(userId !== undefined && { userId }) })
    return byUser(groups)
  }

  return {
    async list() {
      const refused = await refusals()
      const known = await users.listByIds(refused.map(([id]) => id))
      return refused.flatMap(([id, { needed, ...figures }]) => {
        const user = known.get(id)
        if (user === undefined) return []
        const quota = ledger.currentBalance('user', id, user.quota)
        return isCovered(quota, needed) ? [] : [{ user_id: id, username: user.username, quota, ...figures }]
      })
    },
    async ofUser(userId, balance) {
      const [found] = await refusals(userId)
      return found === undefined || isCovered(balance, found[1].needed) ? null : found[1]
    },
  }
}

function isCovered(balance: Quota, needed: Quota): boolean {
  return balance > 0 && balance >= needed
}

/** Groups refusals by user, those with most refusals first. `needed` is of the last. */
function byUser(groups: readonly FailureGroup[]): readonly (readonly [id: number, OwnRefusals])[] {
  const refused = new Map<number, OwnRefusals>()
  for (const { userId, count, lastAt, lastNeeded } of groups) {
    const known = refused.get(userId)
    const isLater = known === undefined || lastAt > known.last_at
    refused.set(userId, {
      count: count + (known?.count ?? 0),
      last_at: isLater ? lastAt : known.last_at,
      needed: isLater ? lastNeeded : known.needed,
    })
  }
  return [...refused].sort(([, a], [, b]) => b.count - a.count || b.last_at - a.last_at)
}
