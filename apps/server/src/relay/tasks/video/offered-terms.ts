import { RequestFault, type VideoOrder } from '@tollgate/formats'
import type { VideoTerms } from '@tollgate/providers'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import { channelTarget } from '../../../upstream/upstream-channel.ts'

/**
 * What an order comes to at each kind of upstream that may be handed it: they differ in the length and the resolution of
 * what is left open. Those that cannot take the order have no part in it.
 */
export function offeredTerms(
  order: VideoOrder,
  model: string,
  channels: readonly RoutedChannel[],
): readonly VideoTerms[] {
  const termsByUpstream = new Map<string, () => VideoTerms | undefined>()
  for (const channel of channels) {
    const upstreamModel = channel.modelMapping.get(model) ?? model
    termsByUpstream.set(`${channel.provider.id} ${upstreamModel}`, () =>
      termsAt(order, channel, upstreamModel),
    )
  }
  return [...termsByUpstream.values()].flatMap((terms) => terms() ?? [])
}

function termsAt(order: VideoOrder, channel: RoutedChannel, upstreamModel: string): VideoTerms | undefined {
  try {
    const service = channel.provider.tasks?.video?.(upstreamModel)
    return service?.terms(order, { ...channelTarget(channel, 0), upstreamModel })
  } catch (error) {
    if (error instanceof RequestFault) return undefined
    throw error
  }
}
