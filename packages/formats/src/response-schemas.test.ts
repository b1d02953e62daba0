import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { problemsOf, responseSchemas } from '../../../tests/support/schemas/index.ts'
import { serviceTiers } from './canonical/charged-tools.ts'
import type { ChatCodec, EncodeContext, TextFrame } from './canonical/codec.ts'
import type { AssistantPart, MediaPart } from './canonical/request.ts'
import type { Candidate, ChatResponse, Citation, StopReason, TokenLogprob } from './canonical/response.ts'
import type { ChatPart } from './canonical/stream.ts'
import { chatCodecs } from './codecs.ts'
import { openAiResponses } from './openai-responses/codec.ts'
import { anyResponse, streamOf } from './test-support/arbitraries.ts'
import { noUsage, type Usage, usageOf } from './usage.ts'

/** Fields of which the caller of Responses said less than its response has to say. */
const request = {
  model: 'asked',
  service_tier: 'flex',
  reasoning: { effort: 'low' },
  text: { format: { type: 'json_schema', name: 'answer', schema: { type: 'object' } } },
  tools: [
    { type: 'function', name: 'look' },
    { type: 'custom', name: 'apply_patch' },
    { type: 'namespace', name: 'crm', description: 'd', tools: [{ type: 'function', name: 'find' }] },
  ],
  prompt_cache_key: 'k',
  top_logprobs: 2,
}
const call: EncodeContext = {
  model: 'asked',
  responseId: 'r1',
  createdAt: 1_760_000_000,
  nowSeconds: () => 1_760_000_003,
  includeUsage: true,
  estimatedInputTokens: 10,
}
const usage = usageOf({
  inputTokens: 20,
  cacheReadTokens: 4,
  cacheWriteTokens: 3,
  cacheWrite1hTokens: 2,
  outputTokens: 30,
  audioInputTokens: 1,
  imageOutputTokens: 9,
  reasoningTokens: 5,
  toolCalls: { google_search: 2 },
  service: { tier: 'standard' },
})

const text = (stated: string): AssistantPart => ({ type: 'text', text: stated })
const toolCall = (id: string, name: string, args = '{"at":"x"}'): AssistantPart => {
  return { type: 'tool-call', id, name, arguments: args, signature: { vendor: 'gemini', value: 'c2ln' } }
}
const media = (kind: MediaPart['kind'], mediaType: string): AssistantPart => {
  return { type: 'media', kind, source: { type: 'base64', mediaType, data: 'AAAA' } }
}
const citations: readonly Citation[] = [
  { url: 'https://a.example', title: 'A', text: 'quote' },
  { url: 'https://b.example', title: '', text: '' },
]
const logprobs: readonly TokenLogprob[] = [{ token: 'é', logprob: -1, top: [{ token: 'e', logprob: -2 }] }]
const stops: readonly StopReason[] = ['stop', 'length', 'tool-calls', 'content-filter', 'refused', 'paused']
const vendors = ['anthropic', 'gemini', 'openai', 'bedrock'] as const

/** Contents of responses, by their peculiarity. */
const candidates: Readonly<Record<string, Partial<Candidate>>> = {
  'nothing at all': {},
  'an empty text': { parts: [text('')] },
  'a refusal': { parts: [{ type: 'refusal', text: 'No.' }], stop: { reason: 'refused' } },
  'a stop sequence': { parts: [text('a')], stop: { reason: 'stop', sequence: '###' } },
  'sources and probabilities': { parts: [text('Hi')], citations, logprobs },
  'calls without ids': {
    parts: [text('Let me look.'), toolCall('', 'look'), toolCall('', 'crm__find', '')],
    stop: { reason: 'tool-calls' },
  },
  'free text for a tool': { parts: [toolCall('c1', 'apply_patch', '{"input":"*** Begin"}')] },
  'a call that was cut off': { parts: [toolCall('c1', 'look', '{"at":')], stop: { reason: 'length' } },
  'a signed text': { parts: [{ type: 'text', text: 'Hi', signature: { vendor: 'gemini', value: 'c2ln' } }] },
  'a picture': { parts: [text('Here:'), media('image', 'image/png'), media('image', 'image/x-odd')] },
  'a sound': { parts: [media('audio', 'audio/mp3')] },
  'a document': { parts: [media('document', 'application/pdf'), media('video', 'video/mp4')] },
  ...Object.fromEntries(
    stops.map((reason) => [`the end ${reason}`, { parts: [text('a')], stop: { reason } }]),
  ),
  ...Object.fromEntries(
    vendors.map((vendor) => [
      `thoughts of ${vendor}`,
      {
        parts: [
          { type: 'reasoning', text: 'hm', signature: { vendor, value: 'c2ln' } },
          { type: 'reasoning', text: '', encrypted: { vendor, value: 'ZW5j' } },
          { type: 'reasoning', text: 'plain' },
          text('So.'),
        ],
      } satisfies Partial<Candidate>,
    ]),
  ),
}

function responseOf(candidate: Partial<Candidate>, reported: Usage | undefined = usage): ChatResponse {
  const buffered = { index: 0, parts: [], stop: { reason: 'stop' as const }, ...candidate }
  return { id: '', model: 'm', createdAt: 0, candidates: [buffered], usage: reported }
}

/** The parts of a stream that says the same, sources and probabilities behind their text. */
function partsOf(response: ChatResponse): readonly ChatPart[] {
  const [{ citations: cited = [], logprobs: weighed } = responseOf({}).candidates[0] as Candidate] =
    response.candidates
  return streamOf(response, 5).flatMap((part): readonly ChatPart[] => {
    if (part.type !== 'stop') return [part]
    return [
      ...cited.map((citation) => ({ type: 'citation', candidate: 0, citation }) as const),
      ...(weighed === undefined ? [] : [{ type: 'logprobs', candidate: 0, logprobs: weighed } as const]),
      part,
    ]
  })
}

type Dialect = keyof typeof responseSchemas

function expectComplete(codec: ChatCodec, response: ChatResponse, requested: EncodeContext): void {
  const { buffered } = responseSchemas[codec.format as Dialect]
  // As it goes over the wire: without what is undefined.
  const body = JSON.parse(JSON.stringify(codec.encodeResponse(response, requested)))
  expect(problemsOf(buffered, body)).toBe('')
}

function expectEvents(codec: ChatCodec, frames: readonly TextFrame[]): void {
  const { event } = responseSchemas[codec.format as Dialect]
  for (const { data } of frames) if (data !== '[DONE]') expect(problemsOf(event, JSON.parse(data))).toBe('')
}

function framesOf(codec: ChatCodec, response: ChatResponse, requested: EncodeContext): readonly TextFrame[] {
  const state = codec.encodeStream.start(requested)
  const frames = partsOf(response).flatMap((part) => codec.encodeStream.step(state, part))
  return [...frames, ...codec.encodeStream.finish(state, response.usage ?? noUsage)]
}

const codecs: readonly ChatCodec[] = Object.values(chatCodecs)

describe.each(codecs.map((codec) => [codec.format, codec] as const))('a response in %s', (format, codec) => {
  const isResponses = format === 'openai-responses'
  const requested = isResponses ? { ...call, echo: openAiResponses.echoOf?.(request) ?? {} } : call

  it.each(Object.entries(candidates))('that holds %s has every field of its dialect', (_name, candidate) => {
    for (const reported of [usage, undefined]) {
      const response = responseOf(candidate, reported)
      expectComplete(codec, response, requested)
      expectEvents(codec, framesOf(codec, response, requested))
    }
  })

  it('has them whatever it says', () => {
    fc.assert(
      fc.property(anyResponse, (response) => {
        expectComplete(codec, response, requested)
        expectEvents(codec, framesOf(codec, response, requested))
      }),
      { numRuns: 40 },
    )
  })

  it.each([...serviceTiers, 'standard'] as const)('names the tier %s by a word of its dialect', (tier) => {
    const response = responseOf({ parts: [text('a')] }, { ...usage, service: { tier } })
    expectComplete(codec, response, requested)
    expectEvents(codec, framesOf(codec, response, requested))
  })

  it.each([400, 402, 403, 429, 500, 502, 503, 504])(
    'that fails with %d midway ends with all of them',
    (status) => {
      const error = { status, message: 'gone', type: 'upstream_error', param: null, code: 'upstream_cut' }
      for (const parts of [
        [],
        partsOf(responseOf({ parts: [text('Half'), toolCall('c1', 'look')] })).slice(0, -3),
      ]) {
        const state = codec.encodeStream.start(requested)
        const started = parts.flatMap((part) => codec.encodeStream.step(state, part))
        const ended = codec.encodeStream.fail?.(state, error) ?? codec.encodeStreamError(error, requested)
        expectEvents(codec, [...started, ...ended])
      }
      expectEvents(codec, codec.encodeStreamError(error, requested))
    },
  )
})

describe('a response in openai-responses', () => {
  const requested = { ...call, echo: openAiResponses.echoOf?.(request) ?? {} }
  const eventsOf = (frames: readonly TextFrame[]) => frames.map(({ data }) => JSON.parse(data))

  it('says when it was complete, how it was served, and what its caller asked for', () => {
    const events = eventsOf(framesOf(openAiResponses, responseOf({ parts: [text('a')] }), requested))
    const { response } = events.at(-1)
    expect(response).toMatchObject({
      created_at: 1_760_000_000,
      completed_at: 1_760_000_003,
      service_tier: 'default',
      prompt_cache_key: 'k',
      top_logprobs: 2,
      presence_penalty: 0,
      reasoning: { effort: 'low', summary: null },
      usage: { input_tokens_details: { cached_tokens: 4, cache_write_tokens: 5 } },
    })
    expect(response.tools[0]).toEqual({
      type: 'function',
      name: 'look',
      description: null,
      parameters: null,
      strict: null,
    })
    expect(events[0].response).toMatchObject({ completed_at: null, service_tier: 'auto', usage: null })
    expect(openAiResponses.encodeResponse(responseOf({ parts: [text('a')] }), requested)).toMatchObject({
      completed_at: 1_760_000_003,
      service_tier: 'default',
    })
  })

  it('goes on in its numbers when it fails', () => {
    const { encodeStream } = openAiResponses
    const state = encodeStream.start(requested)
    const started = partsOf(responseOf({ parts: [text('Half')] })).flatMap((part) =>
      encodeStream.step(state, part),
    )
    const error = { status: 429, message: 'm', type: 't', param: null, code: null }
    const events = eventsOf([...started, ...(encodeStream.fail?.(state, error) ?? [])])
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()])
    expect(events.at(-1).response).toMatchObject({
      id: events[0].response.id,
      status: 'failed',
      error: { code: 'rate_limit_exceeded' },
    })
  })
})

describe('a message', () => {
  it('tells searches, and how it was served', () => {
    const response = responseOf(
      { parts: [text('a')] },
      { ...usage, service: { tier: 'priority', geo: 'us' } },
    )
    expect(chatCodecs['anthropic-messages'].encodeResponse(response, call)).toMatchObject({
      usage: {
        service_tier: 'priority',
        inference_geo: 'us',
        server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
      },
    })
  })
})
