import {
  calls,
  type JournalFindingRow,
  type KeyBrief,
  type OwnOverview,
  tokenResource,
  tokenStatuses,
  type UpgradeRow,
} from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { OwnedToken, TokenOwner, TokenQuery, Tokens } from '../../../accounts/tokens/tokens.ts'
import type { Users } from '../../../accounts/users/users.ts'
import { visibleSeconds } from '../../../billing/journal-findings.ts'
import type { Ledger } from '../../../billing/ledger-types.ts'
import { healthProblems } from '../../../operations/doctor/health-problems.ts'
import { isOutgrown } from '../../../operations/doctor/size-checks.ts'
import { listUpgrades } from '../../../records/audit-log/record-upgrade.ts'
import type { RefusedUsers } from '../../../records/logs/refused/refused-users.ts'
import type { Store } from '../../../store/store.ts'
import type { ClientAddresses } from '../../client-address.ts'
import { type ConsoleRoute, route } from '../route.ts'
import { toWireUser } from './user-wire.ts'

interface Dependencies {
  readonly users: Pick<Users, 'getUser'>
  readonly tokens: Pick<Tokens, 'list'>
  readonly ledger: Pick<Ledger, 'currentBalance' | 'unflushed' | 'figures'>
  readonly addresses: Pick<ClientAddresses, 'untrustedProxy'>
  readonly store: Pick<Store, 'journalFindings' | 'auditLog' | 'usage' | 'kind' | 'damage'>
  readonly refusedUsers: Pick<RefusedUsers, 'ofUser'>
  readonly clock: Clock
}

/** Number of keys with a problem that the overview shows; the list of keys has the others. */
const maxProblems = 8
/** Keys without a budget may stand among those with little left of theirs. */
const maxBudgets = 100

const spent = (status: number) =>
  ({ size: maxProblems, status, frozen: false, sort: 'accessed_time' }) as const
const working = { status: tokenStatuses.enabled, frozen: false, order: 'asc' } as const

/** Serves everything that a dashboard shows of one's own account in one response. */
export function ownOverviewRoutes(deps: Dependencies): ConsoleRoute[] {
  const { users, tokens, ledger, addresses } = deps
  const list = async (caller: TokenOwner, query: Omit<TokenQuery, 'p'>) => {
    const { rows, total } = await tokens.list(caller, { p: 0, ...query })
    return { rows: rows.map(briefOf), more: total - rows.length }
  }
  return [
    route(calls.users.overview, async (_, { caller }) => {
      const [user, { total }, frozen, exhausted, expired, endsFirst, minLeft] = await Promise.all([
        users.getUser(caller.userId),
        tokens.list(caller, { p: 0, size: 1 }),
        list(caller, { size: maxProblems, frozen: true, sort: 'accessed_time' }),
        list(caller, spent(tokenStatuses.exhausted)),
        list(caller, spent(tokenStatuses.expired)),
        list(caller, { ...working, size: maxProblems, sort: 'expired_time' }),
        list(caller, { ...working, size: maxBudgets, sort: 'remain_quota' }),
      ])
      const { quota, request_count } = toWireUser(user, ledger)
      const keys = {
        total,
        frozen: frozen.rows,
        exhausted: exhausted.rows,
        expired: expired.rows,
        more_frozen: frozen.more,
        more_exhausted: exhausted.more,
        more_expired: expired.more,
        ends_first: endsFirst.rows,
        least_left: minLeft.rows,
      }
      const untrusted_proxy = caller.role === 'root' ? addresses.untrustedProxy : ''
      const [journal, upgrades] =
        caller.role === 'root' ? await Promise.all([journalProblems(deps), recentUpgrades(deps)]) : [[], []]
      const health = caller.role === 'root' ? [...healthProblems(deps.store, ledger)] : []
      const outgrown = caller.role === 'root' ? await outgrownFile(deps) : null
      const refused = await deps.refusedUsers.ofUser(caller.userId, quota)
      return { quota, request_count, untrusted_proxy, journal, health, upgrades, outgrown, refused, keys }
    }),
  ]
}

async function outgrownFile({ store }: Pick<Dependencies, 'store'>): Promise<OwnOverview['outgrown']> {
  const extent = await store.usage.fileExtent()
  return extent !== undefined && isOutgrown(extent) ? { log_rows: extent.rows, bytes: extent.bytes } : null
}

async function journalProblems({
  store,
  clock,
}: Pick<Dependencies, 'store' | 'clock'>): Promise<JournalFindingRow[]> {
  const found = await store.journalFindings.listSince(unixSeconds(clock) - visibleSeconds)
  return found.map(({ atLeast, atMost, foundAt, ...finding }) => ({
    ...finding,
    at_least: atLeast,
    at_most: atMost,
    found_at: foundAt,
  }))
}

const upgradeVisibleSeconds = 7 * 86_400

function recentUpgrades({ store, clock }: Pick<Dependencies, 'store' | 'clock'>): Promise<UpgradeRow[]> {
  return listUpgrades(store, unixSeconds(clock) - upgradeVisibleSeconds)
}

function briefOf(token: OwnedToken): KeyBrief {
  const { id, status, name, accessed_time, expired_time, remain_quota, unlimited_quota, used_quota } =
    tokenResource.toWire(token)
  return { id, status, name, accessed_time, expired_time, remain_quota, unlimited_quota, used_quota }
}
