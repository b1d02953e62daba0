import { capabilityEndpoints, type EndpointType, modelFacts } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import type { PublicFormat } from '@tollgate/formats'
import type { RoutedChannel } from '../channels/routing/routing-types.ts'

/** The endpoint of a format that callers and upstreams may share. */
const formatEndpoints: readonly (readonly [PublicFormat, EndpointType])[] = [
  ['anthropic-messages', 'anthropic'],
  ['gemini', 'gemini'],
  ['openai-chat', 'openai'],
  ['openai-responses', 'openai-response'],
]

/**
 * The endpoints of every model that an enabled channel serves: of its kind, and of chat those whose format reaches some upstream as it
 * is, the upstream's own first. `openai` is among them for every model that chats, since it is translated for all.
 */
export function endpointTypesOf(
  channels: readonly RoutedChannel[],
): ReadonlyMap<string, readonly EndpointType[]> {
  const found = new Map<string, Set<EndpointType>>()
  const known = new Map<string, readonly EndpointType[]>()
  for (const channel of channels)
    if (channel.status === 'enabled')
      for (const model of channel.models) {
        const upstreamModel = channel.modelMapping.get(model) ?? model
        const key = `${channel.type} ${upstreamModel}`
        const types = getOrInsert(known, key, () => [
          ...kindsOf(model, upstreamModel),
          ...formatsOf(channel, upstreamModel),
        ])
        const all = getOrInsert(found, model, () => new Set())
        for (const type of types) all.add(type)
      }
  return new Map([...found].map(([model, types]) => [model, withOpenAi(types)]))
}

function kindsOf(...names: readonly string[]): EndpointType[] {
  const can = new Set(names.flatMap((name) => modelFacts(name)?.capabilities ?? []))
  return capabilityEndpoints.flatMap(([capability, type]) => (can.has(capability) ? [type] : []))
}

function formatsOf(
  { provider, baseUrl, openaiOrganization, other, keys }: RoutedChannel,
  upstreamModel: string,
) {
  const target = { baseUrl, openaiOrganization, other, key: keys[0] ?? '', upstreamModel }
  return formatEndpoints.flatMap(([format, type]) =>
    provider.operation('chat', target, format)?.format === format ? [type] : [],
  )
}

const chats: ReadonlySet<EndpointType> = new Set(['openai', 'openai-response', 'anthropic', 'gemini'])

function withOpenAi(types: ReadonlySet<EndpointType>): readonly EndpointType[] {
  const named = [...types]
  const isOther = named.some((type) => !chats.has(type))
  if (!isOther) return [...new Set<EndpointType>([...named, 'openai'])]
  // A model of another kind has its own endpoint; that its upstream chats too says nothing of it, but for images.
  return named.filter((type) => !chats.has(type) || types.has('image-generation'))
}
