import { type ChannelType, channelTypes } from '@tollgate/api/channel-types'

/** Wire ids of the types whose form differs from the others. */
export const typeIds = {
  openAi: 1,
  azure: 3,
  custom: 8,
  anthropic: 14,
  qwen: 17,
  spark: 18,
  knowledgeBase: 21,
  gemini: 24,
  suno: 36,
  dify: 37,
  cloudflare: 39,
  vertex: 41,
  azureAiFoundry: 1008,
} as const

const byId: ReadonlyMap<number, ChannelType> = new Map(channelTypes.map((type) => [type.id, type]))

export function typeOf(id: number): ChannelType | undefined {
  return byId.get(id)
}

/** Name of a type; its number when this version does not know it. */
export function typeName(id: number): string {
  return byId.get(id)?.name ?? `#${id}`
}

function byName(a: ChannelType, b: ChannelType): number {
  return a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1
}

/** Types a new channel may have, by name, but OpenAI first, whose form most upstreams follow. What is of the past is left out. */
export function offeredTypes(current: number): readonly ChannelType[] {
  return channelTypes
    .filter((type) => !type.legacy || type.id === current)
    .toSorted((a, b) => Number(b.id === typeIds.openAi) - Number(a.id === typeIds.openAi) || byName(a, b))
}

/** What the free field `other` is for this type: a key of its texts; `undefined` when the type has no use for it. */
export function otherKind(type: ChannelType | undefined) {
  if (!type || type.otherHint === '') return undefined
  switch (type.id) {
    case typeIds.azure:
    case typeIds.azureAiFoundry:
      return 'apiVersion'
    case typeIds.anthropic:
      return 'anthropicVersion'
    case typeIds.gemini:
      return 'geminiVersion'
    case typeIds.spark:
      return 'modelVersion'
    case typeIds.knowledgeBase:
      return 'knowledgeBase'
    case typeIds.dify:
      return 'application'
    case typeIds.cloudflare:
      return 'account'
    case typeIds.vertex:
      return 'region'
    case typeIds.qwen:
      return 'plugin'
    default:
      return 'general'
  }
}

/** What people must know before they fill in a form of this type: a key of its texts. */
export function rememberKind(id: number) {
  switch (id) {
    case typeIds.azure:
      return 'azure'
    case typeIds.custom:
      return 'custom'
    case typeIds.suno:
      return 'suno'
    case typeIds.dify:
      return 'dify'
    default:
      return undefined
  }
}
