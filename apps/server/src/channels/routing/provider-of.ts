import { findChannelType } from '@tollgate/api/channel-types'
import type { Provider } from '@tollgate/providers'
import { Refusal } from '../../lib/refusal.ts'

/** The provider of a channel type; `undefined` when it has none. */
export type ProviderFor = (type: number) => Provider | undefined

/** The provider of a channel type. Throws `Refusal` when the type is unknown or has none. */
export function providerOf(type: number, providerFor: ProviderFor): Provider {
  const known = findChannelType(type)
  if (known === undefined) throw new Refusal('channel_type_unknown', { type })
  const provider = providerFor(type)
  if (provider === undefined) throw new Refusal('channel_type_unsupported', { name: known.name })
  return provider
}
