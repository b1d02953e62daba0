import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { ChatPart } from '../../canonical/stream.ts'
import type { JsonObject } from '../../json/value.ts'
import { wrapSignature } from '../../requests/foreign-signatures.ts'
import { collectResponse } from '../../streams/collect-response.ts'
import { readableStep } from '../../test-support/readable-step.ts'
import { openAiResponses } from '../codec.ts'

const { decodeStream, decodeResponse } = openAiResponses

function read(...events: readonly JsonObject[]): readonly ChatPart[] {
  const state = decodeStream.start()
  const parts = events.flatMap((event) =>
    decodeStream.step(state, { event: '', data: JSON.stringify(event) }),
  )
  return [...parts, ...decodeStream.finish(state)]
}

const partsOf = (parts: readonly ChatPart[]) => collectResponse(parts).candidates[0]?.parts
const usage = { input_tokens: 9, output_tokens: 2, total_tokens: 11 }
const created = {
  type: 'response.created',
  response: { id: 'resp_1', model: 'gpt-5.6-luna', created_at: 7, status: 'in_progress', output: [] },
}
const completed = { type: 'response.completed', response: { id: 'resp_1', status: 'completed', usage } }
const at = { item_id: 'x', output_index: 0, content_index: 0 }
const added = (item: object, output_index = 0) => ({ type: 'response.output_item.added', output_index, item })
const done = (item: object, output_index = 0) => ({ type: 'response.output_item.done', output_index, item })
const message = (text: string, more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [], ...more }],
})
const call = { id: 'fc_1', type: 'function_call', call_id: 'call_9', name: 'look', arguments: '{"at":"x"}' }

it('reports the count that comes before the response', () => {
  const early = { ...created, response: { ...created.response, usage: { ...usage, output_tokens: 0 } } }
  expect(read(early).map(({ type }) => type)).toEqual(['start', 'open', 'usage'])
})

describe('a text', () => {
  const pieces = [
    { type: 'response.output_text.delta', ...at, delta: 'Hi ', logprobs: [] },
    { type: 'response.output_text.delta', ...at, delta: 'you', logprobs: [] },
  ]
  const ends = [
    { type: 'response.output_text.done', ...at, text: 'Hi you', logprobs: [] },
    { type: 'response.content_part.done', ...at, part: message('Hi you').content[0] },
    done(message('Hi you')),
  ]
  const last = { ...completed, response: { ...completed.response, output: [message('Hi you')] } }
  const ways = {
    'as its vendor tells it': [created, added({ type: 'message', content: [] }), ...pieces, ...ends, last],
    'in pieces alone': [created, ...pieces, completed],
    'by its end alone': [created, ends[0], completed],
    'in pieces of which some are missing': [created, pieces[0], ends[0], completed],
    'by the end of its part': [created, ends[1], completed],
    'as a whole item': [created, ends[2], completed],
    'with the last event alone': [last],
  } as Record<string, readonly JsonObject[]>

  it.each(Object.entries(ways))('is returned once, %s', (_way, events) => {
    expect(partsOf(read(...events))).toEqual([{ type: 'text', text: 'Hi you' }])
    expect(
      read(...events)
        .slice(-3)
        .map(({ type }) => type),
    ).toEqual(['usage', 'stop', 'end'])
  })

  it('has its citations and log probabilities once', () => {
    const annotation = {
      type: 'url_citation',
      url: 'https://a.example',
      title: 'A',
      start_index: 0,
      end_index: 1,
    }
    const logprobs = [{ token: 'Hi', logprob: -0.5, bytes: null, top_logprobs: [] }]
    const item = done(message('Hi', { annotations: [annotation, { type: 'file_citation' }], logprobs }))
    const inPieces = read(
      { type: 'response.output_text.delta', ...at, delta: 'Hi', logprobs },
      { type: 'response.output_text.annotation.added', ...at, annotation_index: 0, annotation },
      item,
    )
    for (const parts of [inPieces, read(item)]) {
      const [candidate] = collectResponse(parts).candidates
      expect(candidate?.citations).toEqual([
        { url: 'https://a.example', title: 'A', text: '', range: { start: 0, end: 1 } },
      ])
      expect(candidate?.logprobs).toEqual([{ token: 'Hi', logprob: -0.5, top: [] }])
    }
  })

  it('that refuses ends as a refusal', () => {
    const part = { type: 'refusal', refusal: 'No.' }
    const parts = read(
      { type: 'response.refusal.delta', ...at, delta: 'No.' },
      { type: 'response.refusal.done', ...at, refusal: 'No.' },
      done({ type: 'message', content: [part] }),
      completed,
    )
    expect(partsOf(parts)).toEqual([{ type: 'refusal', text: 'No.' }])
    expect(collectResponse(parts).candidates[0]?.stop).toEqual({ reason: 'refused' })
  })
})

describe('a call', () => {
  const expected = [{ type: 'tool-call', id: 'call_9', name: 'look', arguments: '{"at":"x"}' }] as const
  const started = added({ ...call, arguments: '' })
  const delta = { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"at":"x"}' }
  const end = { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"at":"x"}' }
  const parsed = { ...call, arguments: { at: 'x' } }
  const ways = {
    'as its vendor tells it': [started, delta, end, done(call), completed],
    'in pieces alone': [started, delta, completed],
    'by its end alone': [started, end, completed],
    'as a whole item': [done(call), completed],
    'whose name comes last': [delta, done(call), completed],
    'that is cut short': [started, delta],
    'whose arguments a server sends parsed': [added({ ...call, arguments: {} }), done(parsed), completed],
    'whose end has them parsed': [started, { ...end, arguments: { at: 'x' } }, done(parsed), completed],
  } as Record<string, readonly JsonObject[]>

  it.each(Object.entries(ways))('is returned once, %s', (_way, events) => {
    const parts = read(...events)
    expect(partsOf(parts)).toEqual([...expected])
    const isEnded = events.some(({ type }) => type === 'response.output_item.done')
    expect(parts.filter(({ type }) => type === 'tool-call-end')).toHaveLength(isEnded ? 1 : 0)
  })

  it('ends with the complete response where its own end never came', () => {
    const output = [{ ...call, status: 'completed' }]
    const parts = read(started, { ...completed, response: { ...completed.response, output } })
    expect(partsOf(parts)).toEqual([...expected])
    expect(parts.filter(({ type }) => type === 'tool-call-end')).toHaveLength(1)
  })

  it('that the limit cut has no end', () => {
    const cut = { ...call, status: 'incomplete', arguments: '{"at' }
    const limited = { type: 'response.incomplete', response: { status: 'incomplete' } }
    expect(read(started, done(cut), limited).filter(({ type }) => type === 'tool-call-end')).toEqual([])
  })

  it('among others that come in turns keeps its own arguments', () => {
    const piece = (output_index: number, text: string) => ({ ...delta, output_index, delta: text })
    const second = { ...call, call_id: 'call_10', arguments: '' }
    const parts = read(
      started,
      added(second, 1),
      piece(1, '{"b"'),
      piece(0, '{"a"'),
      piece(1, ':2}'),
      piece(0, ':1}'),
    )
    expect(partsOf(parts)).toMatchObject([{ arguments: '{"a":1}' }, { id: 'call_10', arguments: '{"b":2}' }])
  })

  it('of a custom tool holds its text as JSON', () => {
    const item = { type: 'custom_tool_call', call_id: 'c', name: 'sql', input: 'SELECT "a"' }
    const piece = { type: 'response.custom_tool_call_input.delta', output_index: 0, delta: 'SELECT "a"' }
    const inputDone = { type: 'response.custom_tool_call_input.done', input: item.input }
    for (const events of [
      [added({ ...item, input: '' }), piece, { ...piece, ...inputDone }],
      [added({ ...item, input: '' }), piece, done(item)],
      [done(item)],
    ])
      expect(partsOf(read(...events))).toEqual([
        { type: 'tool-call', id: 'c', name: 'sql', arguments: '{"input":"SELECT \\"a\\""}' },
      ])
  })

  it.each([
    ['the bytes end', []],
    ['a complete response knows nothing of it', [completed]],
    ['the limit cuts it', [{ type: 'response.incomplete', response: { status: 'incomplete' } }]],
  ])('of a custom tool holds no JSON where %s', (_case, ending) => {
    const item = added({ type: 'custom_tool_call', call_id: 'c', name: 'sh', input: '' })
    const piece = { type: 'response.custom_tool_call_input.delta', output_index: 0, delta: 'rm -rf /srv' }
    expect(partsOf(read(item, piece, ...ending))).toMatchObject([{ arguments: '{"input":"rm -rf /srv"' }])
  })
})

describe('thoughts', () => {
  const piece = (summary_index: number, delta: string) => ({
    type: 'response.reasoning_summary_text.delta',
    output_index: 0,
    summary_index,
    delta,
  })
  const item = {
    type: 'reasoning',
    summary: [
      { type: 'summary_text', text: 'First.' },
      { type: 'summary_text', text: 'Second.' },
    ],
    encrypted_content: 'gAAAA',
  }
  const expected = {
    type: 'reasoning',
    text: 'First.\n\nSecond.',
    encrypted: { vendor: 'openai', value: 'gAAAA' },
  } as const

  it('come with their proof, in pieces and whole', () => {
    const inPieces = [
      added({ type: 'reasoning' }),
      piece(0, 'Fir'),
      piece(0, 'st.'),
      piece(1, 'Second.'),
      done(item),
    ]
    expect(partsOf(read(...inPieces))).toEqual([expected])
    expect(partsOf(read(done(item)))).toEqual([expected])
  })

  it('and its summary are emitted once', () => {
    const visible = { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'Hm.' }
    const parts = read(
      visible,
      piece(0, 'Short.'),
      done({ ...item, content: [{ type: 'reasoning_text', text: 'Hm.' }] }),
    )
    expect(partsOf(parts)).toMatchObject([{ text: 'Hm.' }])
  })

  it('of two items stay apart', () => {
    const plain = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'A.' }] }
    expect(partsOf(read(done(plain), done(plain, 1)))).toEqual([{ type: 'reasoning', text: 'A.\n\nA.' }])
  })

  it('that another gateway marked give the signatures back to their texts and calls', () => {
    const signature = { vendor: 'gemini', value: 'Ci' } as const
    const marked = (kind: 'text' | 'tool-call') =>
      ({ type: 'reasoning', summary: [], encrypted_content: wrapSignature(kind, signature) }) as const
    const parts = read(
      done(message('Hi')),
      done(marked('text'), 1),
      done(marked('tool-call'), 2),
      done(call, 3),
    )
    expect(partsOf(parts)).toMatchObject([
      { type: 'text', signature },
      { type: 'tool-call', signature },
    ])
  })
})

describe('a response', () => {
  it('begins with its id, model and time, once', () => {
    const parts = read(created, { ...created, type: 'response.in_progress' }, completed)
    expect(parts.filter(({ type }) => type === 'start')).toEqual([
      { type: 'start', id: 'resp_1', model: 'gpt-5.6-luna', createdAt: 7 },
    ])
  })

  it('holds images that were made, and nothing of the vendor’s other tools', () => {
    const image = {
      type: 'image_generation_call',
      status: 'completed',
      output_format: 'webp',
      result: 'UklG',
    }
    const body = {
      status: 'completed',
      output: [{ type: 'web_search_call', status: 'completed' }, image],
      usage,
    }
    const reading = decodeResponse(body)
    expect(reading.ok && reading.response.candidates[0]?.parts).toEqual([
      { type: 'media', kind: 'image', source: { type: 'base64', mediaType: 'image/webp', data: 'UklG' } },
    ])
  })

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['a reason of tomorrow', 'length'],
  ] as const)('that is incomplete for %s ends so', (reason, stop) => {
    const body = { status: 'incomplete', incomplete_details: { reason }, output: [message('Hi')], usage }
    const reading = decodeResponse(body)
    expect(reading.ok && reading.response.candidates[0]?.stop).toEqual({ reason: stop })
    const parts = read({ type: 'response.incomplete', response: body })
    expect(collectResponse(parts).candidates[0]?.stop).toEqual({ reason: stop })
  })

  const failures: readonly JsonObject[] = [
    { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down', param: null },
    { type: 'error', error: { type: 'x', code: 'rate_limit_exceeded', message: 'Slow down' } },
    {
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Slow down' } },
    },
  ]
  it.each(failures.map((failure) => [failure]))(
    'that fails is an error, and nothing behind it is read: %j',
    (failure) => {
      const parts = read(created, failure, completed)
      expect(parts.at(-1)).toMatchObject({
        type: 'error',
        error: { kind: 'rate_limited', message: 'Slow down' },
      })
      expect(decodeResponse(failure.response ?? failure)).toMatchObject({
        ok: false,
        error: { kind: 'rate_limited', message: 'Slow down' },
      })
    },
  )

  it('that is none is a failure', () => {
    for (const body of [
      undefined,
      null,
      'text',
      [],
      {},
      { output: 'x' },
      { status: 'cancelled', output: [] },
    ])
      expect(decodeResponse(body).ok).toBe(false)
  })
})

describe('whatever the frames hold', () => {
  const types = [
    'response.created',
    'response.output_item.added',
    'response.output_item.done',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_text.annotation.added',
    'response.reasoning_summary_text.delta',
    'response.reasoning_text.done',
    'response.function_call_arguments.delta',
    'response.custom_tool_call_input.done',
    'response.completed',
    'error',
    'constructor',
  ]
  const item = fc.oneof(
    fc.jsonValue(),
    fc.record({
      type: fc.constantFrom(
        'message',
        'reasoning',
        'function_call',
        'custom_tool_call',
        'image_generation_call',
      ),
      name: fc.jsonValue(),
      content: fc.jsonValue(),
      arguments: fc.jsonValue(),
      summary: fc.jsonValue(),
    }),
  )
  const event = fc.record(
    {
      type: fc.constantFrom(...types),
      output_index: fc.oneof(fc.nat(3), fc.jsonValue()),
      content_index: fc.jsonValue(),
      delta: fc.jsonValue(),
      text: fc.jsonValue(),
      part: fc.jsonValue(),
      annotation: fc.jsonValue(),
      item,
      response: fc.oneof(fc.jsonValue(), fc.record({ output: fc.array(item), usage: fc.jsonValue() })),
    },
    { requiredKeys: ['type'] },
  )

  it('nothing is thrown but that they cannot be read', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(event, fc.jsonValue())), fc.string(), (events, noise) => {
        const state = decodeStream.start()
        for (const data of [noise, ...events.map((each) => JSON.stringify(each))])
          readableStep(decodeStream, state, { event: '', data })
        decodeStream.finish(state)
      }),
      { numRuns: 500 },
    )
    fc.assert(fc.property(fc.jsonValue(), (body) => void decodeResponse(body)))
  })
})
