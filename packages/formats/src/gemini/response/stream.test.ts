import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { EncodeContext } from '../../canonical/codec.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { StreamMeter } from '../../streams/stream-meter.ts'
import { readableStep } from '../../test-support/readable-step.ts'
import { noUsage, usageOf } from '../../usage.ts'
import { gemini } from '../codec.ts'

const { decodeStream, encodeStream } = gemini
const call: EncodeContext = {
  model: 'mine',
  responseId: 'a1',
  createdAt: 1,
  includeUsage: false,
  estimatedInputTokens: 0,
}

const content = (...parts: readonly unknown[]) => ({ content: { parts, role: 'model' }, index: 0 })
const chunk = (candidate: unknown, usageMetadata?: unknown) => ({
  candidates: [candidate],
  ...(usageMetadata !== undefined && { usageMetadata }),
  modelVersion: 'gemini-3.8-flash',
  responseId: 'r1',
})

function decode(...chunks: readonly unknown[]): readonly (readonly ChatPart[])[] {
  const state = decodeStream.start()
  const steps = chunks.map((data) => decodeStream.step(state, { event: '', data: JSON.stringify(data) }))
  return [...steps, decodeStream.finish(state)]
}

function encode(parts: readonly ChatPart[], usage = noUsage): readonly Record<string, unknown>[] {
  const state = encodeStream.start(call)
  const frames = [
    ...parts.flatMap((part) => encodeStream.step(state, part)),
    ...encodeStream.finish(state, usage),
  ]
  return frames.map(({ data }) => JSON.parse(data))
}

const start = { type: 'start', id: 'r1', model: 'gemini-3.8-flash', createdAt: 0 } as const

it('reads the call that takes the place of a response in JSON as its text', () => {
  const answer = content({ functionCall: { name: 'tollgate_json_answer', args: { a: 1 } } })
  expect(decode(chunk({ ...answer, finishReason: 'STOP' })).flat()).toEqual([
    start,
    { type: 'text-delta', candidate: 0, text: '{"a":1}' },
    { type: 'stop', candidate: 0, stop: { reason: 'stop' } },
  ])
})

describe('calls whose arguments come in pieces', () => {
  const piece = (fields: object, more: object = {}) =>
    content({ functionCall: { ...fields, willContinue: true }, ...more })
  const args = (...partialArgs: readonly object[]) => piece({ partialArgs })
  const reported = (...chunks: readonly unknown[]) =>
    decode(...chunks.map((each) => chunk(each)))
      .flat()
      .filter(({ type }) => type.startsWith('tool-call') || type === 'stop')
  const complete = (value: unknown, signature?: object): readonly ChatPart[] => [
    { type: 'tool-call-start', candidate: 0, call: 0, id: 'call_r1_0', name: 'f', ...signature },
    { type: 'tool-call-delta', candidate: 0, call: 0, arguments: JSON.stringify(value) },
    { type: 'tool-call-end', candidate: 0, call: 0 },
  ]
  const last = content({ functionCall: {} })

  it('are put together', () => {
    const signature = { signature: { vendor: 'gemini', value: 's' } }
    expect(
      reported(
        piece({ name: 'f' }, { thoughtSignature: 's' }),
        args({ jsonPath: '$.city', stringValue: 'New ', willContinue: true }),
        args({ jsonPath: '$.city', stringValue: 'Delhi', willContinue: true }),
        args({ jsonPath: '$.city', stringValue: '' }, { jsonPath: '$.days', numberValue: 0 }),
        args(
          { jsonPath: '$.at[0].x', boolValue: false },
          { jsonPath: "$.at[0]['a.b']", nullValue: 'NULL_VALUE' },
        ),
        args({ jsonPath: '$.at[1].x', boolValue: true }),
        args({ jsonPath: '$.__proto__.x', numberValue: 1 }),
        last,
        { ...content({ text: '' }), finishReason: 'STOP' },
      ),
    ).toEqual([
      ...complete(
        { city: 'New Delhi', days: 0, at: [{ x: false, 'a.b': null }, { x: true }], ['__proto__']: { x: 1 } },
        signature,
      ),
      { type: 'stop', candidate: 0, stop: { reason: 'tool-calls' } },
    ])
  })

  it('end with their last piece and with the next call', () => {
    const started = [piece({ name: 'f' }), args({ jsonPath: '$.a', numberValue: 1 })]
    expect(
      reported(...started, content({ functionCall: { name: 'g', args: {} } })).slice(0, 4),
    ).toMatchObject([...complete({ a: 1 }), { name: 'g', call: 1 }])
    expect(reported(piece({ name: 'f', args: { b: 2 } }), last)).toEqual([...complete({ b: 2 })])
  })

  it('do not end with their candidate or the stream: what came of them is no JSON', () => {
    const started = [
      piece({ name: 'f' }),
      args({ jsonPath: '$.a', stringValue: 'rm -rf', willContinue: true }),
    ]
    const [begins] = complete({})
    const cut = [
      begins,
      { type: 'tool-call-delta', candidate: 0, call: 0, arguments: '{"a":"rm -rf"' },
    ] as readonly ChatPart[]
    const stop: ChatPart = { type: 'stop', candidate: 0, stop: { reason: 'tool-calls' } }
    expect(reported(...started, { ...content(), finishReason: 'STOP' })).toEqual([...cut, stop])
    expect(reported(...started)).toEqual([...cut])
    expect(reported(...started, content({ functionCall: { name: 'g', args: {} } })).slice(-2)).toEqual([
      ...cut.map((part) => ({ ...part, call: 1, ...('id' in part && { id: 'call_r1_1' }) }) as ChatPart),
    ])
  })

  it.each<readonly object[]>([
    [{ jsonPath: 'a', stringValue: '' }],
    [{ jsonPath: '$', stringValue: '' }],
    [{ jsonPath: '$[0]', stringValue: '' }],
    [{ jsonPath: '$.a[99999999]', stringValue: '' }],
    [{ jsonPath: '$.a[', stringValue: '' }],
    [{ jsonPath: `$${'.a'.repeat(200)}`, stringValue: '' }],
    [
      { jsonPath: '$.s.length', numberValue: 1 },
      { jsonPath: '$.s[0]', numberValue: 1 },
    ],
    [{ jsonPath: '$.a', stringValue: 5 }],
  ])('are a malformed event when %j cannot be put in', (...pieces: readonly object[]) => {
    expect(() => reported(piece({ name: 'f' }), args(...pieces))).toThrow('the upstream sent')
  })
})

describe('decodeStream', () => {
  it('reads reasoning, text, a call and the end, with cumulative usage behind them', () => {
    const usage = { promptTokenCount: 9, thoughtsTokenCount: 31 }
    const steps = decode(
      chunk(content({ text: 'Plan.', thought: true }), { ...usage, cachedContentTokenCount: 4 }),
      chunk(content({ text: 'Hello' }), { ...usage, candidatesTokenCount: 2 }),
      chunk(content({ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 's' })),
      chunk(
        { ...content({ text: '', thoughtSignature: 't' }), finishReason: 'STOP' },
        { ...usage, candidatesTokenCount: 12 },
      ),
    )
    const counted = (outputTokens: number) => ({
      type: 'usage',
      usage: usageOf({ inputTokens: 5, cacheReadTokens: 4, outputTokens, reasoningTokens: 31 }),
    })
    const signature = (value: string) => ({ vendor: 'gemini', value })
    expect(steps as unknown).toEqual([
      [start, { type: 'reasoning-delta', candidate: 0, text: 'Plan.' }, counted(31)],
      [{ type: 'text-delta', candidate: 0, text: 'Hello' }, counted(33)],
      [
        {
          type: 'tool-call-start',
          candidate: 0,
          call: 0,
          id: 'call_r1_0',
          name: 'f',
          signature: signature('s'),
        },
        { type: 'tool-call-delta', candidate: 0, call: 0, arguments: '{"a":1}' },
        { type: 'tool-call-end', candidate: 0, call: 0 },
      ],
      [
        { type: 'text-signature', candidate: 0, signature: signature('t') },
        { type: 'stop', candidate: 0, stop: { reason: 'tool-calls' } },
        counted(43),
      ],
      [],
    ])
  })

  it('numbers calls within their candidate and keeps their ids', () => {
    const parts = decode(
      chunk(content({ functionCall: { id: 'x', name: 'f' } }, { functionCall: { name: 'g' } })),
      { candidates: [{ index: 1, content: { parts: [{ functionCall: { name: 'f' } }] } }] },
    ).flat()
    const starts = parts.flatMap((part) =>
      part.type === 'tool-call-start' ? [[part.candidate, part.call, part.id]] : [],
    )
    expect(starts).toEqual([
      [0, 0, 'x'],
      [0, 1, 'call_r1_1'],
      [1, 0, 'call_r1_c1_0'],
    ])
  })

  it('opens with a role or an empty block, once', () => {
    const types = decode(chunk(content()), chunk(content({ text: '' })), chunk(content({ text: 'x' })))
    expect(types.map((parts) => parts.map(({ type }) => type))).toEqual([
      ['start', 'open'],
      [],
      ['text-delta'],
      [],
    ])
  })

  it('takes a stop for the end of the response, for there is no end mark', () => {
    const meter = new StreamMeter()
    const usage = { promptTokenCount: 9, candidatesTokenCount: 1 }
    for (const part of decode(chunk({ ...content({ text: 'x' }), finishReason: 'STOP' }, usage)).flat())
      meter.take(part)
    expect(meter).toMatchObject({
      outcome: 'complete',
      isEnded: false,
      usage: usageOf({ inputTokens: 9, outputTokens: 1 }),
    })
  })

  it('reports a blocked prompt with its usage', () => {
    const blocked = {
      promptFeedback: { blockReason: 'SAFETY' },
      usageMetadata: { promptTokenCount: 9 },
      responseId: 'r',
    }
    expect(decode(blocked)[0]).toEqual([
      { type: 'start', id: 'r', model: '', createdAt: 0 },
      { type: 'stop', candidate: 0, stop: { reason: 'content-filter' } },
      { type: 'usage', usage: usageOf({ inputTokens: 9 }) },
    ])
  })

  it('reports a failed call after the delivered and counted parts', () => {
    const [parts] = decode(
      chunk({ ...content({ text: 'x' }), finishReason: 'MALFORMED_FUNCTION_CALL' }, { promptTokenCount: 9 }),
    )
    expect(parts?.map(({ type }) => type)).toEqual(['start', 'text-delta', 'usage', 'error'])
    expect(parts?.at(-1)).toMatchObject({ error: { kind: 'upstream_bug', code: 'MALFORMED_FUNCTION_CALL' } })
  })

  it('reports an error inside the stream, wrapped in a list or not', () => {
    const error = { code: 503, message: 'm', status: 'UNAVAILABLE' }
    for (const data of [{ error }, [{ error }]])
      expect(decode(data)[0]).toMatchObject([{ type: 'error', error: { kind: 'overloaded', status: 503 } }])
  })

  it('cites a page once, however often chunks repeat it', () => {
    const groundingMetadata = { groundingChunks: [{ web: { uri: 'https://a', title: 'A' } }] }
    const parts = decode(
      chunk({ ...content({ text: 'x' }), groundingMetadata }),
      chunk({ ...content(), groundingMetadata }),
    )
    expect(parts.flat().filter(({ type }) => type === 'citation')).toHaveLength(1)
  })

  it('takes the end mark of other gateways', () => {
    expect(decodeStream.step(decodeStream.start(), { event: '', data: '[DONE]' })).toEqual([{ type: 'end' }])
  })

  it('throws nothing but that a frame cannot be read, and says start first and once', () => {
    const candidate = fc.oneof(
      fc.jsonValue(),
      fc.record({
        content: fc.oneof(fc.jsonValue(), fc.record({ parts: fc.array(fc.jsonValue()) })),
        finishReason: fc.oneof(fc.jsonValue(), fc.constantFrom('STOP', 'OTHER', 'toString')),
        index: fc.jsonValue(),
        groundingMetadata: fc.jsonValue(),
      }),
    )
    const frame = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc
        .record({ candidates: fc.array(candidate), usageMetadata: fc.jsonValue() })
        .map((value) => JSON.stringify(value)),
    )
    fc.assert(
      fc.property(fc.array(frame), (frames) => {
        const state = decodeStream.start()
        const parts = frames.flatMap((data) => readableStep(decodeStream, state, { event: '', data }))
        const reported = parts.filter(({ type }) => type !== 'error' && type !== 'end')
        expect(reported.findLastIndex(({ type }) => type === 'start')).toBe(reported.length > 0 ? 0 : -1)
      }),
    )
  })
})

describe('encodeStream', () => {
  it('writes a chunk per text, and the end with the usage that was charged', () => {
    const usage = usageOf({ inputTokens: 5, outputTokens: 2 })
    const more = { modelVersion: 'mine', responseId: 'r1' }
    expect(
      encode(
        [
          start,
          { type: 'open', candidate: 0 },
          { type: 'reasoning-delta', candidate: 0, text: 'hm' },
          { type: 'text-delta', candidate: 0, text: 'Hi' },
          { type: 'stop', candidate: 0, stop: { reason: 'length' } },
          { type: 'usage', usage: noUsage },
          { type: 'end' },
        ],
        usage,
      ),
    ).toEqual([
      { candidates: [content({ text: 'hm', thought: true })], ...more },
      { candidates: [content({ text: 'Hi' })], ...more },
      {
        candidates: [{ ...content({ text: '' }), finishReason: 'MAX_TOKENS' }],
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
        ...more,
      },
    ])
  })

  it('writes interleaved calls complete, in the order they began', () => {
    const begin = (number: number) =>
      ({ type: 'tool-call-start', candidate: 0, call: number, id: `c${number}`, name: 'f' }) as const
    const delta = (number: number, text: string) =>
      ({ type: 'tool-call-delta', candidate: 0, call: number, arguments: text }) as const
    const end = (number: number) => ({ type: 'tool-call-end', candidate: 0, call: number }) as const
    const chunks = encode([
      start,
      begin(0),
      begin(1),
      delta(1, '{"b":'),
      delta(0, '{"a":1'),
      delta(1, '2}'),
      end(1),
      delta(0, '}'),
      end(0),
      begin(2),
      end(2),
    ])
    expect(chunks.flatMap(({ candidates }) => candidates)).toMatchObject([
      content({ functionCall: { id: 'c0', name: 'f', args: { a: 1 } } }),
      content({ functionCall: { id: 'c1', name: 'f', args: { b: 2 } } }),
      content({ functionCall: { id: 'c2', name: 'f', args: {} } }),
      { ...content({ text: '' }), finishReason: 'STOP' },
    ])
  })

  it('does not make a call of arguments that were cut', () => {
    const chunks = encode([
      { type: 'tool-call-start', candidate: 0, call: 0, id: '', name: 'rm' },
      { type: 'tool-call-delta', candidate: 0, call: 0, arguments: '{"a' },
    ])
    expect(chunks).toMatchObject([
      {
        candidates: [
          { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed function call: rm({"a)' },
        ],
      },
    ])
  })

  it('keeps signatures of Gemini and none of others', () => {
    const signature = (vendor: 'gemini' | 'openai') => ({ vendor, value: 's' }) as const
    const chunks = encode([
      { type: 'text-signature', candidate: 0, signature: signature('gemini') },
      { type: 'text-signature', candidate: 0, signature: signature('openai') },
      { type: 'reasoning-signature', candidate: 0, signature: signature('gemini') },
      { type: 'reasoning-encrypted', candidate: 0, encrypted: signature('openai') },
    ])
    expect(chunks.slice(0, -1).flatMap(({ candidates }) => candidates)).toEqual([
      content({ text: '', thoughtSignature: 's' }),
      content({ text: '', thoughtSignature: 's', thought: true }),
    ])
  })

  it('ends a response without any part', () => {
    expect(encode([])).toMatchObject([{ candidates: [{ finishReason: 'STOP', index: 0 }], responseId: 'a1' }])
  })
})
