import { maxBalance, type UserFields, type UserUpdateBody, userResource } from '@tollgate/api'
import type { LogEvent } from '@tollgate/api/log-events'
import type { Credit, Ledger } from '../../../billing/ledger-types.ts'
import { editOver } from '../../../lib/merge-edit.ts'
import { Refusal, refuseLimit } from '../../../lib/refusal.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import { requirePart } from '../../../records/audit-log/require-part.ts'
import type { Services } from '../../../services.ts'
import type { LockedSettingsReader } from '../../../settings/settings.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { Store } from '../../../store/store.ts'
import type { Quota } from '../../../store/units.ts'
import { refuseFixedFields } from '../fixed-fields.ts'
import {
  type Passwords,
  refuseBadDisplayName,
  refuseBadPassword,
  refuseBadUsername,
  refuseForeignAddress,
} from '../login/passwords.ts'
import { revokeCredentials } from '../login/revoke-credentials.ts'
import type { ClientInfo, SecurityAlerts } from '../login/security-alerts.ts'
import { refusePrivilegedLookalike } from '../privileged-names.ts'
import { activeUser, refusingDuplicates } from '../stored-users.ts'
import { admitGift } from './near-accounts.ts'
import { mayEdit, refuseUnknownGroup } from './ranks.ts'

interface Dependencies extends Pick<Services, 'store' | 'auditLog' | 'eventLog' | 'bus'> {
  readonly settings: LockedSettingsReader
  readonly ledger: Pick<Ledger, 'currentBalance' | 'credit' | 'setBalance'>
  readonly passwords: Pick<Passwords, 'hash'>
  readonly alerts: Pick<SecurityAlerts, 'send'>
}

type Fields = Partial<UserFields> & Partial<Pick<User, 'passwordHash'>>

/**
 * Changes the given fields of a user of lower rank (root: of itself too), as the user is while nobody else can change them.
 * Fields, money and audit entry are written in one transaction. A new password revokes the other credentials and sends the
 * owner an alert.
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
  refuseFixedFields(body, user)
  const passwordHash = await passwordHashIn(body, passwords)
  const edit: Edit = { actor, user, body, passwordHash }
  if (movesMoney(body, user, deps.ledger)) {
    requirePart(actor, 'money')
    await moveMoney(deps, edit)
  } else await store.transaction(async (tx) => void (await write(deps, tx, edit)))
  bus.publish('user-changed', { id: user.id })
  if (passwordHash !== undefined) deps.alerts.send(user, 'password', by)
  return (await store.users.find(user.id)) ?? user
}

interface Edit {
  readonly actor: Actor
  /** User as before the transaction. */
  readonly user: User
  readonly body: UserUpdateBody
  readonly passwordHash: string | undefined
}

async function passwordHashIn(
  { password = '' }: UserUpdateBody,
  passwords: Pick<Passwords, 'hash'>,
): Promise<string | undefined> {
  if (password === '') return undefined
  refuseBadPassword(password)
  return await passwords.hash(password)
}

/** A balance that is sent as it is moves nothing. */
function movesMoney(
  { quota, quota_change: amount }: UserUpdateBody,
  user: User,
  ledger: Pick<Ledger, 'currentBalance'>,
): boolean {
  if (amount !== undefined) return amount !== 0
  return quota !== undefined && quota !== ledger.currentBalance('user', user.id, user.quota)
}

/** The balance before and after an edit. */
interface Moved {
  readonly before: Quota
  readonly after: Quota
}

/** Changes money and fields in the ledger's transaction; the user's log gets a row with the actor. */
async function moveMoney(deps: Dependencies, edit: Edit): Promise<void> {
  const { actor, user, body } = edit
  let written: Written | undefined
  const credit: Omit<Credit, 'amount'> = {
    kind: 'user',
    id: user.id,
    cause: 'admin-change',
    actorId: actor.userId,
    note: `by ${actor.username}${reasonText(body)}`,
    async inTransaction(tx) {
      written = await write(deps, tx, edit, (now) => movedBy(body, now, deps.ledger))
    },
  }
  const balance = await (body.quota_change === undefined
    ? deps.ledger.setBalance({ ...credit, balance: body.quota ?? 0 })
    : deps.ledger.credit({ ...credit, amount: body.quota_change }))
  const change = body.quota_change ?? balance - (written?.moved?.before ?? 0)
  await deps.eventLog.appendManagementLog(
    { userId: user.id, username: written?.username ?? user.username },
    quotaChange(actor, { change, balance, reason: body.reason ?? '' }),
  )
}

/** The user reads it in their log. */
function quotaChange(
  { userId, username }: Actor,
  { reason, ...moved }: { readonly change: Quota; readonly balance: Quota; readonly reason: string },
): LogEvent {
  const params = { actor: { id: userId, name: username }, ...moved }
  return reason === ''
    ? { event: 'quota_changed', params }
    : { event: 'quota_changed_for', params: { ...params, reason } }
}

/** Returns the reason for the ledger's note. */
function reasonText({ reason = '' }: UserUpdateBody): string {
  return reason === '' ? '' : `: ${reason}`
}

function movedBy(
  { quota = 0, quota_change: amount }: UserUpdateBody,
  now: User,
  ledger: Pick<Ledger, 'currentBalance'>,
): Moved {
  const before = ledger.currentBalance('user', now.id, now.quota)
  if (amount === undefined) return { before, after: quota }
  if (Math.abs(before + amount) > maxBalance)
    throw new Refusal('user_balance_out_of_range', { max: maxBalance })
  return { before, after: before + amount }
}

interface Written {
  readonly username: string
  readonly moved: Moved | undefined
}

/**
 * Writes the edit of the user as they are now, and records what it changed.
 * @param movedOf what the transaction makes of the balance
 */
async function write(
  { auditLog, settings }: Dependencies,
  tx: Store,
  { actor, user: { id }, body, passwordHash }: Edit,
  movedOf: (now: User) => Moved | undefined = () => undefined,
): Promise<Written> {
  const user = await lockBelow(tx, actor, id)
  const fields: Fields = {
    ...fieldsIn(body, user),
    ...(passwordHash !== undefined && { passwordHash }),
  }
  const moved = movedOf(user)
  const facts = isGift(fields, body, moved) ? await admitGift(tx, actor, user) : {}
  if (fields.username !== undefined)
    await refusePrivilegedLookalike(tx, { ...user, username: fields.username })
  if (fields.group !== undefined) await refuseUnknownGroup(settings, tx, fields.group)
  if (Object.keys(fields).length > 0) await refusingDuplicates(tx.users.update(id, fields), 'username_taken')
  if (passwordHash !== undefined) await revokeCredentials(tx, [id], 'password-replaced')
  const changed = { ...user, ...fields }
  const before = { ...auditState(user), ...(moved && { quota: moved.before }) }
  const after = {
    ...auditState(changed),
    ...(moved && { quota: moved.after }),
    ...(moved && body.reason && { reason: body.reason }),
    ...(passwordHash !== undefined && { password: 'new' }),
    ...facts,
  }
  const target = { kind: 'user', id, name: user.username } as const
  await auditLog.record(actor, { action: 'user.update', target, before, after }, tx)
  return { username: changed.username, moved }
}

/** Decides whether an edit can leave its user with more: by quota, or by a group with other prices. */
function isGift(
  fields: Fields,
  { quota_change: amount = 0 }: UserUpdateBody,
  moved: Moved | undefined,
): boolean {
  return fields.group !== undefined || (moved !== undefined && amount >= 0)
}

/** The user, locked: nobody promotes, deletes or edits them before the change. */
async function lockBelow(tx: Store, actor: Actor, id: number): Promise<User> {
  const isBelow =
    id === actor.userId || (await tx.users.updateBelow([id], actor.role, { deletedAt: null })).has(id)
  const user = isBelow ? await tx.users.lock(id) : undefined
  if (user === undefined || user.deletedAt !== null) throw new Refusal('user_changed_meanwhile')
  return user
}

function fieldsIn(body: UserUpdateBody, user: User): Fields {
  const edit = editOver(body, { ...auditState(user), display_name: user.displayName })
  const {
    username: _,
    displayName: __,
    group: ___,
    ...declared
  } = userResource.fromUpdateBody(edit, refuseLimit)
  return { ...declared, ...namesIn(edit, user), ...groupIn(edit, user) }
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

/** A user in the audit log, with every field that administrators write. */
export function auditState(user: UserFields) {
  const { display_name: displayName, ...fields } = userResource.toBody(user)
  return { ...fields, displayName }
}
