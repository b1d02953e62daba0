import { type ManyUsersChange, roles } from '@tollgate/api'
import type { LogEvent } from '@tollgate/api/log-events'
import { unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../../billing/ledger-types.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import { requirePart } from '../../../records/audit-log/require-part.ts'
import { eventRow } from '../../../records/logs/event-log.ts'
import type { Services } from '../../../services.ts'
import type { LockedSettingsReader } from '../../../settings/settings.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { Store } from '../../../store/store.ts'
import type { Quota } from '../../../store/units.ts'
import { isGift, type ManyUsersPlan, type PlannedUser, planChange } from './many-users-plan.ts'
import { isNearActor } from './near-accounts.ts'

export interface ManyUsersDependencies extends Pick<Services, 'store' | 'auditLog' | 'bus' | 'clock'> {
  readonly settings: LockedSettingsReader
  readonly ledger: Pick<Ledger, 'currentBalance' | 'correct'>
}

/** A change, and the users that it is for, as they are: locked where the plan is carried out. */
export interface Planning {
  readonly ids: readonly number[]
  readonly change: ManyUsersChange
  readonly users: ReadonlyMap<number, User>
}

/** Plans a change by the rights that the actor has over each user, and by the balances as they are. */
export async function planFor(
  { ledger }: Pick<ManyUsersDependencies, 'ledger'>,
  tx: Pick<Store, 'users'>,
  actor: Actor,
  { ids, change, users }: Planning,
): Promise<ManyUsersPlan> {
  const near = isGift(change) ? await nearIds(tx, actor, [...users.values()]) : new Set<number>()
  return planChange(ids, change, {
    userOf: (id) => activeOnly(users.get(id)),
    isBelowActor: ({ role }) => roles[role] < roles[actor.role],
    isNearActor: ({ id }) => near.has(id),
    balanceOf: ({ id, quota }) => ledger.currentBalance('user', id, quota),
  })
}

function activeOnly(user: User | undefined): User | undefined {
  return user?.deletedAt === null ? user : undefined
}

async function nearIds(
  tx: Pick<Store, 'users'>,
  actor: Actor,
  users: readonly User[],
): Promise<ReadonlySet<number>> {
  const near = new Set<number>()
  if (actor.role === 'root') return near
  for (const user of users) if (await isNearActor(tx, actor, user)) near.add(user.id)
  return near
}

/** Money that moves: the same amount on each of these accounts, by their ids. */
interface Move {
  readonly ids: readonly number[]
  readonly amount: Quota
  readonly note: string
}

/**
 * Moves money, and runs `write` in the transaction that does. Calls of the users go on meanwhile.
 * @param write writes everything else, and returns whose balances move by what it found then
 * @throws Refusal where these are not the accounts of the move
 */
export async function movingMoney(
  { store, ledger, clock }: Pick<ManyUsersDependencies, 'store' | 'ledger' | 'clock'>,
  actor: Actor,
  { ids, amount, note }: Move,
  write: (tx: Store) => Promise<readonly number[]>,
): Promise<void> {
  const entry = {
    ...({ accountKind: 'user', cause: 'admin-change' } as const),
    ...{ amount, note, createdAt: unixSeconds(clock), actorId: actor.userId },
  }
  const moved = ids.map((id) => ({ kind: 'user', id, amount }) as const)
  await ledger.correct(moved, async () => {
    await store.transaction(async (tx) => {
      const written = await write(tx)
      if (written.join() !== ids.join()) throw new Refusal('many_users_changed')
      // Accounts are locked last, in the order of their ids.
      for (const accountId of written) await tx.ledger.credit({ ...entry, accountId })
    })
    return true
  })
}

/** Refuses an administrator without the part that a change of balances needs. */
export function refuseWithoutPart(actor: Actor, { kind }: ManyUsersChange): void {
  if (kind === 'balance') requirePart(actor, 'money')
}

export function idsOf({ changed }: ManyUsersPlan): readonly number[] {
  return changed.map(({ user }) => user.id)
}

/** Writes to the log of each user who changed their balance, and by how much. */
export async function appendBalanceLog(
  { clock }: Pick<ManyUsersDependencies, 'clock'>,
  tx: Pick<Store, 'usage'>,
  actor: Actor,
  changed: readonly PlannedUser[],
  reason = '',
): Promise<void> {
  const person = { id: actor.userId, name: actor.username }
  const rows = changed.map(({ user: { id: userId, username }, before, after }) => {
    const balance = after.quota ?? 0
    const params = { actor: person, change: balance - (before.quota ?? 0), balance }
    const event: LogEvent =
      reason === ''
        ? { event: 'quota_changed', params }
        : { event: 'quota_changed_for', params: { ...params, reason } }
    return eventRow(unixSeconds(clock), 'management', { userId, username }, event, 0)
  })
  await tx.usage.append(rows)
}
