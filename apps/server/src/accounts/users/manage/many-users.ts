import { createHash } from 'node:crypto'
import {
  type Consent,
  leftOutReasons,
  type ManyUsersBody,
  type ManyUsersChange,
  type ManyUsersPreview,
  manyUsersMax,
  nameOf,
  roles,
  userStatuses,
} from '@tollgate/api'
import { Refusal } from '../../../lib/refusal.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import type { AuditRecord } from '../../../store/log/audit-log.ts'
import type { Store } from '../../../store/store.ts'
import { fieldsOf, isGift, type ManyUsersPlan, promiseOf } from './many-users-plan.ts'
import { previousOf } from './many-users-record.ts'
import {
  appendBalanceLog,
  idsOf,
  type ManyUsersDependencies,
  movingMoney,
  planFor,
  refuseWithoutPart,
} from './many-users-writing.ts'
import { factsOfGift, openedBy } from './near-accounts.ts'
import { refuseUnknownGroup } from './ranks.ts'
import { takeBackMany } from './take-back-many.ts'

/** One change of balance, group or limits for many users: previewed, made in one transaction, and taken back as one. */
export interface ManyUsers {
  preview(actor: Actor, body: ManyUsersBody): Promise<ManyUsersPreview>
  /** @returns the number of changed users */
  change(actor: Actor, body: ManyUsersBody & Confirmed): Promise<number>
  /** See `takeBackMany`. */
  takeBack(actor: Actor, record: AuditRecord, consent: Consent): Promise<void>
}

interface Confirmed {
  readonly reason?: string | undefined
  readonly confirmation: string
}

/** A change that was previewed, for these users. */
interface Order extends Confirmed {
  readonly ids: readonly number[]
  readonly change: ManyUsersChange
}

const maxListed = 50
const maxNamed = 10

export function createManyUsers(deps: ManyUsersDependencies): ManyUsers {
  const { store, settings, bus } = deps

  return {
    async preview(actor, body) {
      const { change } = body
      refuseWithoutPart(actor, change)
      if (change.kind === 'group' && !Object.hasOwn(settings.current.GroupRatio, change.group))
        throw new Refusal('user_group_unknown', { group: change.group })
      const ids = await chosenIds(deps, body)
      const users = await store.users.listByIds(ids)
      const plan = await planFor(deps, store, actor, { ids, change, users })
      return toPreview(plan, await confirmationOf(store, change, plan), change)
    },

    async change(actor, body) {
      const { change, reason = '' } = body
      refuseWithoutPart(actor, change)
      const ids = await chosenIds(deps, body)
      let changed: readonly number[] = []
      const write = async (tx: Store) => {
        changed = await writeChange(deps, tx, actor, { ...body, ids })
        return changed
      }
      if (change.kind === 'balance') {
        const users = await store.users.listByIds(ids)
        const plan = await planFor(deps, store, actor, { ids, change, users })
        const note = `by ${actor.username}${reason === '' ? '' : `: ${reason}`}`
        await movingMoney(deps, actor, { ids: idsOf(plan), amount: change.amount, note }, write)
      } else await store.transaction(async (tx) => void (await write(tx)))
      for (const id of changed) bus.publish('user-changed', { id })
      return changed.length
    },

    takeBack: (actor, record, consent) => takeBackMany(deps, actor, record, consent),
  }
}

/** The ids that a body names, or those of all who match its filter and are not deleted. */
async function chosenIds(
  { store }: Pick<ManyUsersDependencies, 'store'>,
  { ids, filter = {} }: ManyUsersBody,
): Promise<readonly number[]> {
  if (ids !== undefined) return ids
  const { keyword = '', group, role, status } = filter
  const trimmed = keyword.trim()
  const fields = {
    ...(group !== undefined && { group }),
    ...(role !== undefined && { role: nameOf(roles, role) ?? 'common' }),
    ...(status !== undefined && { status: nameOf(userStatuses, status) ?? 'enabled' }),
  }
  const { rows, total } = await store.users.page(
    { keyword: trimmed === '' ? undefined : trimmed, fields, deleted: false },
    { sort: 'id', descending: false, offset: 0, limit: manyUsersMax },
  )
  if (total > manyUsersMax) throw new Refusal('many_users_too_many', { count: total, max: manyUsersMax })
  return rows.map(({ id }) => id)
}

/** Plans again with all users locked, and writes what the preview promised, but for the money. */
async function writeChange(
  deps: ManyUsersDependencies,
  tx: Store,
  actor: Actor,
  { ids, change, reason = '', confirmation }: Order,
): Promise<readonly number[]> {
  const users = await tx.users.lockByIds(ids)
  const plan = await planFor(deps, tx, actor, { ids, change, users })
  if ((await confirmationOf(tx, change, plan)) !== confirmation) throw new Refusal('many_users_changed')
  const [first] = plan.changed
  if (first === undefined) throw new Refusal('many_users_none')
  if (change.kind === 'group') await refuseUnknownGroup(deps.settings, tx, change.group)
  const changed = idsOf(plan)
  if (change.kind === 'balance') await appendBalanceLog(deps, tx, actor, plan.changed, reason)
  // Every one of them becomes the same.
  else await tx.users.updateBelow(changed, actor.role, fieldsOf(first.after))
  const target = { kind: 'user', name: `×${changed.length}` } as const
  const before = { previous: previousOf(plan.changed) }
  const opened = isGift(change) ? await openedBy(tx, actor, changed) : []
  const after = { change, ...(reason !== '' && { reason }), ...factsOfGift(opened) }
  await deps.auditLog.record(actor, { action: 'user.update-many', target, before, after }, tx)
  return changed
}

/** Names a plan. Another act on its users since then, and the change itself, make it another plan. */
async function confirmationOf(
  tx: Pick<Store, 'auditLog'>,
  change: ManyUsersChange,
  plan: ManyUsersPlan,
): Promise<string> {
  const text = JSON.stringify([change, promiseOf(plan), await lastActOn(tx, change, plan)])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/**
 * The last recorded act on users whose balances move: calls change a balance all the time, so that it does not say whether an
 * administrator has moved it since. Changes of many users have no target of their own.
 */
async function lastActOn(
  { auditLog }: Pick<Store, 'auditLog'>,
  { kind }: ManyUsersChange,
  plan: ManyUsersPlan,
): Promise<number> {
  return kind === 'balance' ? await auditLog.lastIdAbout('user', [0, ...idsOf(plan)]) : 0
}

function toPreview(plan: ManyUsersPlan, confirmation: string, change: ManyUsersChange): ManyUsersPreview {
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
    confirmation,
  }
}
