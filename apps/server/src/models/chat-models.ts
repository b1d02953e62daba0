import { modelFacts } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import { isPriced, type PriceSettings } from '../billing/pricing/price-table.ts'
import { isRoutable } from '../channels/routing/channel-snapshot.ts'
import type { ChannelSnapshot, RoutedChannel } from '../channels/routing/routing-types.ts'

const found = new WeakMap<ChannelSnapshot, ReadonlySet<string>>()

/**
 * Sorts models for people who choose one to talk to: those that chat and have a price first, as lists begin with the first. The order is kept otherwise.
 */
export function chatFirst(
  models: readonly string[],
  settings: PriceSettings,
  snapshot: ChannelSnapshot,
): readonly string[] {
  const chats = chatModels(snapshot)
  const isFirst = (model: string) => chats.has(model) && isPriced(settings, model)
  return [...models.filter(isFirst), ...models.filter((model) => !isFirst(model))]
}

/** Models that some channel in service answers chats with. Worked out once for a state of the channels. */
function chatModels(snapshot: ChannelSnapshot): ReadonlySet<string> {
  return getOrInsert(found, snapshot, () => {
    const chats = new Map<string, boolean>()
    const models = snapshot.channels.filter(isRoutable).flatMap((channel) =>
      [...channel.models].filter((model) => {
        const upstreamModel = channel.modelMapping.get(model) ?? model
        return getOrInsert(chats, `${channel.type} ${model} ${upstreamModel}`, () =>
          answersChats(channel, model, upstreamModel),
        )
      }),
    )
    return new Set(models)
  })
}

/** A model that no table knows is taken for one that chats where its upstream does. */
function answersChats(
  { provider, baseUrl, openaiOrganization, other, keys }: RoutedChannel,
  ...[model, upstreamModel]: readonly [string, string]
): boolean {
  const facts = [model, upstreamModel].flatMap((name) => modelFacts(name) ?? [])
  if (facts.length > 0 && !facts.some(({ capabilities }) => capabilities.includes('chat'))) return false
  const target = { baseUrl, openaiOrganization, other, key: keys[0] ?? '', upstreamModel }
  return provider.operation('chat', target, 'openai-chat') !== undefined
}
