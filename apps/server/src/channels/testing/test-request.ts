import {
  type EncodeTarget,
  editsFor,
  type Instructions,
  type JsonObject,
  openAiChat,
  readModeRequest,
} from '@tollgate/formats'
import { type Operation, openAiFormats } from '@tollgate/providers'
import { Refusal } from '../../lib/refusal.ts'
import { type CallBody, canCarry, encodeBody } from '../../upstream/call-body.ts'
import type { SentBody } from '../../upstream/request-body/sent-body.ts'
import { callTarget } from '../../upstream/request-target.ts'
import type { RoutedChannel } from '../routing/routing-types.ts'
import { type TestMode, testModelOf, testModesOf } from './test-model.ts'

const limits = { maxDepth: 16 }

/** The smallest call that shows whether a channel serves a model. */
export interface TestRequest {
  /** Model by its name for callers. */
  readonly model: string
  readonly upstreamModel: string
  readonly mode: TestMode
  readonly operation: Operation
  /** The body, as a caller would send it. */
  readonly prepared: JsonObject
  readonly body: SentBody
}

/**
 * Built, edited and translated like a caller's request, so that a passing test means a working channel.
 * @param requested by the person who tests; without it the channel's own choice
 * @throws RequestFault where the channel's own format cannot express it
 */
export function buildTestRequest(
  channel: RoutedChannel,
  keyIndex: number,
  requested: string | undefined,
): TestRequest {
  const model = requested ?? testModelOf(channel)
  if (model === undefined) throw new Refusal('channel_test_no_model')
  const upstreamModel = channel.modelMapping.get(model) ?? model
  const mode = testModesOf(channel, model)[0] ?? 'chat'
  const prepared = callBody(mode, upstreamModel)
  const target = callTarget({ channel, keyIndex, upstreamModel })
  const operation = channel.provider.operation(mode, target, prepared.format)
  if (operation === undefined || !canCarry(prepared, operation)) throw new Refusal('channel_test_no_model')
  const { paramOverride: override, setting } = channel
  const { instructions, passThroughBody: passThrough } = setting
  const body = encodeBody(prepared, { operation, upstreamModel, override, instructions, passThrough })
  return {
    model,
    upstreamModel: body.model,
    mode,
    operation,
    prepared: prepared.native.body,
    body: body.text,
  }
}

function callBody(mode: TestMode, model: string): CallBody {
  const reading = readModeRequest(mode, JSON.stringify(bodyOf(mode, model)), limits)
  if (!reading.ok) throw new Refusal('invalid_parameter', { detail: reading.error.message })
  const { request } = reading
  return {
    format: openAiFormats[mode],
    native: request,
    nativeEdits: ({ model: upstreamModel, streamOptions }: EncodeTarget) =>
      editsFor(request, { upstreamModel, streamOptions }),
    ...(mode === 'chat'
      ? {
          instructionEdits: (instructions: Instructions) =>
            openAiChat.instructionEdits(request, instructions),
          canonical: () => openAiChat.decodeRequest(request.body, {}),
        }
      : { encodeOwn: (plain, target) => plain.encodeRequest(request.body, target) }),
  }
}

function bodyOf(mode: TestMode, model: string): Record<string, unknown> {
  switch (mode) {
    case 'embeddings':
      return { model, input: ['hello world'] }
    case 'rerank':
      return { model, query: 'hi', documents: ['hello world'] }
    case 'moderations':
      return { model, input: 'hi' }
    case 'completions':
      return { model, prompt: 'hi', max_tokens: 10 }
    case 'chat':
      return { model, messages: [{ role: 'user', content: 'hi' }], ...outputLimit(model), stream: false }
  }
}

/** Returns the limit of the fewest tokens that the model family accepts. */
function outputLimit(model: string): Record<string, number> {
  // OpenAI's reasoning models refuse max_tokens. https://platform.openai.com/docs/guides/reasoning
  if (/^(o\d|gpt-5)/.test(model)) return { max_completion_tokens: 10 }
  if (model.includes('thinking')) return model.includes('claude') ? {} : { max_tokens: 50 }
  return { max_tokens: model.includes('gemini') ? 300 : 10 }
}
