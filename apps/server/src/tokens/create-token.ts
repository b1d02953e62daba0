import { rateLimitsIn, type TokenCreateBody, tokenKeyLength } from '@tollgate/api'
import type { Vault } from '../lib/crypto.ts'
import { randomAlphanumerics } from '../lib/random.ts'
import type { NewToken, Token } from '../store/repositories/tokens.ts'
import type { Store } from '../store/store.ts'
import type { Quota, Seconds } from '../store/units.ts'
import { keyEndsOf } from './key-ends.ts'
import { checkedAllowIps, checkedExpiry, checkedModelLimits, checkedName } from './token-fields.ts'

/** A new key of `userId` as the body describes it; throws the refusal of the first rule it breaks. */
export function newToken(
  userId: number,
  body: TokenCreateBody,
  vault: Pick<Vault, 'hash' | 'seal'>,
  now: Seconds,
): NewToken {
  const key = randomAlphanumerics(tokenKeyLength)
  return {
    userId,
    name: checkedName(body.name),
    keyHash: vault.hash(key),
    keySealed: vault.seal(key),
    ...keyEndsOf(key),
    status: 'enabled',
    createdAt: now,
    // Older programs send 0 for "never".
    expiresAt: body.expired_time === 0 ? null : checkedExpiry(body.expired_time, now),
    unlimitedQuota: body.unlimited_quota,
    modelLimitsEnabled: body.model_limits_enabled,
    modelLimits: checkedModelLimits(body.model_limits),
    allowIps: checkedAllowIps(body.allow_ips),
    group: body.group,
    ...rateLimitsIn(body),
  }
}

/**
 * Stores the key and its first quota in one transaction, so that a crash leaves both or neither. The quota does not go
 * through the ledger: no node can have the new account in memory.
 */
export function storeToken(store: Store, token: NewToken, quota: Quota): Promise<Token> {
  return store.transaction(async (tx) => {
    const created = await tx.tokens.create(token)
    if (quota === 0) return created
    const remainQuota = await tx.ledger.credit({
      accountKind: 'token',
      accountId: created.id,
      cause: 'initial',
      amount: quota,
      createdAt: token.createdAt,
      actorId: token.userId,
      note: '',
    })
    return { ...created, remainQuota }
  })
}
