import type { SealContext } from '../../lib/key-ring.ts'

/** Key of a sealed response. */
interface ResponseKey {
  readonly userId: number
  readonly tokenId: number
  readonly id: string
}

/**
 * Contexts in which secrets are sealed. A row is named by what never changes: the keyed hash of a key is known before its row has an
 * id.
 */
export const sealContexts = {
  channelKeys: (id: number) => context('channels.keys_sealed', id),
  /** Keys of a channel that has no id yet: they are sealed anew when it has. */
  newChannelKeys: context('channels.keys_sealed', ''),
  tokenKey: (keyHash: string) => context('tokens.key_sealed', keyHash),
  redemptionCode: (keyHash: string) => context('redemptions.key_sealed', keyHash),
  /** Also of one that its owner has not confirmed yet. */
  secondFactor: (userId: number) => context('second_factors.secret_sealed', userId),
  option: (key: string) => context('options.value', key),
  webhookSecret: (userId: number) => context('users.setting', userId),
  storedResponse: ({ userId, tokenId, id }: ResponseKey) =>
    context('stored_responses.sealed', `${userId} ${tokenId} ${id}`),
  failedCall: (requestId: string) => context('failed_calls.sealed', requestId),
  hashKey: context('database_identity.hash_key_sealed', ''),
}

function context(column: string, row: string | number): SealContext {
  return { column, row: String(row) }
}
