import type { OwnRefusals, RefusedUser } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { UserRepository } from '../../../store/accounts/users.ts'
import type { UsageRepository } from '../../../store/log/usage.ts'
import type { Quota } from '../../../store/units.ts'
import type { LogOverview } from '../log-overview.ts'

/** Balances as they are now; `stored` for an account that is not in memory. */
interface Balances {
  currentBalance(kind: 'user', id: number, stored: Quota): Quota
}

export interface RefusedUsersDeps {
  readonly logOverview: Pick<LogOverview, 'failures' | 'failuresOwn'>
  readonly usage: Pick<UsageRepository, 'page'>
  readonly users: Pick<UserRepository, 'listByIds'>
  readonly ledger: Balances
  readonly clock: Clock
}

const day = 86_400
const reason = 'insufficient_user_quota'
/** Each has its last refusal read; of those with fewer refusals nothing is said. */
const maxLookedAt = 30

/** Users whose calls were refused in the last 24 hours for their balance, which still does not cover the last of these calls. */
export interface RefusedUsers {
  /** Those with most refusals first, at most thirty. */
  list(): Promise<RefusedUser[]>
  /** One user's refusals; `null` for one whose balance covers their calls. */
  ofUser(userId: number, balance: Quota): Promise<OwnRefusals | null>
}

export function createRefusedUsers({
  logOverview,
  usage,
  users,
  ledger,
  clock,
}: RefusedUsersDeps): RefusedUsers {
  /** What the user's last refused call needed; 0 where its row does not say. */
  async function lastNeeded(userId: number, from: number): Promise<number> {
    const { rows } = await usage.page({ userId, type: 'error', reason, from }, 1, 1)
    return neededIn(rows[0]?.other ?? '')
  }

  return {
    async list() {
      const from = unixSeconds(clock) - day
      const { groups } = await logOverview.failures({ reason, start_timestamp: from })
      const refused = byUser(groups).slice(0, maxLookedAt)
      const known = await users.listByIds(refused.map(([id]) => id))
      const listed: RefusedUser[] = []
      for (const [id, { count, last_at }] of refused) {
        const user = known.get(id)
        if (user === undefined) continue
        const quota = ledger.currentBalance('user', id, user.quota)
        if (quota > 0 && quota >= (await lastNeeded(id, from))) continue
        listed.push({ user_id: id, username: user.username, quota, count, last_at })
      }
      return listed
    },
    async ofUser(userId, balance) {
      const from = unixSeconds(clock) - day
      const { groups } = await logOverview.failuresOwn(userId, { reason, start_timestamp: from })
      const [found] = byUser(groups)
      if (found === undefined) return null
      const needed = await lastNeeded(userId, from)
      return balance > 0 && balance >= needed ? null : { ...found[1], needed }
    },
  }
}

type Refusals = Pick<RefusedUser, 'count' | 'last_at'>
type Groups = Awaited<ReturnType<LogOverview['failures']>>['groups']

/** Groups refusals by user, those with most refusals first. */
function byUser(groups: Groups): readonly (readonly [id: number, Refusals])[] {
  const refused = new Map<number, Refusals>()
  for (const { user_id, count, last_at } of groups) {
    const known = refused.get(user_id)
    refused.set(user_id, {
      count: count + (known?.count ?? 0),
      last_at: Math.max(last_at, known?.last_at ?? 0),
    })
  }
  return [...refused].sort(([, a], [, b]) => b.count - a.count || b.last_at - a.last_at)
}

/** Rows of older versions do not say it. */
function neededIn(other: string): number {
  try {
    const { error } = JSON.parse(other) as { error?: { params?: { needed?: unknown } } }
    return Number(error?.params?.needed ?? 0)
  } catch {
    return 0
  }
}
