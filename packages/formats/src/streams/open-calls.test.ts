import { describe, expect, it } from 'bun:test'
import { chatCodecs } from '../codecs.ts'
import { SseScanner } from '../framing/index.ts'
import { decodeUtf8, encodeUtf8 } from '../json/utf8.ts'
import { OpenAiStreamReader } from '../openai-chat/response/stream.ts'
import { ResponseStream } from '../translation/response-stream.ts'
import type { StreamReader } from './stream-reader.ts'

const maxFrameBytes = 100_000
const half = '{"cmd":"rm -rf /srv/build'
const whole = `${half}/cache"}`

const event = (data: object, name?: string) =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
const named = (data: { readonly type: string }) => event(data, data.type)

const chunk = (delta: object, finish_reason: string | null = null) =>
  event({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })
const calling = (text: string) => ({
  tool_calls: [{ index: 0, id: 'c0', type: 'function', function: { name: 'run', arguments: text } }],
})

/** A stream of each dialect that ends by its end mark inside of a call, or behind it. */
const streams: Readonly<Record<string, (text: string, isEnded: boolean) => string>> = {
  'openai-chat': (text, isEnded) =>
    `${chunk(calling(text))}${isEnded ? chunk({}, 'tool_calls') : ''}data: [DONE]\n\n`,
  'anthropic-messages': (text, isEnded) =>
    [
      {
        type: 'message_start',
        message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'm' },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't', name: 'run', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: text } },
      ...(isEnded ? [{ type: 'content_block_stop', index: 0 }] : []),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
      { type: 'message_stop' },
    ]
      .map(named)
      .join(''),
  'openai-responses': (text, isEnded) => {
    const item = { id: 'f', type: 'function_call', call_id: 'c', name: 'run', arguments: '' }
    const done = { ...item, arguments: text, status: 'completed' }
    return [
      {
        type: 'response.created',
        response: { id: 'r', object: 'response', status: 'in_progress', output: [] },
      },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.function_call_arguments.delta', item_id: 'f', output_index: 0, delta: text },
      ...(isEnded ? [{ type: 'response.output_item.done', output_index: 0, item: done }] : []),
      {
        type: 'response.completed',
        response: { id: 'r', object: 'response', status: 'completed', output: isEnded ? [done] : [] },
      },
    ]
      .map(named)
      .join('')
  },
}

function readerOf(format: keyof typeof chatCodecs): StreamReader {
  const { decodeError } = chatCodecs[format]
  if (format === 'openai-chat')
    return new OpenAiStreamReader({ includeUsage: false, maxFrameBytes, decodeError })
  const decoder = chatCodecs[format]
  return new ResponseStream({
    scanner: new SseScanner(maxFrameBytes),
    decoder,
    encode: 'as-received',
    maxFrameBytes,
  })
}

function read(format: keyof typeof chatCodecs, wire: string) {
  const reader = readerOf(format)
  const forward = [...reader.push(encodeUtf8(wire)).forward, ...reader.end().forward]
  return { outcome: reader.outcome, text: forward.map(decodeUtf8).join('') }
}

const formats = Object.keys(streams) as readonly (keyof typeof chatCodecs)[] // Its keys are formats.

describe('an end mark in a stream that passes as received', () => {
  it.each(formats)('of %s does not end a call whose arguments are half', (format) => {
    const { outcome, text } = read(format, streams[format]?.(half, false) ?? '')
    expect(outcome).toBe('cut')
    expect(text).toContain('rm -rf')
    expect(text).not.toMatch(/\[DONE\]|message_stop|response\.completed/)
  })

  it.each(formats)('of %s ends what its upstream ended, whatever the arguments are', (format) => {
    for (const text of [whole, half])
      expect(read(format, streams[format]?.(text, true) ?? '').outcome).toBe('complete')
  })

  it.each(formats)('of %s ends a call whose arguments are whole, or that has none', (format) => {
    for (const text of [whole, ''])
      expect(read(format, streams[format]?.(text, false) ?? '').outcome).toBe('complete')
  })
})
