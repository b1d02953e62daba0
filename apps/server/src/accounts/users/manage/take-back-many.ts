import type { Consent, Consequence, LeftOutReason, ManyUsersChange } from '@tollgate/api'
import { Refusal } from '../../../lib/refusal.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import { requireConfirmation } from '../../../settings/consequences/confirmation.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { AuditRecord } from '../../../store/log/audit-log.ts'
import type { Store } from '../../../store/store.ts'
import { changeText, type QuotaFormat } from '../../quota-text.ts'
import { fieldsOf, type ManyState, type ManyUsersPlan } from './many-users-plan.ts'
import { recordedChange, statesOf } from './many-users-record.ts'
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

/** A recorded change: users by the state that they had. */
interface Reversal {
  readonly change: ManyUsersChange
  readonly states: ReadonlyMap<number, ManyState>
}

/** Takes a recorded change back, once, for those whom it still can. Asks first by what it does, as a preview does before the change. */
export async function takeBackMany(
  deps: ManyUsersDependencies,
  actor: Actor,
  record: AuditRecord,
  consent: Consent,
): Promise<void> {
  const { change, previous } = recordedChange(record)
  refuseWithoutPart(actor, change)
  const states = new Map(previous.flatMap(({ state, ids }) => ids.map((id) => [id, state] as const)))
  const ids = [...states.keys()]
  const { store } = deps
  let changed: readonly number[] = []
  const write = async (tx: Store) => {
    const users = await tx.users.lockByIds(ids)
    await refuseTakenBack(tx, record)
    const plan = await planReversal(deps, tx, actor, { change, states }, users)
    if (plan.changed.length === 0) throw new Refusal('many_users_none')
    const effects = effectsOf(plan, change, deps.settings.current)
    requireConfirmation([...effects, ...consequencesOf(plan, ids.length)], consent)
    await writeReversal(deps, tx, actor, record, plan)
    changed = idsOf(plan)
    return changed
  }
  if (change.kind === 'balance') {
    const users = await store.users.listByIds(ids)
    const plan = await planReversal(deps, store, actor, { change, states }, users)
    const note = `by ${actor.username}: taken back`
    await movingMoney(deps, actor, { ids: idsOf(plan), amount: -change.amount, note }, write)
  } else await store.transaction(async (tx) => void (await write(tx)))
  for (const id of changed) deps.bus.publish('user-changed', { id })
}

/** Refuses what was taken back already. It runs behind the locks of the users: an undo that was first has written its record by now. */
async function refuseTakenBack(tx: Pick<Store, 'auditLog'>, { id }: AuditRecord): Promise<void> {
  const earlier = { action: 'user.take-back-many', targetKind: 'user', targetId: id } as const
  const { total } = await tx.auditLog.page(earlier, { offset: 0, limit: 1 })
  if (total > 0) throw new Refusal('audit_changed_since')
}

/** A user who was changed again since is left out, as one is whom the actor may not change. */
async function planReversal(
  deps: ManyUsersDependencies,
  tx: Pick<Store, 'users'>,
  actor: Actor,
  { change, states }: Reversal,
  users: ReadonlyMap<number, User>,
): Promise<ManyUsersPlan> {
  if (change.kind === 'balance') {
    const back = { kind: 'balance', amount: -change.amount, below_zero: true } as const
    return await planFor(deps, tx, actor, { ids: [...states.keys()], change: back, users })
  }
  const made = Object.entries(fieldsOf(stateOfChange(change)))
  const plans = await Promise.all(
    [...states].map(async ([id, state]) => {
      const user = users.get(id)
      const isUntouched = user !== undefined && made.every(([name, value]) => user[name as 'group'] === value)
      return isUntouched
        ? await planFor(deps, tx, actor, { ids: [id], change: changeTo(state), users })
        : { changed: [], leftOut: new Map([['unchanged' as const, [user?.username ?? String(id)]]]) }
    }),
  )
  return joined(plans)
}

function stateOfChange(change: Exclude<ManyUsersChange, { kind: 'balance' }>): ManyState {
  return change.kind === 'group' ? { group: change.group } : limitsOf(change)
}

function changeTo(state: ManyState): ManyUsersChange {
  return state.group === undefined
    ? { kind: 'limits', ...limitsOf(state) }
    : { kind: 'group', group: state.group }
}

function limitsOf({ requests_per_minute, tokens_per_minute, concurrency }: ManyState) {
  return { requests_per_minute, tokens_per_minute, concurrency }
}

function joined(plans: readonly ManyUsersPlan[]): ManyUsersPlan {
  const leftOut = new Map<LeftOutReason, string[]>()
  for (const [reason, names] of plans.flatMap((plan) => [...plan.leftOut]))
    leftOut.set(reason, [...(leftOut.get(reason) ?? []), ...names])
  return { changed: plans.flatMap(({ changed }) => changed), leftOut }
}

/** Says what users get back. */
function effectsOf(
  { changed }: ManyUsersPlan,
  change: ManyUsersChange,
  format: QuotaFormat,
): readonly Consequence[] {
  if (change.kind === 'balance') {
    const amount = changeText(-change.amount, format)
    return [{ code: 'many_users_balance', details: { users: changed.length, amount } }]
  }
  if (change.kind === 'limits') return [{ code: 'many_users_limits', details: { users: changed.length } }]
  return statesOf(changed).map(({ state: { group = '' }, ids }) => ({
    code: 'many_users_group',
    details: { users: ids.length, group },
  }))
}

function consequencesOf({ changed, leftOut }: ManyUsersPlan, users: number): readonly Consequence[] {
  const left = [...leftOut.values()].flat().length
  const below = changed.filter(({ before, after }) => (after.quota ?? 0) < 0 && (before.quota ?? 0) >= 0)
  return [
    ...(left > 0 ? [{ code: 'many_users_left', details: { left, users } } as const] : []),
    ...(below.length > 0
      ? [{ code: 'many_users_below_zero', details: { users: below.length } } as const]
      : []),
  ]
}

async function writeReversal(
  deps: ManyUsersDependencies,
  tx: Store,
  actor: Actor,
  record: AuditRecord,
  { changed }: ManyUsersPlan,
): Promise<void> {
  for (const { state, ids } of statesOf(changed)) {
    if (state.group !== undefined) await refuseUnknownGroup(deps.settings, tx, state.group)
    const fields = fieldsOf(state)
    if (Object.keys(fields).length > 0) await tx.users.updateBelow(ids, actor.role, fields)
  }
  const moved = changed.filter(({ after }) => after.quota !== undefined)
  if (moved.length > 0) await appendBalanceLog(deps, tx, actor, moved)
  const target = { kind: 'user', id: record.id, name: record.targetName } as const
  const ids = changed.map(({ user }) => user.id)
  const isGiven = changed.some(
    ({ before, after }) => after.group !== undefined || (after.quota ?? 0) > (before.quota ?? 0),
  )
  const after = { ids, ...factsOfGift(isGiven ? await openedBy(tx, actor, ids) : []) }
  await deps.auditLog.record(actor, { action: 'user.take-back-many', target, after }, tx)
}
