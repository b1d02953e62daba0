import { userResource } from '@tollgate/api'
import { Refusal } from '../../../lib/refusal.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { Store } from '../../../store/store.ts'
import { inboxOf } from '../../mail/mail-address.ts'
import { parseUserSetting } from '../user-setting.ts'
import type { Ranked } from './ranks.ts'

type Users = Pick<Store, 'users'>

/** Decides whether an account is near the actor. */
export async function isNearActor(tx: Users, actor: Ranked, recipient: User): Promise<boolean> {
  if (actor.role === 'root') return false
  const own = await tx.users.find(actor.userId)
  return own === undefined || (await areNear(tx, own, recipient))
}

/** Facts about a gift for the audit log. */
export interface GiftFacts {
  /** Set where the giver opened the account that gets it, by hand or by an invitation: it may be their own. */
  readonly opened_by_giver?: true
}

/**
 * The rule of every gift by an administrator's hand.
 * @returns what its record says of it
 * @throws Refusal for an account near the actor
 */
export async function admitGift(
  tx: Pick<Store, 'users' | 'auditLog'>,
  actor: Ranked,
  recipient: User,
): Promise<GiftFacts> {
  if (await isNearActor(tx, actor, recipient)) throw new Refusal('user_near_administrator')
  return factsOfGift(await openedBy(tx, actor, [recipient.id]))
}

/** Returns those of the users whose accounts the actor opened; root opens them for the installation. */
export async function openedBy(
  { auditLog }: Pick<Store, 'auditLog'>,
  { userId, role }: Ranked,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (role === 'root') return []
  return await auditLog.targetsOf(userId, 'user', ids, ['user.create', 'invitation.accept'])
}

const openedByGiver = { opened_by_giver: true } as const satisfies GiftFacts

/** Returns what the audit log says of an account that is opened with a balance, or in a group that others do not begin in. */
export function factsOfOpening(
  { role }: Pick<Ranked, 'role'>,
  { group, hasBalance }: { readonly group: string; readonly hasBalance: boolean },
): GiftFacts {
  const isGift = hasBalance || group !== userResource.defaults.group
  return isGift && role !== 'root' ? openedByGiver : {}
}

/** Returns what the audit log says of a gift to accounts of which the giver opened these. */
export function factsOfGift(opened: readonly number[]): GiftFacts {
  return opened.length > 0 ? openedByGiver : {}
}

/** Decides whether an address is an inbox of the account. */
export function isInboxOf(account: User, address: string): boolean {
  return inboxesOf(account).includes(inboxOf(address))
}

/**
 * Decides whether an account is near a current administrator, or near one of these accounts, who may be administrators no longer.
 * @param ids accounts of root among them count for nothing
 */
export async function isNearAdministrators(
  tx: Users,
  recipient: User,
  ids: readonly number[],
): Promise<boolean> {
  const others = [...(await tx.users.listByIds(ids)).values()].filter(({ role }) => role !== 'root')
  for (const other of [...others, ...(await tx.users.listAdministrators())])
    if (await areNear(tx, other, recipient)) return true
  return false
}

/**
 * Decides whether two accounts count as one person's where quota is given: the same account, two of one invitation chain, or two with
 * one mail inbox.
 */
async function areNear({ users }: Users, one: User, other: User): Promise<boolean> {
  if (one.id === other.id || sharesInbox(one, other)) return true
  return (await users.chainStart(one.id)) === (await users.chainStart(other.id))
}

function sharesInbox(one: User, other: User): boolean {
  const inboxes = inboxesOf(one)
  return inboxesOf(other).some((inbox) => inboxes.includes(inbox))
}

/** Returns the inboxes of the account's address and of the one for its warnings, which its owner has proven. */
function inboxesOf({ email, setting }: User): readonly string[] {
  const { notification_email: notified } = parseUserSetting(setting)
  const addresses = [email, typeof notified === 'string' ? notified : '']
  return addresses.filter((address) => address !== '').map(inboxOf)
}
