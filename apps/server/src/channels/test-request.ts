import {
  applyEdits,
  editsFor,
  type OpenAiRequest,
  type RequestReading,
  readChatRequest,
  readCompletionRequest,
  readEmbeddingRequest,
} from '@tollgate/formats'
import type { RelayMode } from '@tollgate/providers'
import { Refusal } from '../lib/refusal.ts'
import type { RoutedChannel } from './routing-types.ts'

const fallbackModel = 'gpt-4o-mini'
/** MokaAI serves embeddings alone. */
const embeddingType = 44
const limits = { maxDepth: 16 }

/** The smallest call that shows whether a channel serves a model. */
export interface TestRequest {
  /** As a caller would ask for it. */
  readonly model: string
  readonly upstreamModel: string
  readonly mode: RelayMode
  readonly body: string
}

/**
 * Built and edited like a caller's request, so that what passes here passes there.
 * @param requested by the person who tests; without it the channel's test model, else its first model
 */
export function buildTestRequest(channel: RoutedChannel, requested: string | undefined): TestRequest {
  const model = requested ?? (channel.testModel || firstOf(channel.models) || fallbackModel)
  const upstreamModel = channel.modelMapping.get(model) ?? model
  const mode = chooseMode(channel, upstreamModel)
  const request = read(mode, upstreamModel)
  const edits = editsFor(request, {
    upstreamModel,
    streamOptions: channel.provider.streamOptions,
    paramOverride: channel.paramOverride ?? undefined,
    quirks: channel.provider.quirks,
  })
  return { model, upstreamModel, mode, body: applyEdits(request, edits) }
}

function firstOf(models: ReadonlySet<string>): string | undefined {
  return models.values().next().value
}

function chooseMode({ type, provider }: RoutedChannel, model: string): RelayMode {
  const embeds = type === embeddingType || /embed|bge-|^m3e/i.test(model)
  const preferred: readonly RelayMode[] = embeds
    ? ['embeddings', 'chat']
    : ['chat', 'completions', 'embeddings']
  return preferred.find((mode) => provider.modes.includes(mode)) ?? 'chat'
}

const readers = {
  chat: readChatRequest,
  completions: readCompletionRequest,
  embeddings: readEmbeddingRequest,
} as const satisfies Record<RelayMode, (text: string, limits: { maxDepth: number }) => RequestReading>

function read(mode: RelayMode, model: string): OpenAiRequest {
  const reading = readers[mode](JSON.stringify(bodyOf(mode, model)), limits)
  if (reading.ok) return reading.request
  throw new Refusal('invalid_parameter', { detail: reading.error.message })
}

function bodyOf(mode: RelayMode, model: string): Record<string, unknown> {
  switch (mode) {
    case 'embeddings':
      return { model, input: ['hello world'] }
    case 'completions':
      return { model, prompt: 'hi', max_tokens: 10 }
    case 'chat':
      return { model, messages: [{ role: 'user', content: 'hi' }], ...outputLimit(model), stream: false }
  }
}

/** As few tokens as the model family accepts. */
function outputLimit(model: string): Record<string, number> {
  // OpenAI's reasoning models refuse max_tokens. https://platform.openai.com/docs/guides/reasoning
  if (/^(o\d|gpt-5)/.test(model)) return { max_completion_tokens: 10 }
  if (model.includes('thinking')) return model.includes('claude') ? {} : { max_tokens: 50 }
  return { max_tokens: model.includes('gemini') ? 300 : 10 }
}
