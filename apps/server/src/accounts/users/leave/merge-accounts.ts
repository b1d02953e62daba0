import { unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../../billing/ledger-types.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import type { Services } from '../../../services.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { Store } from '../../../store/store.ts'
import type { Quota } from '../../../store/units.ts'
import { revokeCredentials } from '../login/revoke-credentials.ts'

interface Dependencies extends Pick<Services, 'store' | 'auditLog' | 'bus' | 'clock'> {
  readonly ledger: Pick<Ledger, 'credit' | 'flush'>
}

/** Fields that identify a person elsewhere; the account that stays keeps its own. */
const identities = ['email', 'githubId', 'oidcId', 'wechatId', 'telegramId', 'linuxDoId'] as const

/**
 * Makes two accounts of one person one: keys, orders, redeemed codes, tasks, invitations, identities that the other lacks, and the balance follow,
 * in one transaction with one record. The history of calls stays under the number of the account that ends, which is closed.
 * Throws `Refusal` for accounts that cannot be merged.
 */
export async function mergeAccounts(
  deps: Dependencies,
  actor: Actor,
  fromId: number,
  intoId: number,
): Promise<User> {
  const { store, bus, ledger } = deps
  await refuseUnmergeable(store, fromId, intoId)
  // What was called is charged to the account that called.
  await ledger.flush()
  const amount = (await store.ledger.balanceOf('user', fromId)) ?? 0
  let moved: Moved | undefined
  await ledger.credit({
    kind: 'user',
    id: intoId,
    cause: 'merge',
    amount,
    actorId: actor.userId,
    note: `from user ${fromId}`,
    async inTransaction(tx) {
      moved = await moveAll(deps, tx, { actor, fromId, intoId, amount })
    },
  })
  for (const id of [fromId, intoId]) bus.publish('user-changed', { id })
  for (const token of moved?.tokens ?? []) bus.publish('token-changed', token)
  const user = await store.users.find(intoId)
  if (user === undefined) throw new Refusal('user_unknown')
  return user
}

/**
 * Moves what calls that were under way during a merge left on the account that ended. Returns how many accounts had something left.
 */
export async function settleMerged({
  store,
  ledger,
  clock,
}: Pick<Dependencies, 'store' | 'ledger' | 'clock'>): Promise<number> {
  const left = await store.people.mergedWithBalance()
  for (const { fromId, intoId } of left) {
    await ledger.flush()
    const amount = (await store.ledger.balanceOf('user', fromId)) ?? 0
    if (amount === 0) continue
    const note = `from user ${fromId}`
    const at = unixSeconds(clock)
    const credit = { kind: 'user', id: intoId, cause: 'merge', amount, actorId: 0, note } as const
    await ledger.credit({
      ...credit,
      inTransaction: (tx) => takeBalance(tx, { fromId, intoId, amount, actorId: 0, at }),
    })
  }
  return left.length
}

interface Merge {
  readonly actor: Actor
  readonly fromId: number
  readonly intoId: number
  readonly amount: Quota
}

interface Moved {
  readonly tokens: readonly { readonly id: number; readonly keyHash: string }[]
}

async function refuseUnmergeable(tx: Pick<Store, 'users'>, fromId: number, intoId: number) {
  const [from, into] = [await tx.users.find(fromId), await tx.users.find(intoId)]
  const isPossible = fromId !== intoId && isOpen(from) && isOpen(into) && from?.role !== 'root'
  if (!isPossible || from === undefined || into === undefined) throw new Refusal('user_merge_impossible')
}

function isOpen(user: User | undefined): boolean {
  return user?.deletedAt === null
}

async function moveAll({ auditLog, clock }: Dependencies, tx: Store, merge: Merge): Promise<Moved> {
  const { actor, fromId, intoId, amount } = merge
  const locked = await tx.users.lockByIds([fromId, intoId])
  await refuseUnmergeable(tx, fromId, intoId)
  const [from, into] = [locked.get(fromId), locked.get(intoId)]
  if (from === undefined || into === undefined) throw new Refusal('user_merge_impossible')
  const at = unixSeconds(clock)
  const following = followingOf(from, into)
  // Unique identities leave the one account before the other has them.
  await tx.users.update(fromId, { ...noIdentities, affQuota: 0, deletedAt: at })
  await tx.users.update(intoId, { ...following, affQuota: into.affQuota + from.affQuota })
  await revokeCredentials(tx, [fromId], 'closed')
  const { tokens, orders } = await tx.people.move(fromId, intoId, at, actor.userId)
  await takeBalance(tx, { fromId, intoId, amount, actorId: actor.userId, at })
  const target = { kind: 'user', id: intoId, name: into.username } as const
  const before = { from: { id: fromId, username: from.username, quota: amount } }
  const after = { identities: Object.keys(following), keys: tokens.length, orders, quota_change: amount }
  await auditLog.record(actor, { action: 'user.merge', target, before, after }, tx)
  return { tokens }
}

const noIdentities = {
  email: '',
  githubId: '',
  oidcId: '',
  oidcIssuer: '',
  wechatId: '',
  telegramId: '',
  linuxDoId: '',
} satisfies Partial<User>

/** The identities of the one that the other lacks. */
function followingOf(from: User, into: User): Partial<User> {
  const names = identities.filter((name) => into[name] === '' && from[name] !== '')
  const following = Object.fromEntries(names.map((name) => [name, from[name]]))
  return names.includes('oidcId') ? { ...following, oidcIssuer: from.oidcIssuer } : following
}

interface Taking extends Omit<Merge, 'actor'> {
  readonly actorId: number
  readonly at: number
}

/** Debits the account that ends by what the other is credited, as it is now: a charge in between stops the merge. */
async function takeBalance(tx: Store, { fromId, intoId, amount, actorId, at }: Taking): Promise<void> {
  if ((await tx.ledger.balanceOf('user', fromId)) !== amount) throw new Refusal('user_merge_busy')
  const entry = { accountKind: 'user', accountId: fromId, cause: 'merge', amount: -amount, actorId } as const
  await tx.ledger.credit({ ...entry, createdAt: at, note: `into user ${intoId}` })
}
