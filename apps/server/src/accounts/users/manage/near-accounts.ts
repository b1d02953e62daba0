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
