import { userResource } from '@tollgate/api'
import type { LogEvent } from '@tollgate/api/log-events'
import { unixSeconds } from '@tollgate/base'
import { randomAlphanumerics } from '../../lib/random.ts'
import type { EventLog } from '../../records/logs/event-log.ts'
import type { Services } from '../../services.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { NewUser, User } from '../../store/accounts/users.ts'
import type { Store } from '../../store/store.ts'
import { type IdentityClaim, identityClaimsOf, type KnownIdentities } from './known-identities.ts'
import { refusePrivilegedLookalike } from './privileged-names.ts'
import { refusingDuplicates } from './stored-users.ts'

export const inviteCodeLength = 8

/** The given fields of a new account; all others have their defaults. */
export type AccountFields = Pick<NewUser, 'username' | 'displayName' | 'passwordHash'> & Partial<NewUser>

export function newAccount(fields: AccountFields, createdAt: number): NewUser {
  return {
    ...userResource.defaults,
    role: 'common',
    status: 'enabled',
    email: '',
    githubId: '',
    oidcId: '',
    oidcIssuer: '',
    wechatId: '',
    telegramId: '',
    linuxDoId: '',
    accessTokenHash: '',
    affCode: randomAlphanumerics(inviteCodeLength),
    affCount: 0,
    affQuota: 0,
    affHistoryQuota: 0,
    inviterId: 0,
    setting: '',
    createdAt,
    ...fields,
  }
}

interface Dependencies extends Pick<Services, 'store' | 'settings' | 'eventLog' | 'bus' | 'clock'> {
  readonly knownIdentities: Pick<KnownIdentities, 'note'>
}

export interface AccountExtras {
  /** Proven identities beside the fields of the account. */
  readonly proofs?: readonly IdentityClaim[]
  /** Runs last in the same transaction, when the user has only the initial quota; what it throws leaves no account. */
  readonly also?: (tx: Store, user: User) => Promise<void>
}

/**
 * Creates an account with everything that comes with it, in one transaction: the first quota, and the gifts for an
 * invitation to both sides. For registration, the first sign-in through a provider, and administrators. Gifts are given
 * once: an account with an identity or an inbox that had one before gets none, and neither does its inviter. Refuses
 * with `username_taken` when the name, the e-mail address or an identity belongs to another account, also to one that
 * is deleted, and with `username_like_administrator` when people would take the name for an administrator's. Ignores an inviter whose account is deleted.
 */
export type CreateAccount = (fields: AccountFields, extras?: AccountExtras) => Promise<User>

export function createAccounts(deps: Dependencies): CreateAccount {
  const { store, settings, knownIdentities, eventLog, bus, clock } = deps
  return async (fields, { proofs = [], also } = {}) => {
    const account = newAccount(fields, unixSeconds(clock))
    const opened = await store.transaction(async (tx) => {
      const isNew = await knownIdentities.note(tx, [...identityClaimsOf(account), ...proofs])
      const opened = await open(tx, account, isNew ? bonusesOf(settings) : undefined)
      await also?.(tx, opened.user)
      return opened
    })
    const { user, inviter } = opened
    bus.publish('user-changed', { id: user.id })
    if (inviter !== undefined) bus.publish('user-changed', { id: inviter.id })
    await logBonuses(eventLog, opened)
    return user
  }
}

interface SignupBonuses {
  readonly newUser: number
  readonly invitee: number
  readonly inviter: number
  /** Delays the inviter's gift until the invitee has paid. */
  readonly holdsInviter: boolean
}

function bonusesOf({ current }: SettingsReader): SignupBonuses {
  return {
    newUser: current.QuotaForNewUser,
    invitee: current.QuotaForInvitee,
    inviter: current.QuotaForInviter,
    holdsInviter: current.HoldInviterQuotaEnabled,
  }
}

interface Opened {
  readonly user: User
  readonly inviter: User | undefined
  /** Absent for a person who had an account before. */
  readonly bonuses: SignupBonuses | undefined
}

async function open(tx: Store, account: NewUser, bonuses: SignupBonuses | undefined): Promise<Opened> {
  const known = account.inviterId === 0 ? undefined : await tx.users.find(account.inviterId)
  const inviter = known?.deletedAt === null ? known : undefined
  await refusePrivilegedLookalike(tx, account)
  const user = await refusingDuplicates(
    tx.users.create({ ...account, inviterId: inviter?.id ?? 0 }),
    'username_taken',
  )
  const opened = { user, inviter, bonuses }
  await give(tx, opened)
  return opened
}

/**
 * Credits the first quota without the ledger: no process can have the new account in memory, and a crash must not leave the account
 * without it.
 */
async function give(tx: Store, { user, inviter, bonuses }: Opened): Promise<void> {
  if (bonuses === undefined) return
  const { id: accountId, createdAt } = user
  const credit = (cause: 'initial' | 'invitation', amount: number) =>
    amount > 0 &&
    tx.ledger.credit({ accountKind: 'user', accountId, cause, amount, createdAt, actorId: 0, note: '' })
  await credit('initial', bonuses.newUser)
  if (inviter === undefined) return
  await credit('invitation', bonuses.invitee)
  await tx.users.addInvitation(inviter.id, bonuses.holdsInviter ? 0 : bonuses.inviter)
  if (bonuses.holdsInviter && bonuses.inviter > 0)
    await tx.users.addPendingInviterBonus(
      user.id,
      { inviterId: inviter.id, quota: bonuses.inviter },
      createdAt,
    )
}

async function logBonuses(
  log: Pick<EventLog, 'appendSystemLog'>,
  { user, inviter, bonuses }: Opened,
): Promise<void> {
  if (bonuses === undefined) return
  const provided = (to: User, quota: number, event: LogEvent) =>
    quota > 0 && log.appendSystemLog({ userId: to.id, username: to.username }, event, quota)
  const { newUser, invitee: forInvitee, inviter: forInviter, holdsInviter } = bonuses
  await provided(user, newUser, { event: 'gift_new_account', params: { quota: newUser } })
  if (inviter === undefined) return
  await provided(user, forInvitee, { event: 'gift_invited', params: { quota: forInvitee } })
  const invitee = { id: user.id, name: user.username }
  if (!holdsInviter)
    await provided(inviter, forInviter, { event: 'gift_inviter', params: { quota: forInviter, invitee } })
}
