import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { EncodeContext } from '../canonical/codec.ts'
import type {
  AssistantPart,
  ChatRequest,
  MediaPart,
  Message,
  ToolCallPart,
  UserPart,
} from '../canonical/request.ts'
import type { Candidate, ChatResponse, StopReason } from '../canonical/response.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { collectResponse } from '../streams/collect-response.ts'
import { streamOf } from '../test-support/arbitraries.ts'
import { noUsage, usageOf } from '../usage.ts'
import { gemini } from './codec.ts'

const call: EncodeContext = {
  model: 'm',
  responseId: 'a',
  createdAt: 0,
  includeUsage: false,
  estimatedInputTokens: 0,
}

const text = fc.string({ minLength: 1, maxLength: 20 })
const name = fc.stringMatching(/^[a-z_][a-zA-Z0-9_]{0,10}$/)
const signed = fc
  .option(fc.base64String({ minLength: 4 }), { nil: undefined })
  .map((value) => (value === undefined ? {} : { signature: { vendor: 'gemini', value } as const }))
const args = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 })).map((value) => JSON.stringify(value))
const textPart = fc
  .tuple(text, signed)
  .map(([value, more]) => ({ type: 'text', text: value, ...more }) as const)
const media: fc.Arbitrary<MediaPart> = fc
  .tuple(
    fc.constantFrom('image/png', 'audio/wav', 'video/mp4', 'application/pdf'),
    fc.base64String({ minLength: 4 }),
  )
  .map(([mediaType, data]) => ({
    type: 'media',
    kind: mediaType === 'application/pdf' ? 'document' : (mediaType.slice(0, 5) as 'image'), // One of the four above.
    source: { type: 'base64', mediaType, data },
  }))
/** Media that Gemini 3 takes in a result. */
const mediaInside = media.filter(({ kind }) => kind === 'image' || kind === 'document')
const toolCall = (id: string): fc.Arbitrary<ToolCallPart> =>
  fc.tuple(name, args, signed).map(([called, json, more]) => ({
    type: 'tool-call',
    id,
    name: called,
    arguments: json,
    ...more,
  }))
const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  textPart,
  media,
  toolCall(''),
  fc.tuple(text, signed).map(([value, more]) => ({ type: 'reasoning', text: value, ...more }) as const),
)
/** Each call gets an id of its own. */
const assistantParts = fc
  .array(assistantPart, { maxLength: 6 })
  .map((parts) =>
    parts.map((part, index) => (part.type === 'tool-call' ? { ...part, id: `id${index}` } : part)),
  )

const reason = fc.constantFrom<StopReason>('stop', 'length', 'content-filter')
const candidate = (index: number): fc.Arbitrary<Candidate> =>
  fc.tuple(assistantParts, reason, fc.option(text)).map(([parts, why, cited]) => {
    const calls = parts.some(({ type }) => type === 'tool-call')
    return {
      index,
      parts,
      stop: { reason: calls && why === 'stop' ? 'tool-calls' : why },
      ...(cited !== null && { citations: [{ url: 'https://a', title: 'A', text: cited }] }),
    }
  })
const usage = fc
  .tuple(fc.integer({ min: 1, max: 999 }), fc.nat(99), fc.integer({ min: 1, max: 999 }), fc.nat(99))
  .map(([inputTokens, cacheReadTokens, outputTokens, reasoningTokens]) =>
    usageOf({ inputTokens, cacheReadTokens, outputTokens, reasoningTokens }),
  )
const response: fc.Arbitrary<ChatResponse> = fc
  .tuple(candidate(0), fc.option(candidate(1)), usage)
  .map(([first, second, counted]) => ({
    id: 'r1',
    model: 'm',
    createdAt: 0,
    candidates: second === null ? [first] : [first, second],
    usage: counted,
  }))

describe('answers', () => {
  it('come back from Gemini as they were', () => {
    fc.assert(
      fc.property(response, (complete) => {
        const body: unknown = JSON.parse(JSON.stringify(gemini.encodeResponse(complete, call)))
        expect(gemini.decodeResponse(body)).toEqual({ ok: true, response: complete })
      }),
    )
  })

  it('come back from a stream as they were, with neighbouring pieces joined', () => {
    fc.assert(
      fc.property(response, fc.integer({ min: 1, max: 5 }), (complete, size) => {
        const stated = [...streamOf(complete, size), ...citationsOf(complete)]
        const encoder = gemini.encodeStream.start(call)
        const frames = [
          ...stated.flatMap((part) => gemini.encodeStream.step(encoder, part)),
          ...gemini.encodeStream.finish(encoder, complete.usage ?? noUsage),
        ]
        const decoder = gemini.decodeStream.start()
        const reported = frames.flatMap(({ data }) => gemini.decodeStream.step(decoder, { event: '', data }))
        expect(collectResponse(reported)).toEqual(collectResponse(stated))
      }),
    )
  })
})

function citationsOf({ candidates }: ChatResponse): readonly ChatPart[] {
  return candidates.flatMap(({ index, citations = [] }) =>
    citations.map((citation) => ({ type: 'citation', candidate: index, citation }) as const),
  )
}

/** A step: what the user says, calls, and their results. Ids are those that a reading makes. */
interface Step {
  readonly said: readonly UserPart[]
  readonly calls: readonly ToolCallPart[]
  readonly results: readonly {
    readonly text: string
    readonly isError: boolean
    readonly media: MediaPart | null
  }[]
}

const plainText = fc.stringMatching(/^[a-z ]{1,12}$/)
const step: fc.Arbitrary<Step> = fc.integer({ min: 1, max: 3 }).chain((count) =>
  fc.record({
    said: fc.array(
      fc.oneof(
        plainText.map((value) => ({ type: 'text', text: value }) as const),
        media,
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    calls: fc.array(toolCall(''), { minLength: count, maxLength: count }),
    results: fc.array(fc.record({ text: plainText, isError: fc.boolean(), media: fc.option(mediaInside) }), {
      minLength: count,
      maxLength: count,
    }),
  }),
)

function messagesOf(steps: readonly Step[]): readonly Message[] {
  let count = 0
  const messages: Message[] = [{ role: 'system', parts: [{ type: 'text', text: 'be brief' }] }]
  let open: readonly UserPart[] = []
  for (const { said: stated, calls, results } of steps) {
    const named = calls.map((part) => ({ ...part, id: `call_${count++}` }))
    messages.push({ role: 'user', parts: [...open, ...stated] }, { role: 'assistant', parts: named })
    open = results.map(({ text: value, isError, media: seen }, index) => ({
      type: 'tool-result',
      callId: named[index]?.id ?? '',
      name: named[index]?.name ?? '',
      content: [{ type: 'text', text: value }, ...(seen === null ? [] : [seen])],
      ...(isError && { isError }),
    }))
  }
  return [...messages, { role: 'user', parts: open }]
}

const schema = fc.record({
  type: fc.constant('object'),
  properties: fc.dictionary(name, fc.constantFrom({ type: 'string' }, { type: ['number', 'null'] }), {
    minKeys: 1,
  }),
})
const request: fc.Arbitrary<ChatRequest> = fc
  .record({
    steps: fc.array(step, { minLength: 1, maxLength: 3 }),
    tools: fc.uniqueArray(fc.record({ name, description: text, parameters: schema }), {
      selector: (tool) => tool.name,
      minLength: 1,
      maxLength: 3,
    }),
    mode: fc.constantFrom('auto', 'none', 'required'),
    effort: fc.constantFrom('minimal', 'low', 'medium', 'high'),
    format: fc.option(schema, { nil: undefined }),
    temperature: fc.double({ min: 0, max: 2, noNaN: true }).map((value) => value + 0),
    stop: fc.array(text, { maxLength: 5 }),
    limit: fc.integer({ min: 1, max: 1000 }),
  })
  .map(({ steps, tools, mode, effort, format, temperature, stop, limit }) => ({
    model: 'gemini-3.8-flash',
    stream: false,
    messages: messagesOf(steps),
    tools: tools.map((tool) => ({ type: 'function', ...tool })),
    toolChoice: { type: mode },
    reasoning: { effort, includeThoughts: true },
    ...(format !== undefined && { outputFormat: { type: 'json-schema', name: 'response', schema: format } }),
    maxOutputTokens: limit,
    sampling: { temperature, stop, candidates: 1 },
    options: {},
  }))

describe('requests', () => {
  it('come back from Gemini as they were, but for bypassed signatures', () => {
    fc.assert(
      fc.property(request, (complete) => {
        const { body, dropped } = gemini.encodeRequest(complete, {
          model: complete.model,
          streamOptions: false,
        })
        expect(dropped).toEqual([])
        const wire = JSON.parse(JSON.stringify(body))
        gemini.inspectRequest(wire, { model: complete.model })
        const read = gemini.decodeRequest(wire, { model: complete.model })
        expect(withoutBypass(read)).toEqual(JSON.parse(JSON.stringify(complete)))
      }),
    )
  })
})

function withoutBypass(read: ChatRequest): unknown {
  const bypass = ',"signature":{"vendor":"gemini","value":"skip_thought_signature_validator"}'
  return JSON.parse(JSON.stringify(read).replaceAll(bypass, ''))
}
