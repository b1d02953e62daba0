import type { Vault } from '../../lib/crypto.ts'
import type { Channel, ChannelRepository, NewChannel } from '../../store/channels/channels.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'

/**
 * Creates channels and seals their keys for their own rows, all in the transaction of `tx`.
 * @param channels with keys sealed for `sealedPlaces.newChannelKeys`
 */
export async function createChannels(
  tx: Pick<ChannelRepository, 'createMany' | 'update'>,
  channels: readonly NewChannel[],
  vault: Pick<Vault, 'seal' | 'open'>,
): Promise<readonly Channel[]> {
  const created: Channel[] = []
  for (const { id, keysSealed } of await tx.createMany(channels)) {
    const keys = vault.open(keysSealed, sealContexts.newChannelKeys)
    const bound = await tx.update(id, { keysSealed: vault.seal(keys, sealContexts.channelKeys(id)) })
    if (bound === undefined) throw new Error('a channel was created and is not there')
    created.push(bound)
  }
  return created
}
