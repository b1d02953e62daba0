import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { EncodeContext, Frame, TextFrame } from '../../canonical/codec.ts'
import type { Signature } from '../../canonical/request.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { collectResponse } from '../../streams/collect-response.ts'
import { type Usage, usageOf } from '../../usage.ts'
import { anthropicMessages } from '../codec.ts'

const call: EncodeContext = {
  model: 'asked',
  responseId: 'msg_made',
  createdAt: 7,
  includeUsage: false,
  estimatedInputTokens: 3,
}

const candidate = 0
const charged = usageOf({ inputTokens: 12, cacheReadTokens: 2, outputTokens: 30 })

function decode(frames: readonly Frame[]): readonly ChatPart[] {
  const { decodeStream } = anthropicMessages
  const state = decodeStream.start()
  return [...frames.flatMap((frame) => decodeStream.step(state, frame)), ...decodeStream.finish(state)]
}

function encode(parts: readonly ChatPart[], usage: Usage = charged): readonly TextFrame[] {
  const { encodeStream } = anthropicMessages
  const state = encodeStream.start(call)
  return [...parts.flatMap((part) => encodeStream.step(state, part)), ...encodeStream.finish(state, usage)]
}

const eventsOf = (frames: readonly TextFrame[]) => frames.map(({ data }) => JSON.parse(data))
const decodable = (frames: readonly TextFrame[]): Frame[] =>
  frames.map(({ event = '', data }) => ({ event, data }))

const blockStart = (index: number, content_block: unknown) => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, value: unknown) => ({ type: 'content_block_delta', index, delta: value })
const blockStop = (index: number) => ({ type: 'content_block_stop', index })

/** Block indexes grow by one, one block is open at a time, and the frame around them is whole. */
function expectStrictOrder(frames: readonly TextFrame[]): void {
  const events = eventsOf(frames)
  for (const [position, frame] of frames.entries()) expect(frame.event).toBe(events[position].type)
  expect(events[0].type).toBe('message_start')
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop'])
  let index = 0
  let isOpen = false
  for (const event of events.slice(1, -2)) {
    expect(event.index).toBe(index)
    expect(event.type === 'content_block_start').toBe(!isOpen)
    isOpen = event.type !== 'content_block_stop'
    if (!isOpen) index++
  }
  expect(isOpen).toBe(false)
}

describe('encodeStream', () => {
  const toolStart = (number: number) =>
    ({ type: 'tool-call-start', candidate, call: number, id: `id${number}`, name: `f${number}` }) as const
  const toolDelta = (number: number, json: string) =>
    ({ type: 'tool-call-delta', candidate, call: number, arguments: json }) as const
  const toolEnd = (number: number) => ({ type: 'tool-call-end', candidate, call: number }) as const
  const text = (value: string) => ({ type: 'text-delta', candidate, text: value }) as const

  it('writes the events of a response with our estimate first and the charged usage last', () => {
    const frames = encode([
      { type: 'start', id: 'msg_up', model: 'upstream-model', createdAt: 0 },
      { type: 'open', candidate },
      { type: 'reasoning-delta', candidate, text: 'hm' },
      { type: 'reasoning-signature', candidate, signature: { vendor: 'anthropic', value: 's' } },
      text('Hi'),
      toolStart(0),
      toolDelta(0, '{"a":1}'),
      toolEnd(0),
      { type: 'stop', candidate, stop: { reason: 'tool-calls' } },
      { type: 'usage', usage: usageOf({ inputTokens: 1, outputTokens: 1 }) },
      { type: 'end' },
    ])
    const zero = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 }
    const counts = {
      cache_creation_input_tokens: 0,
      cache_creation: zero,
      output_tokens_details: { thinking_tokens: 0 },
      server_tool_use: null,
      service_tier: null,
      speed: null,
      inference_geo: null,
    }
    expect(eventsOf(frames)).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'msg_up',
          type: 'message',
          role: 'assistant',
          model: 'asked',
          container: null,
          diagnostics: null,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          stop_details: null,
          usage: { input_tokens: 3, cache_read_input_tokens: 0, output_tokens: 0, ...counts },
        },
      },
      blockStart(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'hm' }),
      delta(0, { type: 'signature_delta', signature: 's' }),
      blockStop(0),
      blockStart(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'Hi' }),
      blockStop(1),
      blockStart(2, { type: 'tool_use', id: 'id0', name: 'f0', input: {}, caller: { type: 'direct' } }),
      delta(2, { type: 'input_json_delta', partial_json: '{"a":1}' }),
      blockStop(2),
      {
        type: 'message_delta',
        delta: { container: null, stop_reason: 'tool_use', stop_sequence: null, stop_details: null },
        usage: { input_tokens: 12, cache_read_input_tokens: 2, output_tokens: 30, ...counts },
      },
      { type: 'message_stop' },
    ])
  })

  it('writes what comes first at once, and buffers the other calls until it has ended', () => {
    const { encodeStream } = anthropicMessages
    const state = encodeStream.start(call)
    const step = (part: ChatPart) =>
      eventsOf(encodeStream.step(state, part)).map(({ type, index }) => `${type} ${index}`)
    expect(step(toolStart(0))).toEqual(['message_start undefined', 'content_block_start 0'])
    expect(step(toolDelta(0, '{'))).toEqual(['content_block_delta 0'])
    expect(step(toolStart(1))).toEqual([])
    expect(step(toolDelta(1, '{}'))).toEqual([])
    expect(step(toolDelta(0, '}'))).toEqual(['content_block_delta 0'])
    expect(step(toolEnd(1))).toEqual([])
    expect(step(toolEnd(0))).toEqual([
      'content_block_stop 0',
      'content_block_start 1',
      'content_block_delta 1',
      'content_block_stop 1',
    ])
  })

  it('ends with an error when more waits than is kept', () => {
    const { encodeStream } = anthropicMessages
    const state = encodeStream.start(call)
    const piece = 'x'.repeat(1024 * 1024)
    const parts = [toolStart(0), toolStart(1), ...Array.from({ length: 6 }, () => toolDelta(1, piece))]
    const frames = parts.flatMap((part) => encodeStream.step(state, part))
    expect(frames.map(({ event }) => event)).toEqual(['message_start', 'content_block_start', 'error'])
    expect(encodeStream.finish(state, charged)).toEqual([])
  })

  it('writes a refusal and an empty response, and leaves other candidates out', () => {
    const refusal = encode([
      { type: 'refusal-delta', candidate, text: 'No.' },
      { type: 'stop', candidate, stop: { reason: 'stop' } },
      { type: 'text-delta', candidate: 1, text: 'other' },
    ])
    expect(collectResponse(decode(decodable(refusal))).candidates[0]).toMatchObject({
      parts: [{ type: 'text', text: 'No.' }],
      stop: { reason: 'refused' },
    })
    expect(eventsOf(encode([])).map(({ type }) => type)).toEqual([
      'message_start',
      'message_delta',
      'message_stop',
    ])
  })

  it('writes nothing behind the last text: no signature of the text and no reasoning', () => {
    const foreignProof = { vendor: 'gemini', value: 's' } as const
    const behind: readonly ChatPart[] = [
      { type: 'text-signature', candidate, signature: foreignProof },
      { type: 'reasoning-encrypted', candidate, encrypted: { vendor: 'openai', value: 'o' } },
      { type: 'reasoning-signature', candidate, signature: foreignProof },
      { type: 'reasoning-delta', candidate, text: 'So it is.' },
    ]
    const stop: ChatPart = { type: 'stop', candidate, stop: { reason: 'stop' } }
    const kinds = (parts: readonly ChatPart[]) => {
      const frames = encode(parts)
      expectStrictOrder(frames)
      return eventsOf(frames).flatMap(({ content_block: block }) => block?.type ?? [])
    }
    const done = text('Done.')
    for (const part of behind) expect(kinds([done, part, stop])).toEqual(['text'])
    expect(kinds([done, ...behind, stop])).toEqual(['text'])
    const reasoning = ['redacted_thinking', 'thinking', 'thinking']
    expect(kinds([done, ...behind, done, stop])).toEqual(['text', ...reasoning, 'text'])
    expect(kinds([done, ...behind, toolStart(0), toolEnd(0), stop])).toEqual([
      'text',
      ...reasoning,
      'tool_use',
    ])
    expect(kinds([...behind, stop])).toEqual(reasoning)
  })

  const word = fc.stringMatching(/^[a-z.]{1,8}$/)
  const foreign = fc.record({ vendor: fc.constantFrom('gemini' as const, 'openai' as const), value: word })
  const own = fc.record({ vendor: fc.constant('anthropic' as const), value: word })
  const signature: fc.Arbitrary<Signature> = fc.oneof(own, foreign)
  const callNumber = fc.nat(3)
  /** Starts and ends of calls are put right afterwards. */
  const part: fc.Arbitrary<ChatPart> = fc.oneof(
    fc.constant<ChatPart>({ type: 'open', candidate }),
    word.map((value): ChatPart => ({ type: 'text-delta', candidate, text: value })),
    word.map((value): ChatPart => ({ type: 'reasoning-delta', candidate, text: value })),
    signature.map((value): ChatPart => ({ type: 'reasoning-signature', candidate, signature: value })),
    signature.map((encrypted): ChatPart => ({ type: 'reasoning-encrypted', candidate, encrypted })),
    fc.record({
      type: fc.constant('tool-call-delta' as const),
      candidate: fc.constant(0),
      call: callNumber,
      arguments: word,
    }),
    fc.record({ type: fc.constant('tool-call-end' as const), candidate: fc.constant(0), call: callNumber }),
  )

  /** A sequence that a decoder could tell: calls start before they go on, and nothing comes behind their end. */
  function sane(parts: readonly ChatPart[], signed: Signature | undefined): readonly ChatPart[] {
    const started = new Set<number>()
    const ended = new Set<number>()
    const saneCall = (item: Extract<ChatPart, { readonly type: 'tool-call-delta' | 'tool-call-end' }>) => {
      const isFirst = !started.has(item.call)
      if (ended.has(item.call) || (isFirst && item.type === 'tool-call-end')) return []
      started.add(item.call)
      if (item.type === 'tool-call-end') ended.add(item.call)
      return isFirst ? [{ ...toolStart(item.call), ...(signed && { signature: signed }) }, item] : [item]
    }
    const stated = parts.flatMap((item): readonly ChatPart[] =>
      item.type === 'tool-call-delta' || item.type === 'tool-call-end' ? saneCall(item) : [item],
    )
    return [...stated, ...[...started].filter((number) => !ended.has(number)).map(toolEnd)]
  }

  it('keeps strict order and gives back the same answer for any sequence of parts', () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 40 }),
        fc.option(foreign, { nil: undefined }),
        (generated, signed) => {
          // A last text: reasoning behind a text is left out.
          const parts = [...sane(generated, signed), text('end')]
          const stop: ChatPart = { type: 'stop', candidate, stop: { reason: 'length' } }
          const frames = encode([...parts, stop])
          expectStrictOrder(frames)
          const { candidates, usage } = collectResponse(decode(decodable(frames)))
          expect(candidates).toEqual([...collectResponse([...parts, stop]).candidates])
          expect(usage).toEqual(charged)
        },
      ),
      { numRuns: 300 },
    )
  })
})
