import { type ModelCapability, modelFacts } from '@tollgate/api'
import { isModel, type RelayMode } from '@tollgate/providers'
import type { RoutedChannel } from '../routing/routing-types.ts'

/** Modes whose smallest call costs next to nothing. */
export type TestMode = Extract<RelayMode, 'chat' | 'completions' | 'embeddings' | 'rerank' | 'moderations'>

type Served = Pick<RoutedChannel, 'models' | 'modelMapping' | 'provider'>

const modeOfCapability: Partial<Record<ModelCapability, TestMode>> = {
  chat: 'chat',
  embedding: 'embeddings',
  rerank: 'rerank',
  moderation: 'moderations',
}

const fallbackModel = 'gpt-4o-mini'

/**
 * The model by which a channel is tested where a test names none: the one that its administrator set, else the first that has a small call.
 * `undefined` where every model makes images, sound or videos: a test would cost as much as a call, or say nothing.
 */
export function testModelOf(channel: Served & Pick<RoutedChannel, 'testModel'>): string | undefined {
  if (channel.testModel !== '') return channel.testModel
  if (channel.models.size === 0) return fallbackModel
  return [...channel.models].find((model) => testModesOf(channel, model).length > 0)
}

/** The modes of small calls that a model has at a channel, the likeliest first. */
export function testModesOf(
  { modelMapping, provider }: Pick<Served, 'modelMapping' | 'provider'>,
  model: string,
): readonly TestMode[] {
  const upstreamModel = modelMapping.get(model) ?? model
  const names = [upstreamModel, model]
  if (names.some((name) => isModel('needs-sound', name))) return []
  const facts = names.flatMap((name) => modelFacts(name) ?? [])
  const known = facts.flatMap(({ capabilities }) =>
    capabilities.flatMap((capability) => modeOfCapability[capability] ?? []),
  )
  const modes = facts.length > 0 ? known : modesByName(upstreamModel)
  return modes.filter((mode) => provider.modes.includes(mode))
}

/** A guess for a model that no table knows. */
function modesByName(model: string): readonly TestMode[] {
  if (/rerank/i.test(model)) return ['rerank', 'chat']
  return /embed|bge-|^m3e/i.test(model)
    ? ['embeddings', 'chat']
    : ['chat', 'completions', 'embeddings', 'rerank']
}
