import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { EncodeContext } from '../../canonical/codec.ts'
import type { AssistantPart } from '../../canonical/request.ts'
import type { ChatResponse } from '../../canonical/response.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { collectResponse } from '../../streams/collect-response.ts'
import { anyResponse, streamOf } from '../../test-support/arbitraries.ts'
import { readableStep } from '../../test-support/readable-step.ts'
import { usageOf } from '../../usage.ts'
import { openAiChat } from '../codec.ts'

const call: EncodeContext = {
  model: 'asked-model',
  responseId: 'r1',
  createdAt: 1_760_000_009,
  includeUsage: true,
  estimatedInputTokens: 10,
}
const usage = usageOf({ inputTokens: 10, cacheReadTokens: 2, outputTokens: 3 })

function responseWith(parts: readonly AssistantPart[], more: Partial<ChatResponse> = {}): ChatResponse {
  const candidates = [{ index: 0, parts, stop: { reason: 'stop' as const } }]
  return { id: '', model: 'm', createdAt: 7, candidates, usage, ...more }
}

function decoded(body: unknown): ChatResponse {
  const reading = openAiChat.decodeResponse(body)
  if (!reading.ok) throw new Error(reading.error.message)
  return reading.response
}

/** Returns what a stream of the response's frames says, read again. */
function throughStream(parts: readonly ChatPart[], charged = usage) {
  const { encodeStream, decodeStream } = openAiChat
  const encoding = encodeStream.start(call)
  const frames = [
    ...parts.flatMap((part) => encodeStream.step(encoding, part)),
    ...encodeStream.finish(encoding, charged),
  ]
  const decoding = decodeStream.start()
  const read = frames.flatMap(({ data }) => decodeStream.step(decoding, { event: '', data }))
  return { frames: frames.map((frame) => frame.data), parts: [...read, ...decodeStream.finish(decoding)] }
}

const named = { id: 'chatcmpl-r1', model: 'asked-model' }

describe('answers of openAiChat', () => {
  it('are the same when encoded and decoded', () => {
    fc.assert(
      fc.property(anyResponse, (response) => {
        expect(decoded(openAiChat.encodeResponse(response, call))).toEqual({ ...response, ...named })
      }),
    )
  })

  it('are the same when encoded as a stream and decoded', () => {
    fc.assert(
      fc.property(anyResponse, fc.integer({ min: 1, max: 9 }), (response, size) => {
        const { parts } = throughStream(streamOf(response, size), response.usage)
        expect(collectResponse(parts)).toEqual({ ...response, ...named })
        expect(parts.filter((part) => part.type === 'stop')).toHaveLength(1)
        expect(parts.at(-1)).toEqual({ type: 'end' })
      }),
    )
  })

  const signed: readonly AssistantPart[] = [
    { type: 'reasoning', text: 'Plan.', signature: { vendor: 'anthropic', value: 'c2ln' } },
    { type: 'reasoning', text: '', encrypted: { vendor: 'anthropic', value: 'cmVk' } },
    { type: 'text', text: 'Let me see.', signature: { vendor: 'gemini', value: 'dGV4dA' } },
    {
      type: 'tool-call',
      id: 'c1',
      name: 'look',
      arguments: '{"at":"x"}',
      signature: { vendor: 'gemini', value: 'Y2FsbA' },
    },
  ]

  it('keep the signatures of every vendor, whole and streamed', () => {
    const [candidate] = decoded(openAiChat.encodeResponse(responseWith(signed), call)).candidates
    expect(candidate?.parts).toEqual(signed)
    const { parts } = throughStream(streamOf(responseWith(signed), 4))
    const streamed = collectResponse(parts).candidates[0]?.parts
    // The text comes before its signature, and the signature has the whole text with it.
    expect(streamed?.filter((part) => part.type !== 'reasoning')).toEqual(
      signed.filter((part) => part.type !== 'reasoning'),
    )
  })

  it('tell callers their own model, an id of the format, and when they were made', () => {
    expect(openAiChat.encodeResponse(responseWith([]), call)).toMatchObject({
      ...named,
      object: 'chat.completion',
      created: 7,
    })
    expect(
      openAiChat.encodeResponse(responseWith([], { id: 'chatcmpl-9', createdAt: 0 }), call),
    ).toMatchObject({
      id: 'chatcmpl-9',
      created: call.createdAt,
    })
  })

  it('give calls without an id one of their own, the same whole and streamed', () => {
    const parts: readonly AssistantPart[] = [
      { type: 'tool-call', id: '', name: 'look', arguments: '{}' },
      { type: 'tool-call', id: '', name: 'look', arguments: '{}' },
    ]
    const complete = decoded(openAiChat.encodeResponse(responseWith(parts), call)).candidates[0]
    const ids = complete?.parts.map((part) => (part.type === 'tool-call' ? part.id : ''))
    expect(new Set(ids).size).toBe(2)
    expect(ids?.every((id) => id.startsWith('call_'))).toBe(true)
    expect(collectResponse(throughStream(streamOf(responseWith(parts), 5)).parts).candidates[0]).toEqual(
      complete as never,
    )
  })

  it('say a refusal in words and one without as OpenAI does', () => {
    const refused = responseWith([{ type: 'refusal', text: 'No.' }], {
      candidates: [{ index: 0, parts: [{ type: 'refusal', text: 'No.' }], stop: { reason: 'refused' } }],
    })
    expect(openAiChat.encodeResponse(refused, call)).toMatchObject({
      choices: [{ finish_reason: 'stop', message: { content: null, refusal: 'No.' } }],
    })
    expect(decoded(openAiChat.encodeResponse(refused, call)).candidates).toEqual(refused.candidates)
    const silent = { ...refused, candidates: [{ index: 0, parts: [], stop: { reason: 'refused' as const } }] }
    expect(openAiChat.encodeResponse(silent, call)).toMatchObject({
      choices: [{ finish_reason: 'content_filter' }],
    })
  })

  it('carry images, sounds, citations and log probabilities', () => {
    const response: ChatResponse = responseWith([], {
      candidates: [
        {
          index: 0,
          parts: [
            { type: 'text', text: 'See.' },
            {
              type: 'media',
              kind: 'image',
              source: { type: 'base64', mediaType: 'image/png', data: 'aGk=' },
            },
          ],
          stop: { reason: 'stop' },
          logprobs: [{ token: 'See.', logprob: -0.5, top: [{ token: 'Look', logprob: -2 }] }],
          citations: [{ url: 'https://a.example', title: 'A', text: 'said' }],
        },
      ],
    })
    expect(decoded(openAiChat.encodeResponse(response, call)).candidates).toEqual(response.candidates)
    const sound: AssistantPart = {
      type: 'media',
      kind: 'audio',
      source: { type: 'base64', mediaType: 'audio/wav', data: 'UklGRgAA' },
    }
    expect(decoded(openAiChat.encodeResponse(responseWith([sound]), call)).candidates[0]?.parts).toEqual([
      sound,
    ])
  })

  it('tell usage only to callers who asked, with what is charged', () => {
    const quiet = openAiChat.encodeStream.start({ ...call, includeUsage: false })
    const frames = openAiChat.encodeStream.finish(quiet, usage).map((frame) => frame.data)
    expect(frames.at(-1)).toBe('[DONE]')
    expect(frames.some((data) => data.includes('usage'))).toBe(false)
    const requested = throughStream([{ type: 'text-delta', candidate: 0, text: 'a' }]).frames
    expect(JSON.parse(requested[0] ?? '')).toMatchObject({
      usage: null,
      choices: [{ delta: { role: 'assistant', content: '' } }],
    })
    expect(JSON.parse(requested.at(-2) ?? '')).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 12, prompt_tokens_details: { cached_tokens: 2 } },
    })
  })

  it('keep parallel calls apart that come interleaved', () => {
    const start = (index: number) =>
      ({ type: 'tool-call-start', candidate: 0, call: index, id: `c${index}`, name: 'look' }) as const
    const piece = (index: number, text: string) =>
      ({ type: 'tool-call-delta', candidate: 0, call: index, arguments: text }) as const
    const { parts } = throughStream([
      start(0),
      start(1),
      piece(1, '{"b"'),
      piece(0, '{"a"'),
      piece(1, ':1}'),
      piece(0, ':0}'),
    ])
    expect(collectResponse(parts).candidates[0]?.parts).toMatchObject([
      { id: 'c0', arguments: '{"a":0}' },
      { id: 'c1', arguments: '{"b":1}' },
    ])
  })
})

const delta = (stated: object, finish: string | null = null) =>
  JSON.stringify({
    id: 'c',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: stated, finish_reason: finish }],
  })

function streamed(...events: readonly string[]): readonly ChatPart[] {
  const state = openAiChat.decodeStream.start()
  const parts = events.flatMap((data) => readableStep(openAiChat.decodeStream, state, { event: '', data }))
  return [...parts, ...openAiChat.decodeStream.finish(state)]
}

describe('decodeStream of openAiChat', () => {
  it('separates calls that a server gives one index, or none', () => {
    const complete = (index: number | undefined, id: string) =>
      delta({ tool_calls: [{ index, id, function: { name: 'look', arguments: `{"id":"${id}"}` } }] })
    for (const index of [0, undefined]) {
      const parts = collectResponse(streamed(complete(index, 'a'), complete(index, 'b'), delta({}, 'stop')))
        .candidates[0]
      expect(parts).toMatchObject({
        parts: [
          { id: 'a', arguments: '{"id":"a"}' },
          { id: 'b', arguments: '{"id":"b"}' },
        ],
        stop: { reason: 'tool-calls' },
      })
    }
  })

  it('takes an id that changes with every piece for the same call', () => {
    const piece = (id: string, name: string | undefined, text: string) =>
      delta({ tool_calls: [{ index: 0, id, function: { name, arguments: text } }] })
    expect(
      collectResponse(streamed(piece('a', 'look', '{"x"'), piece('b', undefined, ':1}'))).candidates[0]
        ?.parts,
    ).toEqual([{ type: 'tool-call', id: 'a', name: 'look', arguments: '{"x":1}' }])
  })

  it('separates calls without ids that share an index, once the arguments of one are complete', () => {
    const piece = (name: string, text: string) =>
      delta({ tool_calls: [{ index: 0, id: '', function: { name, arguments: text } }] })
    const events = [piece('look', '{"x"'), piece('look', ':{}}'), piece('look', '{'), piece('look', '}')]
    expect(collectResponse(streamed(...events)).candidates[0]?.parts).toMatchObject([
      { name: 'look', arguments: '{"x":{}}' },
      { name: 'look', arguments: '{}' },
    ])
  })

  it('starts a call when its tool has a name, which may follow its id and its first arguments', () => {
    const piece = (called: object) => delta({ tool_calls: [{ index: 0, ...called }] })
    const announced = [
      piece({ id: 'a', function: { arguments: '' } }),
      piece({ function: { arguments: '{' } }),
    ]
    expect(streamed(...announced).map(({ type }) => type)).toEqual(['start', 'open'])
    const parts = streamed(
      ...announced,
      piece({ function: { name: 'look', arguments: '}' } }),
      delta({}, 'tool_calls'),
    )
    expect(collectResponse(parts).candidates[0]?.parts).toEqual([
      { type: 'tool-call', id: 'a', name: 'look', arguments: '{}' },
    ])
    const unnamed = collectResponse(streamed(...announced, delta({}, 'tool_calls'))).candidates[0]?.parts
    expect(unnamed).toMatchObject([{ id: 'a', name: '', arguments: '{' }])
  })

  it('reads the legacy function_call, and arguments that are parsed already', () => {
    const legacy = streamed(
      delta({ function_call: { name: 'look', arguments: '{}' } }),
      delta({}, 'function_call'),
    )
    expect(collectResponse(legacy).candidates[0]).toMatchObject({
      parts: [{ type: 'tool-call', id: '', name: 'look', arguments: '{}' }],
      stop: { reason: 'tool-calls' },
    })
    const parsed = streamed(
      delta({ tool_calls: [{ id: 'a', function: { name: 'look', arguments: { x: 1 } } }] }),
    )
    expect(collectResponse(parsed).candidates[0]?.parts).toMatchObject([{ arguments: '{"x":1}' }])
  })

  it('reads reasoning from every field that holds it', () => {
    const positions = [
      { reasoning_content: 'hm' },
      { reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] },
      { reasoning_details: [{ type: 'reasoning.summary', summary: 'hm', format: 'openai-responses-v1' }] },
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] },
    ]
    for (const position of positions)
      expect(collectResponse(streamed(delta(position))).candidates[0]?.parts).toEqual([
        { type: 'reasoning', text: 'hm' },
      ])
  })

  it('opens a candidate once, and stops it once', () => {
    const parts = streamed(
      delta({ role: 'assistant', content: '' }),
      delta({ content: '' }),
      delta({}, 'stop'),
      delta({}, 'stop'),
    )
    expect(parts.map((part) => part.type)).toEqual(['start', 'open', 'stop'])
  })

  it('throws nothing but that a frame cannot be read', () => {
    const keys = [
      'choices',
      'delta',
      'message',
      'content',
      'tool_calls',
      'function',
      'usage',
      'index',
      'error',
      'audio',
      'logprobs',
      'reasoning_details',
      'annotations',
      'images',
    ]
    const hostile = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 4 }),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
    })).value
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 4 }), (events) => {
        streamed(...events.map((event) => JSON.stringify(event) ?? ''))
        for (const event of events) openAiChat.decodeResponse(event)
      }),
      { numRuns: 1000 },
    )
  })
})
