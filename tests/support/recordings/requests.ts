import type { Json } from '../agents/agent.ts'
import { type AgentRequest, withUnusualFields } from '../dialects/agent-requests.ts'
import type { Exchange } from './exchanges.ts'
import { turnsAfter } from './turns.ts'
import type { RecordedFormat } from './vendors.ts'

export interface RecordedAsk {
  /** The name that the caller has for the model. */
  readonly model: string
  /** Chat Completions: the caller wants the counts of a stream. */
  readonly includeUsage: boolean
}

/**
 * A request for a recorded response. Recordings hold responses only, so the request follows from the response, holds it in
 * its history, and contains fields that a gateway which parses and rewrites the JSON would change.
 */
export function requestFor(exchange: Exchange, ask: RecordedAsk): AgentRequest {
  return withUnusualFields(requests[exchange.vendor.format](exchange, ask))
}

const question = 'What is the weather — 列出文件'
const documents = ['Sunny.', 'Two of them', 'three', 'four', 'five', 'six']
const json = { 'content-type': 'application/json' }

const requests: Readonly<Record<RecordedFormat, (exchange: Exchange, ask: RecordedAsk) => AgentRequest>> = {
  chat: (exchange, { model, includeUsage }) => ({
    path: '/v1/chat/completions',
    headers: json,
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: question }, ...turnsAfter(exchange)],
      stream: exchange.isStream,
      ...(includeUsage && { stream_options: { include_usage: true } }),
    }),
  }),
  completions: ({ isStream }, { model, includeUsage }) => ({
    path: '/v1/completions',
    headers: json,
    body: JSON.stringify({
      model,
      prompt: question,
      stream: isStream,
      ...(includeUsage && { stream_options: { include_usage: true } }),
    }),
  }),
  embeddings: (_, { model }) => ({
    path: '/v1/embeddings',
    headers: json,
    body: JSON.stringify({ model, input: [question, 'rainy day in the city'] }),
  }),
  rerank: (_, { model }) => ({
    path: '/v1/rerank',
    headers: json,
    body: JSON.stringify({
      model,
      query: question,
      documents: documents.map((text) => ({ text })),
      top_n: 2,
    }),
  }),
  responses: (exchange, { model }) => ({
    path: '/v1/responses',
    headers: { ...json, 'openai-beta': 'responses=experimental' },
    body: JSON.stringify({
      ...echoedFields(exchange),
      model,
      input: [
        { role: 'user', content: question },
        ...[...exchange.before, exchange].flatMap((each) => turnsAfter(each)),
      ],
      stream: exchange.isStream,
    }),
  }),
  messages: (exchange, { model }) => ({
    path: '/v1/messages?beta=true',
    headers: {
      ...json,
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'interleaved-thinking-2025-05-14,x-future-2027-01-01',
    },
    body: JSON.stringify({
      model,
      max_tokens: 4096,
      messages: [{ role: 'user', content: question }, ...turnsAfter(exchange)],
      stream: exchange.isStream,
    }),
  }),
  gemini: (exchange, { model }) => ({
    path: `/v1beta/models/${model}:${exchange.isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: { ...json, 'x-goog-api-client': 'google-genai-sdk/1.30.0 gl-node/v24.0.0' },
    body: JSON.stringify({
      contents: [{ role: 'user', parts: [{ text: question }] }, ...turnsAfter(exchange)],
    }),
  }),
}

/** Members of its request that a Response repeats. */
const echoed = [
  'instructions',
  'tools',
  'tool_choice',
  'text',
  'reasoning',
  'parallel_tool_calls',
  'truncation',
  'metadata',
  'store',
]

function echoedFields({ isStream, replies }: Exchange): Json {
  const [first = {}] = replies
  const response = (isStream ? first.response : first) as Json
  return Object.fromEntries(
    echoed.flatMap((name) => (response[name] == null ? [] : [[name, response[name]]])),
  )
}
