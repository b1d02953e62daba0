import type { RefusalCode } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import type { Store } from '../../store/store.ts'

interface OwnedRows {
  readonly count: (tx: Store, userId: number) => Promise<number>
  /** Refusal of one row more than the limit, which it names as `max`. */
  readonly refusal: RefusalCode
}

/** Kinds of rows of which a user may have a limited number. */
export const ownedRows = {
  accessToken: { count: (tx, id) => tx.accessTokens.countOwn(id), refusal: 'access_tokens_too_many' },
  passkey: { count: (tx, id) => tx.passkeys.countOwn(id), refusal: 'passkey_too_many' },
  key: { count: (tx, id) => tx.tokens.countOwn(id), refusal: 'token_too_many' },
  pendingOrder: { count: (tx, id) => tx.topUpOrders.countPending(id), refusal: 'top_up_too_many_pending' },
} as const satisfies Readonly<Record<string, OwnedRows>>

/** A limit on how many rows of a kind a user has. */
export interface OwnerLimit {
  readonly kind: keyof typeof ownedRows
  readonly max: number
}

/** Refuses one row more than the limit, in the transaction that writes it and has locked its owner. */
export async function refuseBeyond(tx: Store, userId: number, { kind, max }: OwnerLimit): Promise<void> {
  const { count, refusal } = ownedRows[kind]
  if ((await count(tx, userId)) >= max) throw new Refusal(refusal, { max })
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
