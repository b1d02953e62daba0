import type { SealedPlace } from '../../lib/key-ring.ts'

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
export const sealedPlaces = {
  channelKeys: (id: number) => place('channels.keys_sealed', id),
  /** Keys of a channel that has no id yet: they are sealed anew when it has. */
  newChannelKeys: place('channels.keys_sealed', ''),
  tokenKey: (keyHash: string) => place('tokens.key_sealed', keyHash),
  redemptionCode: (keyHash: string) => place('redemptions.key_sealed', keyHash),
  /** Also of one that its owner has not confirmed yet. */
  secondFactor: (userId: number) => place('second_factors.secret_sealed', userId),
  option: (key: string) => place('options.value', key),
  webhookSecret: (userId: number) => place('users.setting', userId),
  storedResponse: ({ userId, tokenId, id }: ResponseKey) =>
    place('stored_responses.sealed', `${userId} ${tokenId} ${id}`),
  failedCall: (requestId: string) => place('failed_calls.sealed', requestId),
  hashKey: place('database_identity.hash_key_sealed', ''),
}

function place(column: string, row: string | number): SealedPlace {
  return { column, row: String(row) }
}
