import { maxBalance, type RateLimits, rateLimitsIn, type UserUpdateBody, wireRateLimits } from '@tollgate/api'
import type { Actor } from '../../audit-log/audit-log.ts'
import type { Credit, Ledger } from '../../billing/ledger-types.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Services } from '../../services.ts'
import type { LockedSettingsReader } from '../../settings/settings.ts'
import type { User } from '../../store/repositories/users.ts'
import type { Store } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'
import {
  type Passwords,
  refuseBadDisplayName,
  refuseBadPassword,
  refuseBadUsername,
  refuseForeignAddress,
} from '../auth/passwords.ts'
import { revokeCredentials } from '../auth/revoke-credentials.ts'
import type { ClientInfo, SecurityAlerts } from '../auth/security-alerts.ts'
import { activeUser, refusingDuplicates } from '../stored-users.ts'
import { mayEdit, refuseUnknownGroup } from './ranks.ts'

interface Dependencies extends Pick<Services, 'store' | 'auditLog' | 'eventLog' | 'bus'> {
  readonly settings: LockedSettingsReader
  readonly ledger: Pick<Ledger, 'currentBalance' | 'credit' | 'setBalance'>
  readonly passwords: Pick<Passwords, 'hash'>
  readonly alerts: Pick<SecurityAlerts, 'send'>
}

type Fields = Partial<Pick<User, 'username' | 'displayName' | 'group' | 'passwordHash'>> & Partial<RateLimits>

/**
 * Changes the given fields of a user of lower rank (root: of itself too). Fields, money and audit entry are written in one
 * transaction. A new password revokes the other credentials and sends the owner an alert.
 */
export async function updateUser(
  deps: Dependencies,
  actor: Actor,
  body: UserUpdateBody,
  by: ClientInfo,
): Promise<User> {
  const { store, passwords, bus } = deps
  const user = activeUser(await store.users.find(body.id), 'user_unknown')
  if (!mayEdit(actor, user)) throw new Refusal('user_rank_too_high')
  const names = { ...namesIn(body, user), ...groupIn(body, user), ...rateLimitsIn(body) }
  const fields = { ...names, ...(await passwordIn(body, passwords)) }
  const money = moneyIn(body, user, deps.ledger)
  if (money === undefined) await store.transaction((tx) => write(deps, tx, { actor, user, fields, money }))
  else await moveMoney(deps, { actor, user, fields, money })
  bus.publish('user-changed', { id: user.id })
  if (fields.passwordHash !== undefined) deps.alerts.send(user, 'password', by)
  return (await store.users.find(user.id)) ?? user
}

function namesIn(body: UserUpdateBody, user: User): Fields {
  const username = body.username?.trim() ?? user.username
  const displayName = body.display_name?.trim() || user.displayName
  // An older name may break a newer rule; it may stay.
  if (username !== user.username) {
    refuseBadUsername(username)
    refuseForeignAddress(username, user.email)
  }
  if (displayName !== user.displayName) refuseBadDisplayName(displayName)
  return {
    ...(username !== user.username && { username }),
    ...(displayName !== user.displayName && { displayName }),
  }
}

function groupIn({ group }: UserUpdateBody, user: User): Fields {
  return group === undefined || group === user.group ? {} : { group }
}

async function passwordIn(
  { password = '' }: UserUpdateBody,
  passwords: Pick<Passwords, 'hash'>,
): Promise<Fields> {
  if (password === '') return {}
  refuseBadPassword(password)
  return { passwordHash: await passwords.hash(password) }
}

/** A new balance, or an amount that is added to it. */
type Money =
  | { readonly before: Quota; readonly balance: Quota }
  | { readonly before: Quota; readonly amount: Quota }

/** `undefined` when nothing changes. */
function moneyIn(
  { quota, quota_change: amount }: UserUpdateBody,
  user: User,
  ledger: Pick<Ledger, 'currentBalance'>,
): Money | undefined {
  const before = ledger.currentBalance('user', user.id, user.quota)
  if (amount !== undefined) {
    if (Math.abs(before + amount) > maxBalance)
      throw new Refusal('user_balance_out_of_range', { max: maxBalance })
    return amount === 0 ? undefined : { before, amount }
  }
  return quota === undefined || quota === before ? undefined : { before, balance: quota }
}

interface Edit {
  readonly actor: Actor
  readonly user: User
  readonly fields: Fields
  readonly money: Money | undefined
}

/** Changes money and fields in the ledger's transaction; the user's log gets a row with the actor. */
async function moveMoney(deps: Dependencies, edit: Edit & { readonly money: Money }): Promise<void> {
  const { actor, user, money } = edit
  const credit: Omit<Credit, 'amount'> = {
    kind: 'user',
    id: user.id,
    cause: 'admin-change',
    actorId: actor.userId,
    note: `by ${actor.username}`,
    inTransaction: (tx) => write(deps, tx, edit),
  }
  const balance = await ('amount' in money
    ? deps.ledger.credit({ ...credit, amount: money.amount })
    : deps.ledger.setBalance({ ...credit, balance: money.balance }))
  const change = 'amount' in money ? money.amount : balance - money.before
  const subject = { userId: user.id, username: edit.fields.username ?? user.username }
  await deps.eventLog.appendManagementLog(
    subject,
    `${actor.username} (id ${actor.userId}) changed the quota by ${change} to ${balance}`,
  )
}

async function write(
  { auditLog, settings }: Dependencies,
  tx: Store,
  { actor, user, fields, money }: Edit,
): Promise<void> {
  if (!(await isStillBelow(tx, actor, user))) throw new Refusal('user_changed_meanwhile')
  if (fields.group !== undefined) await refuseUnknownGroup(settings, tx, fields.group)
  if (Object.keys(fields).length > 0)
    await refusingDuplicates(tx.users.update(user.id, fields), 'username_taken')
  if (fields.passwordHash !== undefined) await revokeCredentials(tx, [user.id], 'password-replaced')
  const changed = { ...user, ...fields }
  const { username, displayName, group } = changed
  await auditLog.record(
    actor,
    {
      action: 'user.update',
      target: { kind: 'user', id: user.id, name: user.username },
      before: {
        username: user.username,
        displayName: user.displayName,
        group: user.group,
        ...wireRateLimits(user),
        ...moneyBefore(money),
      },
      after: {
        username,
        displayName,
        group,
        ...wireRateLimits(changed),
        ...moneyAfter(money),
        ...(fields.passwordHash !== undefined && { password: 'new' }),
      },
    },
    tx,
  )
}

/** Locks the row too: the user is not promoted or deleted before the change. */
async function isStillBelow(tx: Store, actor: Actor, user: User): Promise<boolean> {
  if (user.id === actor.userId) return true
  return (await tx.users.updateBelow([user.id], actor.role, { deletedAt: null })).has(user.id)
}

function moneyBefore(money: Money | undefined) {
  return money === undefined ? {} : { quota: money.before }
}

function moneyAfter(money: Money | undefined) {
  if (money === undefined) return {}
  return { quota: 'amount' in money ? money.before + money.amount : money.balance }
}
