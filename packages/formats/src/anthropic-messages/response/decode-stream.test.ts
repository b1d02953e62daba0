import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { Frame } from '../../canonical/codec.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { collectResponse } from '../../streams/collect-response.ts'
import { readableStep } from '../../test-support/readable-step.ts'
import { promptTokensOf, usageOf } from '../../usage.ts'
import { anthropicMessages } from '../codec.ts'

const candidate = 0

const frameOf = (event: Record<string, unknown>): Frame => ({
  event: String(event.type),
  data: JSON.stringify(event),
})

function decode(frames: readonly Frame[]): readonly ChatPart[] {
  const { decodeStream } = anthropicMessages
  const state = decodeStream.start()
  return [
    ...frames.flatMap((frame) => readableStep(decodeStream, state, frame)),
    ...decodeStream.finish(state),
  ]
}

const start = {
  type: 'message_start',
  message: {
    id: 'msg_01B',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [],
    stop_reason: null,
    usage: {
      input_tokens: 12,
      cache_creation_input_tokens: 7,
      cache_read_input_tokens: 2,
      cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 },
      output_tokens: 1,
    },
  },
}
const blockStart = (index: number, content_block: unknown) => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, value: unknown) => ({ type: 'content_block_delta', index, delta: value })
const blockStop = (index: number) => ({ type: 'content_block_stop', index })

describe('decodeStream', () => {
  const events = [
    start,
    blockStart(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'Short plan.' }),
    delta(0, { type: 'signature_delta', signature: 'c2ln' }),
    blockStop(0),
    blockStart(1, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
    delta(1, { type: 'input_json_delta', partial_json: '{"query":"x"}' }),
    blockStop(1),
    blockStart(2, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }),
    blockStop(2),
    blockStart(3, { type: 'text', text: '' }),
    { type: 'ping' },
    delta(3, { type: 'text_delta', text: 'Hello' }),
    delta(3, {
      type: 'citations_delta',
      citation: { type: 'web_search_result_location', url: 'https://a.example', title: 'A', cited_text: 'q' },
    }),
    blockStop(3),
    blockStart(4, { type: 'tool_use', id: 'toolu_01', name: 'f', input: {} }),
    delta(4, { type: 'input_json_delta', partial_json: '' }),
    delta(4, { type: 'input_json_delta', partial_json: '{"city":' }),
    delta(4, { type: 'input_json_delta', partial_json: '"Oslo"}' }),
    blockStop(4),
    blockStart(5, { type: 'tool_use', id: 'toolu_02', name: 'g', input: {} }),
    blockStop(5),
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { input_tokens: 0, output_tokens: 30, output_tokens_details: { thinking_tokens: 4 } },
    },
    { type: 'message_stop' },
  ]
  const usage = usageOf({
    inputTokens: 12,
    cacheReadTokens: 2,
    cacheWriteTokens: 3,
    cacheWrite1hTokens: 4,
    outputTokens: 30,
    reasoningTokens: 4,
  })

  it.each([
    [{ ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 7 }, 0, 700],
    [{ ephemeral_5m_input_tokens: 7, ephemeral_1h_input_tokens: 0 }, 700, 0],
    [{ ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 }, 300, 400],
    [undefined, 700, 0],
  ])(
    'counts what a loop of tools writes to the cache behind its split %j as it is split',
    (split, short, long) => {
      const { message } = start
      const first = { ...message, usage: { ...message.usage, cache_creation: split } }
      const last = {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { cache_creation_input_tokens: 700, output_tokens: 9 },
      }
      const counted = decode(
        [{ ...start, message: first }, last, { type: 'message_stop' }].map(frameOf),
      ).findLast((part) => part.type === 'usage')
      expect(counted?.usage).toMatchObject({ cacheWriteTokens: short, cacheWrite1hTokens: long })
    },
  )

  it('returns the parts of every event in order, with the figures of start and end in one count', () => {
    const open = { type: 'open', candidate } as const
    expect(decode(events.map(frameOf))).toEqual([
      { type: 'start', id: 'msg_01B', model: 'claude-x', createdAt: 0 },
      open,
      { type: 'usage', usage: { ...usage, outputTokens: 1, reasoningTokens: 0 } },
      open,
      { type: 'reasoning-delta', candidate, text: 'Short plan.' },
      { type: 'reasoning-signature', candidate, signature: { vendor: 'anthropic', value: 'c2ln' } },
      open,
      { type: 'tool-ran', kind: 'web_search' },
      open,
      open,
      { type: 'text-delta', candidate, text: 'Hello' },
      { type: 'citation', candidate, citation: { url: 'https://a.example', title: 'A', text: 'q' } },
      { type: 'tool-call-start', candidate, call: 0, id: 'toolu_01', name: 'f' },
      { type: 'tool-call-delta', candidate, call: 0, arguments: '{"city":' },
      { type: 'tool-call-delta', candidate, call: 0, arguments: '"Oslo"}' },
      { type: 'tool-call-end', candidate, call: 0 },
      { type: 'tool-call-start', candidate, call: 1, id: 'toolu_02', name: 'g' },
      { type: 'tool-call-end', candidate, call: 1 },
      { type: 'stop', candidate, stop: { reason: 'tool-calls' } },
      {
        type: 'usage',
        usage: {
          ...usage,
          maxRoundPromptTokens: Math.ceil(promptTokensOf(usage) / 2),
          toolCalls: { web_search: 1 },
        },
      },
      { type: 'end' },
    ])
  })

  it('knows events by their type where the framing has no names', () => {
    const unnamed = events.map((event) => ({ event: '', data: JSON.stringify(event) }))
    expect(decode(unnamed)).toEqual(decode(events.map(frameOf)))
  })

  it('ends nothing that was open when the bytes ended', () => {
    const parts = decode(events.slice(0, 17).map(frameOf))
    expect(parts.at(-1)).toMatchObject({ type: 'tool-call-start', call: 0 })
    expect(parts.some(({ type }) => type === 'end' || type === 'stop')).toBe(false)
  })

  it('marks an end inside of a block, for which there is no reason', () => {
    const stop = { type: 'message_stop' }
    const open = [start, blockStart(0, { type: 'text', text: 'Hi' })]
    const ended = { type: 'content_block_stop', index: 0 }
    const reason = { type: 'message_delta', delta: { stop_reason: 'end_turn' } }
    expect(decode([...open, stop].map(frameOf)).at(-1)).toEqual({ type: 'end', isEarly: true })
    for (const more of [ended, reason])
      expect(decode([...open, more, stop].map(frameOf)).at(-1)).toEqual({ type: 'end' })
  })

  it('takes an error for the end of everything', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const after = delta(0, { type: 'text_delta', text: 'late' })
    expect(decode([start, error, after].map(frameOf)).slice(-1)).toMatchObject([
      { type: 'error', error: { kind: 'overloaded', status: 503, message: 'Overloaded' } },
    ])
    expect(decode([{ event: 'error', data: 'gone' }])).toMatchObject([{ type: 'error' }])
  })

  it('reads the call of the JSON tool as the response text', () => {
    const forced = [
      start,
      blockStart(0, { type: 'tool_use', id: 'toolu_1', name: 'tollgate_json_answer', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"a":1}' }),
      blockStop(0),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ]
    expect(collectResponse(decode(forced.map(frameOf))).candidates[0]).toMatchObject({
      parts: [{ type: 'text', text: '{"a":1}' }],
      stop: { reason: 'stop' },
    })
  })

  it('throws nothing but that a frame cannot be read', () => {
    const type = fc.constantFrom(...events.map((event) => event.type), 'error', '__proto__')
    const inner = fc.constantFrom(
      'text',
      'tool_use',
      'text_delta',
      'input_json_delta',
      'redacted_thinking',
      '__proto__',
    )
    const object = fc.dictionary(
      fc.constantFrom('text', 'index', 'input', 'usage', 'citation', 'signature'),
      fc.jsonValue(),
    )
    const event = fc.tuple(type, inner, object, object).map(([name, kind, a, b]) => ({
      ...a,
      type: name,
      delta: { ...b, type: kind },
      content_block: { ...b, type: kind },
    }))
    const data = fc.oneof(
      event.map((value) => JSON.stringify(value)),
      fc.json(),
      fc.string(),
    )
    fc.assert(
      fc.property(
        fc.array(fc.record({ event: fc.constantFrom('', 'message_start', 'ping'), data })),
        (frames) => {
          decode(frames)
        },
      ),
    )
  })
})
