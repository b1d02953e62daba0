import type { UserCreateBody } from '@tollgate/api'
import type { Actor, AuditLog } from '../../audit-log/audit-log.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { User } from '../../store/repositories/users.ts'
import type { Store } from '../../store/store.ts'
import {
  refuseBadDisplayName,
  refuseBadPassword,
  refuseBadUsername,
  refuseForeignAddress,
} from '../auth/credential-rules.ts'
import type { Passwords } from '../auth/passwords.ts'
import type { CreateAccount } from '../create-account.ts'
import { refuseUnknownGroup } from './refuse-unknown-group.ts'

export interface CreateUserDependencies {
  readonly createAccount: CreateAccount
  readonly passwords: Pick<Passwords, 'hash'>
  readonly settings: SettingsReader
  readonly auditLog: Pick<AuditLog, 'record'>
  readonly store: { readonly users: Pick<Store['users'], 'find'> }
}

/**
 * Opens an account for somebody else: a common user, who gets what every new user gets, or exactly `quota` when that is
 * given. Account, money and the record of the act are there together or not at all.
 */
export async function createUser(
  { createAccount, passwords, settings, auditLog, store }: CreateUserDependencies,
  actor: Actor,
  { password, group = 'default', quota, ...names }: UserCreateBody,
): Promise<User> {
  const username = names.username.trim()
  const displayName = names.display_name.trim() || username
  refuseBadUsername(username)
  refuseForeignAddress(username, '')
  refuseBadDisplayName(displayName)
  refuseBadPassword(password)
  refuseUnknownGroup(settings, group)
  const account = { username, displayName, group, passwordHash: await passwords.hash(password) }
  const also = async (tx: Store, { id, role, status, createdAt }: User) => {
    if (quota !== undefined) await giveFirstQuota(tx, actor, { id, createdAt }, quota)
    const target = { kind: 'user', id, name: username } as const
    const after = { username, displayName, role, status, group, ...(quota !== undefined && { quota }) }
    await auditLog.record(actor, { action: 'user.create', target, after }, tx)
  }
  const user = await createAccount(account, { also })
  // With the quota that it got.
  return (await store.users.find(user.id)) ?? user
}

/** Past the ledger, as the gifts are: no process can have the new account in memory. */
async function giveFirstQuota(
  tx: Store,
  { userId: actorId }: Actor,
  { id, createdAt }: Pick<User, 'id' | 'createdAt'>,
  quota: number,
): Promise<void> {
  const amount = quota - ((await tx.ledger.balanceOf('user', id)) ?? 0)
  if (amount === 0) return
  const entry = { cause: 'admin-change', actorId, note: 'first quota', createdAt } as const
  await tx.ledger.credit({ ...entry, accountKind: 'user', accountId: id, amount })
}
