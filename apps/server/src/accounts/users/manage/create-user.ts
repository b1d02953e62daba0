import { type UserCreateBody, type UserFields, userResource } from '@tollgate/api'
import { refuseLimit } from '../../../lib/refusal.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import { requirePart } from '../../../records/audit-log/require-part.ts'
import type { Services } from '../../../services.ts'
import type { LockedSettingsReader } from '../../../settings/settings.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { Store } from '../../../store/store.ts'
import type { CreateAccount } from '../create-account.ts'
import { refuseFixedFields } from '../fixed-fields.ts'
import {
  type Passwords,
  refuseBadDisplayName,
  refuseBadPassword,
  refuseBadUsername,
  refuseForeignAddress,
} from '../login/passwords.ts'
import { factsOfOpening } from './near-accounts.ts'
import { refuseUnknownGroup } from './ranks.ts'
import { auditState } from './update-user.ts'

interface Dependencies extends Pick<Services, 'auditLog' | 'store'> {
  readonly settings: LockedSettingsReader
  readonly createAccount: CreateAccount
  readonly passwords: Pick<Passwords, 'hash'>
}

/**
 * Opens an account of role `common`. It gets the gifts of new users, or exactly `quota` when that is given. Account, quota
 * and audit entry are written in one transaction.
 */
export async function createUser(
  { createAccount, passwords, settings, auditLog, store }: Dependencies,
  actor: Actor,
  { password, group = 'default', quota, ...sent }: UserCreateBody,
): Promise<User> {
  if (quota !== undefined) requirePart(actor, 'money')
  refuseFixedFields(sent, undefined)
  const declared = userResource.fromCreateBody({ ...sent, group }, refuseLimit)
  const { username } = declared
  const displayName = declared.displayName || username
  refuseBadUsername(username)
  refuseForeignAddress(username, '')
  refuseBadDisplayName(displayName)
  refuseBadPassword(password)
  const account = { ...declared, displayName, passwordHash: await passwords.hash(password) }
  const also = async (tx: Store, { id, role, status, createdAt }: User) => {
    await refuseUnknownGroup(settings, tx, group)
    if (quota !== undefined) await giveFirstQuota(tx, actor, { id, createdAt }, quota)
    const target = { kind: 'user', id, name: username } as const
    const after = {
      ...setFields({ ...declared, displayName }),
      ...{ username, displayName, role, status, group, ...(quota !== undefined && { quota }) },
      ...factsOfOpening(actor, { group, hasBalance: quota !== undefined }),
    }
    await auditLog.record(actor, { action: 'user.create', target, after }, tx)
  }
  const user = await createAccount(account, { also })
  // Read again for its quota.
  return (await store.users.find(user.id)) ?? user
}

/** The fields of a new account that are not as they are anyway, for the audit log. */
function setFields(fields: UserFields) {
  const blank: Readonly<Record<string, unknown>> = auditState(userResource.defaults)
  return Object.fromEntries(
    Object.entries(auditState(fields)).filter(([name, value]) => value !== blank[name]),
  )
}

/** Not through the ledger: no process can have the new account in memory. */
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
