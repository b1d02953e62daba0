import type { RefusalCode } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import { invitationPurpose } from '../../store/accounts/one-time-secrets.ts'
import type { Store } from '../../store/store.ts'
import type { Seconds } from '../../store/units.ts'

interface OwnedRows {
  /** Counts those of an owner, without what has ended by then. */
  readonly count: (tx: Store, ownerId: number, now: Seconds) => Promise<number>
  /** Refusal of one row more than the limit, which it names as `max`. */
  readonly refusal: RefusalCode
}

/** Kinds of rows of which a user may have a limited number; of former keys, which are a key's, each key may. */
export const ownedRows = {
  accessToken: { count: (tx, id) => tx.accessTokens.countOwn(id), refusal: 'access_tokens_too_many' },
  passkey: { count: (tx, id) => tx.passkeys.countOwn(id), refusal: 'passkey_too_many' },
  key: { count: (tx, id) => tx.tokens.countOwn(id), refusal: 'token_too_many' },
  pendingOrder: { count: (tx, id) => tx.topUpOrders.countPending(id), refusal: 'top_up_too_many_pending' },
  chargeLink: { count: (tx, id, now) => tx.chargeLinks.countOpen(id, now), refusal: 'charge_link_too_many' },
  invitation: {
    count: (tx, id, now) => tx.oneTimeSecrets.countOpen(invitationPurpose, now, id),
    refusal: 'invitations_too_many',
  },
  formerKey: { count: (tx, id, now) => tx.formerKeys.countWorking(id, now), refusal: 'former_keys_too_many' },
} as const satisfies Readonly<Record<string, OwnedRows>>

/** A limit on how many rows of a kind an owner has. */
export interface OwnerLimit {
  readonly kind: keyof typeof ownedRows
  readonly max: number
  readonly now: Seconds
}

/** Refuses one row more than the limit, in the transaction that writes it and has locked its owner. */
export async function refuseBeyond(
  tx: Store,
  ownerId: number,
  { kind, max, now }: OwnerLimit,
): Promise<void> {
  const { count, refusal }: OwnedRows = ownedRows[kind]
  if ((await count(tx, ownerId, now)) >= max) throw new Refusal(refusal, { max })
}

/** Writes one row more of a user, unless they have as many as they may: of two at once at the limit, one is refused. */
export function writeWithin<Result>(
  store: Pick<Store, 'transaction'>,
  userId: number,
  limit: OwnerLimit,
  write: (tx: Store) => Promise<Result>,
): Promise<Result> {
  return store.transaction(async (tx) => {
    await tx.users.lock(userId)
    await refuseBeyond(tx, userId, limit)
    return write(tx)
  })
}
