import { describe, expect, it } from 'bun:test'
import type { ChatCodec } from './canonical/codec.ts'
import { chatCodecs } from './codecs.ts'
import { SseScanner } from './framing/index.ts'
import { encodeUtf8 } from './json/utf8.ts'
import { ResponseStream } from './translation/response-stream.ts'

const call = { model: 'm', responseId: 'a', createdAt: 1, includeUsage: true, estimatedInputTokens: 1 }

/** One stream of each format, in which `Hello` and ` world` come as an event each. */
const streams: Readonly<Record<keyof typeof chatCodecs, readonly string[]>> = {
  'openai-chat': [
    'data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}',
    'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"}}]}',
    'data: {"id":"c","choices":[{"index":0,"delta":{"content":" world"}}]}',
    'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
    'data: [DONE]',
  ],
  'openai-responses': [
    'event: response.created\ndata: {"type":"response.created","response":{"id":"r"}}',
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","output_index":0,"delta":"Hello"}',
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","output_index":0,"delta":" world"}',
    'event: response.completed\ndata: {"type":"response.completed","response":{"id":"r","status":"completed"}}',
  ],
  'anthropic-messages': [
    'event: message_start\ndata: {"type":"message_start","message":{"id":"m"}}',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" world"}}',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}',
    'event: message_stop\ndata: {"type":"message_stop"}',
  ],
  gemini: [
    'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Hello"}]}}]}',
    'data: {"candidates":[{"content":{"role":"model","parts":[{"text":" world"}]}}]}',
    'data: {"candidates":[{"content":{"role":"model","parts":[{"text":""}]},"finishReason":"STOP"}]}',
  ],
}

const garbage: readonly (readonly [string, (event: string) => string])[] = [
  ['text that is no JSON', (event) => event.replace(/data: .*$/, 'data: <html>')],
  ['half an event', (event) => event.slice(0, -8)],
  ['a number', (event) => event.replace(/data: .*$/, 'data: 7')],
  ['a text that is a number', (event) => event.replace('" world"', '7')],
  ['a text that is an object', (event) => event.replace('" world"', '{"text":" world"}')],
]

function read(format: keyof typeof chatCodecs, events: readonly string[], encoder: ChatCodec) {
  const decoder: ChatCodec = chatCodecs[format]
  const stream = new ResponseStream({
    scanner: new SseScanner(4096),
    decoder,
    encode: { codec: encoder, call },
    maxFrameBytes: 4096,
  })
  const steps = events.map((event) => stream.push(encodeUtf8(`${event}\n\n`)))
  steps.push(stream.end())
  return { error: steps.at(-1)?.error, outcome: stream.outcome, delivered: stream.delivered().text }
}

const formats = Object.keys(streams) as (keyof typeof chatCodecs)[]
const pairs = formats.flatMap((from) => formats.filter((to) => to !== from).map((to) => [from, to] as const))

describe.each(pairs)('a stream of %s for a caller of %s', (from, to) => {
  const events = streams[from]
  const at = events.findIndex((event) => event.includes(' world'))

  it('is whole as it is', () => {
    expect(read(from, events, chatCodecs[to])).toMatchObject({ error: undefined, delivered: 'Hello world' })
  })

  it.each(garbage)('fails at %s, charged as delivered', (_, spoil) => {
    const spoiled = events.map((event, index) => (index === at ? spoil(event) : event))
    const { error, outcome, delivered } = read(from, spoiled, chatCodecs[to])
    expect(error).toMatchObject({ kind: 'upstream_bug' })
    expect(outcome).toBe('cut')
    expect(delivered).toBe('Hello')
  })

  it('tolerates unknown events and members', () => {
    const unknown =
      from === 'gemini'
        ? 'data: {"futureField":{"x":[1]}}'
        : 'event: x_future\ndata: {"type":"x_future","choices":[],"futureField":[7]}'
    const longer = events.flatMap((event, index) => (index === at ? [unknown, event] : [event]))
    expect(read(from, longer, chatCodecs[to])).toMatchObject({ error: undefined, delivered: 'Hello world' })
  })
})
