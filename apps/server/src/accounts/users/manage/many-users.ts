import { createHash } from 'node:crypto'
import {
  type Consent,
  type Consequence,
  leftOutReasons,
  type ManyUsersBody,
  type ManyUsersChange,
  type ManyUsersPreview,
  manyUsersMax,
  nameOf,
  roles,
  userStatuses,
} from '@tollgate/api'
import type { LogEvent } from '@tollgate/api/log-events'
import { unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../../billing/ledger-types.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import { requirePart } from '../../../records/audit-log/require-part.ts'
import { eventRow } from '../../../records/logs/event-log.ts'
import type { Services } from '../../../services.ts'
import { requireConfirmation } from '../../../settings/consequences/confirmation.ts'
import type { LockedSettingsReader } from '../../../settings/settings.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { AuditRecord } from '../../../store/log/audit-log.ts'
import type { Store } from '../../../store/store.ts'
import type { Quota } from '../../../store/units.ts'
import {
  fieldsOf,
  isGift,
  type ManyState,
  type ManyUsersPlan,
  type PlannedUser,
  planChange,
  promiseOf,
} from './many-users-plan.ts'
import { previousOf, recordedChange, statesOf } from './many-users-record.ts'
import { isNearActor } from './near-accounts.ts'
import { refuseUnknownGroup } from './ranks.ts'

interface Dependencies extends Pick<Services, 'store' | 'auditLog' | 'bus' | 'clock'> {
  readonly settings: LockedSettingsReader
  readonly ledger: Pick<Ledger, 'currentBalance' | 'correct'>
}

/** One change of balance, group or limits for many users: previewed, made in one transaction, and taken back as one. */
export interface ManyUsers {
  preview(actor: Actor, body: ManyUsersBody): Promise<ManyUsersPreview>
  /** @returns the number of changed users */
  change(actor: Actor, body: ManyUsersBody & Confirmed): Promise<number>
  /** Takes a recorded change back, for those whom it still can. Asks first where that is not all of them. */
  takeBack(actor: Actor, record: AuditRecord, consent: Consent): Promise<void>
}

interface Confirmed {
  readonly reason: string
  readonly confirmation: string
}

const maxListed = 50
const maxNamed = 10

export function createManyUsers(deps: Dependencies): ManyUsers {
  const { store, settings, ledger, bus } = deps

  async function idsOf({ ids, filter }: ManyUsersBody): Promise<readonly number[]> {
    if (ids !== undefined) return ids
    const { keyword = '', group, role, status } = filter ?? {}
    const fields = {
      ...(group !== undefined && { group }),
      ...(role !== undefined && { role: nameOf(roles, role) ?? 'common' }),
      ...(status !== undefined && { status: nameOf(userStatuses, status) ?? 'enabled' }),
    }
    const page = { sort: 'id', descending: false, offset: 0, limit: manyUsersMax } as const
    const trimmed = keyword.trim()
    const { rows, total } = await store.users.page(
      { keyword: trimmed === '' ? undefined : trimmed, fields, deleted: false },
      page,
    )
    if (total > manyUsersMax) throw new Refusal('many_users_too_many', { count: total, max: manyUsersMax })
    return rows.map(({ id }) => id)
  }

  /** @param users as they are; locked where the plan is carried out */
  async function planFor(tx: Store, actor: Actor, { ids, change, users }: Planning): Promise<ManyUsersPlan> {
    const near = isGift(change) ? await nearIds(tx, actor, [...users.values()]) : new Set<number>()
    return planChange(ids, change, {
      userOf: (id) => activeOnly(users.get(id)),
      isBelowActor: ({ role }) => roles[role] < roles[actor.role],
      isNearActor: ({ id }) => near.has(id),
      balanceOf: ({ id, quota }) => ledger.currentBalance('user', id, quota),
    })
  }

  /**
   * Moves the money, and runs `write` in the transaction that does. Calls of the users go on meanwhile.
   * @param write returns whose balances move, once it has written everything else
   */
  async function moving(
    actor: Actor,
    { ids, amount, note }: { readonly ids: readonly number[]; readonly amount: Quota; readonly note: string },
    write: (tx: Store) => Promise<readonly number[]>,
  ): Promise<void> {
    const createdAt = unixSeconds(deps.clock)
    const entry = {
      accountKind: 'user',
      cause: 'admin-change',
      amount,
      createdAt,
      actorId: actor.userId,
      note,
    } as const
    await ledger.correct(
      ids.map((id) => ({ kind: 'user', id, amount })),
      async () => {
        await store.transaction(async (tx) => {
          // Accounts are locked last, in the order of their ids.
          const written = await write(tx)
          if (written.join() !== ids.join()) throw new Refusal('many_users_changed')
          for (const accountId of written) await tx.ledger.credit({ ...entry, accountId })
        })
        return true
      },
    )
  }

  async function writeChange(
    tx: Store,
    actor: Actor,
    { ids, change, reason, confirmation }: Order,
  ): Promise<readonly number[]> {
    const users = await tx.users.lockByIds(ids)
    const plan = await planFor(tx, actor, { ids, change, users })
    if (confirmationOf(change, plan) !== confirmation) throw new Refusal('many_users_changed')
    if (plan.changed.length === 0) throw new Refusal('many_users_none')
    if (change.kind === 'group') await refuseUnknownGroup(settings, tx, change.group)
    const changedIds = plan.changed.map(({ user }) => user.id)
    if (change.kind === 'balance') await appendLog(deps, tx, actor, plan.changed, reason)
    else await tx.users.updateBelow(changedIds, actor.role, fieldsOf(plan.changed[0]?.after ?? {}))
    await deps.auditLog.record(
      actor,
      {
        action: 'user.update-many',
        target: { kind: 'user', name: `×${changedIds.length}` },
        before: { previous: previousOf(plan.changed) },
        after: { change, ...(reason !== '' && { reason }) },
      },
      tx,
    )
    return changedIds
  }

  return {
    async preview(actor, body) {
      refuseWithoutPart(actor, body.change)
      const ids = await idsOf(body)
      const users = await store.users.listByIds(ids)
      if (body.change.kind === 'group') await refuseUnknownGroupNow(settings, body.change.group)
      const plan = await planFor(store, actor, { ids, change: body.change, users })
      return toPreview(plan, body.change)
    },

    async change(actor, body) {
      refuseWithoutPart(actor, body.change)
      const ids = await idsOf(body)
      const { change, reason } = body
      let changed: readonly number[] = []
      const write = async (tx: Store) => {
        changed = await writeChange(tx, actor, { ...body, ids })
        return changed
      }
      if (change.kind === 'balance') {
        // Memory moves the accounts of the preview, and the transaction refuses any others.
        const users = await store.users.listByIds(ids)
        const plan = await planFor(store, actor, { ids, change, users })
        const planned = plan.changed.map(({ user }) => user.id)
        const note = `by ${actor.username}${reason === '' ? '' : `: ${reason}`}`
        await moving(actor, { ids: planned, amount: change.amount, note }, write)
      } else await store.transaction(async (tx) => void (await write(tx)))
      for (const id of changed) bus.publish('user-changed', { id })
      return changed.length
    },

    async takeBack(actor, record, consent) {
      const { change, previous } = recordedChange(record)
      refuseWithoutPart(actor, change)
      const states = new Map(previous.flatMap(({ state, ids }) => ids.map((id) => [id, state] as const)))
      const ids = [...states.keys()]
      let changed: readonly number[] = []
      const write = async (tx: Store) => {
        const users = await tx.users.lockByIds(ids)
        // Whoever was first has written it by now: the locks of the users are behind theirs.
        const earlier = { action: 'user.take-back-many', targetKind: 'user', targetId: record.id } as const
        const { total } = await tx.auditLog.page(earlier, { offset: 0, limit: 1 })
        if (total > 0) throw new Refusal('audit_changed_since')
        const plan = await planReversal(tx, actor, { change, states, users })
        if (plan.changed.length === 0) throw new Refusal('many_users_none')
        requireConfirmation(consequencesOf(plan, states.size), consent)
        changed = await writeReversal(tx, actor, record, plan)
        return changed
      }
      if (change.kind === 'balance') {
        const users = await store.users.listByIds(ids)
        const plan = await planReversal(store, actor, { change, states, users })
        const planned = plan.changed.map(({ user }) => user.id)
        const note = `by ${actor.username}: taken back`
        await moving(actor, { ids: planned, amount: -change.amount, note }, write)
      } else await store.transaction(async (tx) => void (await write(tx)))
      for (const id of changed) bus.publish('user-changed', { id })
    },
  }

  /** A user who was changed again since is left out, as one is whom the actor may not change. */
  async function planReversal(
    tx: Store,
    actor: Actor,
    { change, states, users }: Reversal,
  ): Promise<ManyUsersPlan> {
    if (change.kind === 'balance') {
      const back = { kind: 'balance', amount: -change.amount, below_zero: true } as const
      return await planFor(tx, actor, { ids: [...states.keys()], change: back, users })
    }
    const plans = await Promise.all(
      [...states].map(async ([id, state]) => {
        const user = users.get(id)
        const isUntouched =
          user !== undefined &&
          Object.entries(fieldsOf(stateOfChange(change))).every(
            ([name, value]) => user[name as 'group'] === value,
          )
        const back: ManyUsersChange =
          state.group === undefined
            ? { kind: 'limits', ...limitsOf(state) }
            : { kind: 'group', group: state.group }
        return isUntouched
          ? await planFor(tx, actor, { ids: [id], change: back, users })
          : { changed: [], leftOut: new Map([['unchanged' as const, [user?.username ?? String(id)]]]) }
      }),
    )
    return joined(plans)
  }

  async function writeReversal(
    tx: Store,
    actor: Actor,
    record: AuditRecord,
    plan: ManyUsersPlan,
  ): Promise<readonly number[]> {
    for (const { state, ids } of statesOf(plan.changed)) {
      if (state.group !== undefined) await refuseUnknownGroup(settings, tx, state.group)
      if (Object.keys(fieldsOf(state)).length > 0)
        await tx.users.updateBelow(ids, actor.role, fieldsOf(state))
    }
    if (plan.changed.some(({ after }) => after.quota !== undefined))
      await appendLog(deps, tx, actor, plan.changed, '')
    const ids = plan.changed.map(({ user }) => user.id)
    const target = { kind: 'user', id: record.id, name: record.targetName } as const
    await deps.auditLog.record(actor, { action: 'user.take-back-many', target, after: { ids } }, tx)
    return ids
  }
}

/** A change that was previewed, for these users. */
interface Order extends Confirmed {
  readonly ids: readonly number[]
  readonly change: ManyUsersChange
}

interface Planning {
  readonly ids: readonly number[]
  readonly change: ManyUsersChange
  readonly users: ReadonlyMap<number, User>
}

interface Reversal {
  readonly change: ManyUsersChange
  readonly states: ReadonlyMap<number, ManyState>
  readonly users: ReadonlyMap<number, User>
}

function activeOnly(user: User | undefined): User | undefined {
  return user?.deletedAt === null ? user : undefined
}

function refuseWithoutPart(actor: Actor, { kind }: ManyUsersChange): void {
  if (kind === 'balance') requirePart(actor, 'money')
}

async function refuseUnknownGroupNow({ current }: LockedSettingsReader, group: string): Promise<void> {
  if (!Object.hasOwn(current.GroupRatio, group)) throw new Refusal('user_group_unknown', { group })
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

function confirmationOf(change: ManyUsersChange, plan: ManyUsersPlan): string {
  const text = JSON.stringify([change, promiseOf(plan)])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

function toPreview(plan: ManyUsersPlan, change: ManyUsersChange): ManyUsersPreview {
  const { changed, leftOut } = plan
  return {
    changed: changed.length,
    amount: change.kind === 'balance' ? change.amount * changed.length : 0,
    users: changed
      .slice(0, maxListed)
      .map(({ user: { id, username }, before, after }) => ({ id, username, before, after })),
    left_out: leftOutReasons.flatMap((reason) => {
      const names = leftOut.get(reason) ?? []
      return names.length === 0 ? [] : [{ reason, count: names.length, usernames: names.slice(0, maxNamed) }]
    }),
    confirmation: confirmationOf(change, plan),
  }
}

/** The users read in their log who changed their balance, and by how much. */
async function appendLog(
  { clock }: Pick<Dependencies, 'clock'>,
  tx: Store,
  actor: Actor,
  changed: readonly PlannedUser[],
  reason: string,
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

function stateOfChange(change: Exclude<ManyUsersChange, { kind: 'balance' }>): ManyState {
  return change.kind === 'group' ? { group: change.group } : limitsOf(change)
}

function limitsOf({ requests_per_minute, tokens_per_minute, concurrency }: ManyState) {
  return { requests_per_minute, tokens_per_minute, concurrency }
}

function joined(plans: readonly ManyUsersPlan[]): ManyUsersPlan {
  const leftOut = new Map<Parameters<ManyUsersPlan['leftOut']['get']>[0], string[]>()
  for (const plan of plans)
    for (const [reason, names] of plan.leftOut)
      leftOut.set(reason, [...(leftOut.get(reason) ?? []), ...names])
  return { changed: plans.flatMap(({ changed }) => changed), leftOut }
}

function consequencesOf({ changed, leftOut }: ManyUsersPlan, users: number): readonly Consequence[] {
  const left = [...leftOut.values()].reduce((sum, names) => sum + names.length, 0)
  const below = changed.filter(
    ({ before, after }) => (after.quota ?? 0) < 0 && (before.quota ?? 0) >= 0,
  ).length
  return [
    ...(left > 0 ? [{ code: 'many_users_left', details: { left, users } } as const] : []),
    ...(below > 0 ? [{ code: 'many_users_below_zero', details: { users: below } } as const] : []),
  ]
}
