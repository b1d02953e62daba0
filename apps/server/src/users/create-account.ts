import { type Clock, unixSeconds } from '@tollgate/base'
import { randomAlphanumerics } from '../lib/random.ts'
import { Refusal } from '../lib/refusal.ts'
import type { EventLog } from '../logs/event-log.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { User } from '../store/entities.ts'
import { DuplicateError, type NewUser, type Store } from '../store/store.ts'

export const inviteCodeLength = 8

/** What is known of somebody who gets an account; the rest is as every new account has it. */
export type AccountFields = Pick<NewUser, 'username' | 'displayName' | 'passwordHash'> & Partial<NewUser>

export function newAccount(fields: AccountFields, createdAt: number): NewUser {
  return {
    role: 'common',
    status: 'enabled',
    group: 'default',
    email: '',
    githubId: '',
    oidcId: '',
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

interface Dependencies {
  readonly store: Pick<Store, 'transaction'>
  readonly settings: SettingsReader
  readonly eventLog: Pick<EventLog, 'appendSystemLog'>
  readonly bus: ChangeBus
  readonly clock: Clock
}

/** What else is to be there when the account is; the user has no more than was given yet. */
export type WithAccount = (tx: Store, user: User) => Promise<void>

/**
 * Creates an account with everything that comes with it, in one transaction: the first quota, and the gifts for an
 * invitation to both sides. For registration, the first sign-in through a provider, and administrators.
 * Refuses with `username_taken` when the name, the e-mail address or an identity belongs to somebody, also to somebody
 * deleted. An inviter who is gone is ignored.
 * @param also runs last in the same transaction; what it throws leaves no account
 */
export type CreateAccount = (fields: AccountFields, also?: WithAccount) => Promise<User>

export function createAccounts(deps: Dependencies): CreateAccount {
  const { store, settings, eventLog, bus, clock } = deps
  return async (fields, also) => {
    const gifts = giftsOf(settings)
    const at = unixSeconds(clock)
    const { user, inviter } = await store.transaction(async (tx) => {
      const opened = await open(tx, newAccount(fields, at), gifts)
      await also?.(tx, opened.user)
      return opened
    })
    bus.publish('user-changed', { id: user.id })
    if (inviter !== undefined) bus.publish('user-changed', { id: inviter.id })
    await logGifts(eventLog, user, inviter, gifts)
    return user
  }
}

interface Gifts {
  readonly newUser: number
  readonly invitee: number
  readonly inviter: number
}

function giftsOf({ current }: SettingsReader): Gifts {
  const { QuotaForNewUser, QuotaForInvitee, QuotaForInviter } = current
  return { newUser: QuotaForNewUser, invitee: QuotaForInvitee, inviter: QuotaForInviter }
}

interface Opened {
  readonly user: User
  readonly inviter: User | undefined
}

/**
 * The first quota does not go through the ledger: no process can have the new account in memory, and a crash must not
 * leave somebody without it.
 */
async function open(tx: Store, account: NewUser, gifts: Gifts): Promise<Opened> {
  const known = account.inviterId === 0 ? undefined : await tx.users.find(account.inviterId)
  const inviter = known?.deletedAt === null ? known : undefined
  const user = await createNamed(tx, { ...account, inviterId: inviter?.id ?? 0 })
  const credit = (cause: 'initial' | 'invitation', amount: number) =>
    amount > 0 &&
    tx.ledger.credit({
      accountKind: 'user',
      accountId: user.id,
      cause,
      amount,
      createdAt: account.createdAt,
      actorId: 0,
      note: '',
    })
  await credit('initial', gifts.newUser)
  if (inviter !== undefined) {
    await credit('invitation', gifts.invitee)
    await tx.users.addInvitation(inviter.id, gifts.inviter)
  }
  return { user, inviter }
}

async function createNamed(tx: Store, user: NewUser): Promise<User> {
  try {
    return await tx.users.create(user)
  } catch (error) {
    throw error instanceof DuplicateError ? new Refusal('username_taken', {}, { cause: error }) : error
  }
}

async function logGifts(
  log: Pick<EventLog, 'appendSystemLog'>,
  user: User,
  inviter: User | undefined,
  gifts: Gifts,
): Promise<void> {
  const given = (to: User, quota: number, what: string) =>
    quota > 0 && log.appendSystemLog({ userId: to.id, username: to.username }, what, quota)
  await given(user, gifts.newUser, 'Gift for a new account')
  if (inviter === undefined) return
  await given(user, gifts.invitee, 'Gift for using an invitation')
  await given(inviter, gifts.inviter, `Gift for inviting ${user.username}`)
}
