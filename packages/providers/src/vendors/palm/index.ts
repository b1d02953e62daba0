import {
  type Candidate,
  type ChatPart,
  type ChatRequest,
  type DecodedResponse,
  type EncodedRequest,
  gemini,
  isObject,
  type JsonObject,
  listOf,
  lostVendorFields,
  type Message,
  objectOf,
  parseJson,
  type StreamDecoder,
  textOf,
  type UpstreamCodec,
  unsupported,
} from '@tollgate/formats'
import { chatOperation, defineProvider } from '../../define-provider.ts'
import { fillModel, versionedUrl } from '../../endpoint-url.ts'
import { namesIn } from '../../queries/model-lists.ts'

/** @throws RequestFault for anything but a conversation of texts */
export function encodeRequest(request: ChatRequest): EncodedRequest {
  const dropped = new Set<string>(lostVendorFields(request.vendor, 'provider:palm'))
  refuseBeyondText(request)
  noteLost(request, dropped)
  const { sampling, messages } = request
  const context = messages.flatMap((message) =>
    message.role === 'system' ? [messageText(message, messages)] : [],
  )
  const prompt = {
    ...(context.length > 0 && { context: context.join('\n') }),
    messages: turnsOf(messages),
  }
  const { temperature, topP, topK, candidates } = sampling
  const body = {
    prompt,
    ...(temperature !== undefined && { temperature: Math.min(Math.max(temperature, 0), 1) }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    candidateCount: candidates,
  }
  return { body, dropped: [...dropped] }
}

const maxCandidates = 8

function refuseBeyondText({ tools, outputFormat, sampling, options }: ChatRequest): void {
  if (tools.length > 0) throw unsupported('tools', 'the model calls no tools')
  if (outputFormat !== undefined && outputFormat.type !== 'text')
    throw unsupported('response_format', 'the model answers in words')
  if (sampling.candidates > maxCandidates) throw unsupported('n', `it gives ${maxCandidates} answers at most`)
  if (sampling.stop.some((sequence) => sequence !== ''))
    throw unsupported('stop', 'it takes no stop sequences')
  if (options.modalities?.some((kind) => kind !== 'text'))
    throw unsupported('modalities', 'it answers with text alone')
}

function noteLost(
  { sampling, options, reasoning, maxOutputTokens }: ChatRequest,
  dropped: Set<string>,
): void {
  const { seed, presencePenalty, frequencyPenalty, logprobs } = sampling
  const { user, metadata, serviceTier, promptCacheKey, verbosity } = options
  const lost = { seed, presencePenalty, frequencyPenalty, logprobs, reasoning, maxOutputTokens }
  const steering = { user, metadata, serviceTier, promptCacheKey, verbosity }
  for (const [name, value] of Object.entries({ ...lost, ...steering }))
    if (value !== undefined) dropped.add(name)
}

const authors = { user: '0', assistant: '1' } as const

/** Neighbours of one author as one message: the two take turns. */
function turnsOf(messages: readonly Message[]): readonly JsonObject[] {
  const turns: { author: string; content: string }[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const author = authors[message.role]
    const content = messageText(message, messages)
    const last = turns.at(-1)
    if (content === '') continue
    if (last?.author === author) last.content += `\n${content}`
    else turns.push({ author, content })
  }
  if (turns.length === 0) throw unsupported('messages', 'it needs a message of the user')
  return turns
}

function messageText(message: Message, messages: readonly Message[]): string {
  const texts = message.parts.map((part, at) => {
    if (part.type === 'text' || part.type === 'refusal') return part.text
    // PaLM accepts no reasoning as input.
    if (part.type === 'reasoning') return ''
    throw unsupported(
      `messages[${messages.indexOf(message)}].content[${at}]`,
      'the model reads and writes words alone',
    )
  })
  return texts.filter((text) => text !== '').join('\n')
}

const { decodeError } = gemini

/** Responses arrive buffered, also for callers that request a stream. */
const decodeStream: StreamDecoder<null> = {
  start: () => null,
  step: (_state, { data }) => {
    const reading = decodeResponse(parseJson(data))
    return reading.ok ? partsOf(reading.response.candidates) : [{ type: 'error', error: reading.error }]
  },
  finish: () => [],
}

/** https://developers.generativeai.google/api/rest/generativelanguage/models/generateMessage, as it was */
const palmCodec: UpstreamCodec = {
  format: 'provider:palm',
  encodeRequest,
  decodeResponse,
  decodeStream,
  decodeError,
}

/** Decodes a response, in which nothing counts tokens. One that a filter stopped has no candidates. */
function decodeResponse(body: unknown): DecodedResponse {
  const { candidates, filters } = objectOf(body)
  const found = listOf(candidates).map((candidate, index) => candidateOf(objectOf(candidate), index))
  const blocked = listOf(filters).some(isObject)
  if (found.length === 0 && !blocked)
    return { ok: false, error: decodeError({ status: 200, headers: {}, body: JSON.stringify(body) ?? '' }) }
  const all: readonly Candidate[] =
    found.length > 0 ? found : [{ index: 0, parts: [], stop: { reason: 'content-filter' } }]
  return { ok: true, response: { id: '', model: '', createdAt: 0, candidates: all, usage: undefined } }
}

function candidateOf({ content }: JsonObject, index: number): Candidate {
  const text = textOf(content)
  return { index, parts: text === '' ? [] : [{ type: 'text', text }], stop: { reason: 'stop' } }
}

function partsOf(candidates: readonly Candidate[]): readonly ChatPart[] {
  const spoken = candidates.flatMap(({ index, parts, stop }): ChatPart[] => [
    { type: 'open', candidate: index },
    ...parts.flatMap((part): ChatPart[] =>
      part.type === 'text' ? [{ type: 'text-delta', candidate: index, text: part.text }] : [],
    ),
    { type: 'stop', candidate: index, stop },
  ])
  return [{ type: 'start', id: '', model: '', createdAt: 0 }, ...spoken, { type: 'end' }]
}

const onlyModel = 'chat-bison-001'

const generateMessage = chatOperation({
  codec: palmCodec,
  // One object, not a list of them: the response as its only event.
  framing: 'json-array',
  endpoint: ({ baseUrl, upstreamModel }) => {
    const model = /bison/i.test(upstreamModel) ? upstreamModel : onlyModel
    const path = fillModel('/models/{model}:generateMessage', model.replace(/^models\//, ''))
    return { url: versionedUrl(baseUrl, '/v1beta2', path), headers: {} }
  },
})

/** PaLM 2, which Google has switched off: for older channels, and for fakes that still speak its form. */
export const palm = defineProvider({
  credential: {
    kind: 'headers',
    headers: ({ key }) => (key === '' ? {} : { 'x-goog-api-key': key }),
  },
  operations: { chat: generateMessage },
  models: {
    endpoint: ({ baseUrl }) => ({
      url: versionedUrl(baseUrl, '/v1beta', '/models?pageSize=1000'),
      headers: {},
    }),
    decode: (body) => namesIn(body, 'models', 'name').map((name) => name.replace(/^models\//, '')),
  },
  decodeError: gemini.decodeError,
})
