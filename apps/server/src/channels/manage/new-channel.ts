import { type ChannelDraftBody, channelResource, channelStatuses, type Role } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { OutboundGuard } from '../../lib/outbound/outbound-guard.ts'
import type { NewChannel } from '../../store/channels/channels.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import { joinKeys } from '../routing/compile-channel.ts'
import { providerOf } from '../routing/provider-of.ts'
import { checkRoute } from './channel-address.ts'
import { type ChangeDependencies, routeOf } from './channel-change.ts'
import { readChannelInput, readStatus } from './channel-input.ts'
import { withStoredPassword } from './proxy-password.ts'

export interface NewChannelDependencies extends ChangeDependencies {
  readonly guard: OutboundGuard
  readonly wallClock: Clock
}

/** Fields of a channel by default. */
export const blankChannel = channelResource.defaults

type Sent = Omit<ChannelDraftBody, 'id' | 'key'> & { readonly type: number; readonly status?: number }

/** Reads the form of a new channel that has these keys. Throws `Refusal` for the first invalid field. */
export async function readNewChannel(
  { status, setting, name = '', ...sent }: Sent,
  keys: readonly string[],
  role: Role,
  { vault, guard, providerFor, wallClock }: NewChannelDependencies,
): Promise<NewChannel> {
  const provider = providerOf(sent.type, providerFor)
  const sentFields = {
    ...sent,
    other: sent.other ?? '',
    setting: setting && withStoredPassword(setting, ''),
  }
  const input = readChannelInput({ ...sentFields, ...(name !== '' && { name }) }, sent.type)
  const fields = { ...blankChannel, name: name.trim(), ...input }
  return {
    ...fields,
    type: sent.type,
    status: readStatus(status ?? channelStatuses.enabled),
    keysSealed: vault.seal(joinKeys(keys), sealContexts.newChannelKeys),
    keyCount: keys.length,
    baseUrlTrusted: await checkRoute(routeOf(fields, provider), role, guard),
    createdAt: unixSeconds(wallClock),
  }
}
