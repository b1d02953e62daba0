import { describe, expect, it } from 'bun:test'
import type { ChatCodec } from './canonical/codec.ts'
import { chatCodecs } from './codecs.ts'
import { decodeErrorBody } from './errors/decode-error.ts'
import { SseScanner } from './framing/index.ts'
import { decodeUtf8, encodeUtf8 } from './json/utf8.ts'
import { OpenAiStreamReader } from './openai-chat/response/stream.ts'
import { RealtimeMeter } from './openai-realtime/meter.ts'
import { readResponse, translateResponse } from './streams/response-body.ts'
import type { StreamReader } from './streams/stream-reader.ts'
import { ResponseStream } from './translation/response-stream.ts'

type Format = keyof typeof chatCodecs
type Event = Readonly<Record<string, unknown>>

const formats = Object.keys(chatCodecs) as Format[]
const call = { model: 'm', responseId: 'a', createdAt: 1, includeUsage: true, estimatedInputTokens: 1 }

/** A stream of each format that says `Hi`, and is counted. */
const streams: Readonly<Record<Format, readonly Event[]>> = {
  'openai-chat': [
    { id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' } }] },
    { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { id: 'c', choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } },
  ],
  'openai-responses': [
    { type: 'response.created', response: { id: 'r' } },
    { type: 'response.output_text.delta', output_index: 1, delta: 'Hi' },
    {
      type: 'response.completed',
      response: { id: 'r', status: 'completed', usage: { input_tokens: 7, output_tokens: 3 } },
    },
  ],
  'anthropic-messages': [
    { type: 'message_start', message: { id: 'm', usage: { input_tokens: 7, output_tokens: 1 } } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ],
  gemini: [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] } }] },
    {
      candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3 },
    },
  ],
}

/** Events that vendors send, or may send any week, and that nobody but the caller reads. */
const odd: Readonly<Record<Format, readonly Event[]>> = {
  'openai-chat': [
    { type: 'x_future', choices: [] },
    { choices: 'none' },
    { choices: [{ delta: 'text' }] },
    { choices: [{ delta: { content: { text: 'x' } }, logprobs: { content: 'odd' } }] },
    { choices: [{ delta: { tool_calls: [{ type: 'x_call', x_call: {} }], reasoning_content: [] } }] },
    { choices: [7, null], usage: 'soon' },
  ],
  'openai-responses': [
    { type: 'response.shell_call_output_content.delta', output_index: 0, delta: { stdout: 'a', stderr: '' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'x_call', error: { code: 1 } } },
    { type: 'response.output_item.done', item: 'x' },
    { type: 'response.x_call.failed', output_index: 0, error: { code: 'odd' } },
    { type: 'response.output_text.delta', output_index: 1, delta: { text: 'x' } },
    { type: 'response.output_text.delta', delta: '', logprobs: 'odd' },
    { type: 'response.content_part.done', output_index: 1, part: ['x'] },
    { type: 'response.future', response: 'r', item: 7, part: 7, delta: 7 },
  ],
  'anthropic-messages': [
    { type: 'content_block_start', index: 0, content_block: { type: 'x_result', content: { a: 1 } } },
    { type: 'content_block_delta', index: 0, delta: { type: 'x_delta', text: { a: 1 }, thinking: 7 } },
    { type: 'content_block_delta', delta: { type: 'text_delta', text: { a: 1 } } },
    { type: 'content_block_delta', index: 0, delta: 'x' },
    { type: 'content_block_stop' },
    { type: 'x_future', delta: 'x', message: 7, error: { code: 1 } },
  ],
  gemini: [
    { futureField: { x: [1] } },
    { candidates: 'x' },
    { candidates: [{ content: 'x' }] },
    { candidates: [{ content: { parts: [{ text: { a: 1 } }, 'x', { toolCall: { id: 1 } }] } }] },
    { candidates: [{ content: { parts: [{ functionCall: { name: 7, args: 'x', partialArgs: 'y' } }] } }] },
    { candidates: [{ content: { parts: [{ functionCall: { partialArgs: [7], willContinue: true } }] } }] },
    {
      candidates: [{ logprobsResult: { topCandidates: 'x', chosenCandidates: [7] }, groundingMetadata: 'x' }],
    },
  ],
}

const textOf = (event: Event) => `data: ${JSON.stringify(event)}\n\n`

function streamReader(from: Format, encode: 'as-received' | 'as-events' | Format): StreamReader {
  const options = {
    scanner: new SseScanner(9999),
    decoder: chatCodecs[from] as ChatCodec,
    maxFrameBytes: 9999,
  }
  const translated = encode !== 'as-received' && encode !== 'as-events'
  if (from === 'openai-chat' && encode === 'as-received')
    return new OpenAiStreamReader({ includeUsage: true, maxFrameBytes: 9999, decodeError: decodeErrorBody })
  return new ResponseStream({ ...options, encode: translated ? { codec: chatCodecs[encode], call } : encode })
}

function pass(reader: StreamReader, events: readonly Event[], end: string) {
  const steps = [...events.map(textOf), end].map((text) => reader.push(encodeUtf8(text)))
  steps.push(reader.end())
  const text = steps.flatMap(({ forward }) => forward.map(decodeUtf8)).join('')
  return { text, error: steps.at(-1)?.error, outcome: reader.outcome, usage: reader.usage }
}

const endOf = (format: Format) => (format === 'openai-chat' ? 'data: [DONE]\n\n' : '')

describe.each(formats)('a stream of %s for a caller of the same format', (format) => {
  const [first = {}, ...others] = streams[format]

  it.each(odd[format].map((event) => [JSON.stringify(event), event] as const))('passes %s', (_, event) => {
    const events = [first, event, ...others]
    for (const encode of ['as-received', 'as-events'] as const) {
      const { text, error, outcome, usage } = pass(streamReader(format, encode), events, endOf(format))
      expect(error).toBeUndefined()
      expect(outcome).toBe('complete')
      expect(text).toContain(JSON.stringify(event))
      expect(usage).toMatchObject({ inputTokens: 7, outputTokens: 3 })
    }
  })
})

/** Responses with something that has no form in any other format, and its name. */
const unknown: Readonly<Record<Format, readonly [Event, readonly Event[], string]>> = {
  'openai-chat': [
    {
      id: 'c',
      choices: [
        {
          message: {
            content: [
              { type: 'x_part', x: 1 },
              { type: 'text', text: 'Hi' },
            ],
          },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 7, completion_tokens: 3 },
    },
    [{ choices: [{ delta: { content: [{ type: 'x_part', x: 1 }] } }] }],
    'choices[0].message.content[0] (x_part)',
  ],
  'openai-responses': [
    {
      id: 'r',
      status: 'completed',
      output: [{ type: 'x_call' }, { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }],
      usage: { input_tokens: 7, output_tokens: 3 },
    },
    [{ type: 'response.output_item.added', output_index: 0, item: { type: 'x_call', delta: {} } }],
    'output[0] (x_call)',
  ],
  'anthropic-messages': [
    {
      id: 'm',
      type: 'message',
      content: [
        { type: 'x_block', data: {} },
        { type: 'text', text: 'Hi' },
      ],
      stop_reason: 'end_turn',
      usage: { input_tokens: 7, output_tokens: 3 },
    },
    [
      { type: 'content_block_start', index: 0, content_block: { type: 'x_block' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'x_delta', text: {} } },
    ],
    'content[0] (x_block)',
  ],
  gemini: [
    {
      candidates: [{ content: { parts: [{ toolCall: { id: 1 } }, { text: 'Hi' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3 },
    },
    [{ candidates: [{ content: { parts: [{ toolCall: { id: 1 } }] } }] }],
    'candidates[0].content.parts[0] (toolCall)',
  ],
}

const pairs = formats.flatMap((from) => formats.filter((to) => to !== from).map((to) => [from, to] as const))

describe.each(pairs)('something of %s that %s has no form for', (from, to) => {
  const [body, events, name] = unknown[from]
  const [first = {}, ...others] = streams[from]

  it('is named in a stream, which goes on', () => {
    const reader = streamReader(from, to)
    const { text, error, outcome, usage } = pass(reader, [first, ...events, ...others], endOf(from))
    expect({ error, outcome, leftOut: reader.leftOut }).toEqual({
      error: undefined,
      outcome: 'complete',
      leftOut: [name],
    })
    expect(text).toContain('Hi')
    expect(usage).toMatchObject({ inputTokens: 7, outputTokens: 3 })
  })

  it('is named in a buffered response', () => {
    const decoder: ChatCodec = chatCodecs[from]
    const read = translateResponse(JSON.stringify(body), decoder, chatCodecs[to], call)
    if (!read.ok) throw new Error(read.error.message)
    expect(read.leftOut).toEqual([name])
    expect(read.encode(read.usage)).toContain('Hi')
    expect(readResponse(JSON.stringify(body), decoder)).toMatchObject({ ok: true, usage: { inputTokens: 7 } })
  })
})

describe('a session', () => {
  const types = [
    'response.output_text.delta',
    'response.output_audio.delta',
    'response.function_call_arguments.delta',
    'conversation.item.input_audio_transcription.completed',
    'session.updated',
    'x.future',
  ]
  it.each(types)('takes %s with members of any type, and counts what follows', (type) => {
    const meter = new RealtimeMeter()
    for (const odd of [7, null, ['x'], { a: { b: 1 } }])
      meter.received(JSON.stringify({ type, delta: odd, session: odd, usage: odd, item: odd, response: odd }))
    meter.received('{"type":"response.done","response":{"usage":{"input_tokens":7,"output_tokens":3}}}')
    expect(meter.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 })
  })
})
