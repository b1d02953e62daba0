import type { SealContext } from '../../lib/key-ring.ts'

/** Whose sealed response it is. */
interface ResponseKey {
  readonly userId: number
  readonly tokenId: number
  readonly id: string
}

/**
 * Where each secret is sealed. The row is named by what never changes: the keyed hash of a key is known before its row has an
 * id.
 */
export const sealContexts = {
  channelKeys: (id: number) => position('channels.keys_sealed', id),
  /** Keys of a channel that has no id yet: they are sealed anew when it has. */
  newChannelKeys: position('channels.keys_sealed', ''),
  tokenKey: (keyHash: string) => position('tokens.key_sealed', keyHash),
  redemptionCode: (keyHash: string) => position('redemptions.key_sealed', keyHash),
  /** Also of one that its owner has not confirmed yet. */
  secondFactor: (userId: number) => position('second_factors.secret_sealed', userId),
  option: (key: string) => position('options.value', key),
  webhookSecret: (userId: number) => position('users.setting', userId),
  storedResponse: ({ userId, tokenId, id }: ResponseKey) =>
    position('stored_responses.sealed', `${userId} ${tokenId} ${id}`),
  failedCall: (requestId: string) => position('failed_calls.sealed', requestId),
  hashKey: position('database_identity.hash_key_sealed', ''),
}

function position(column: string, row: string | number): SealContext {
  return { column, row: String(row) }
}
