import { describe, expect, it } from 'bun:test'
import type { ChatCodec } from '../canonical/codec.ts'
import { chatCodecs } from '../codecs.ts'
import { JsonArrayScanner } from '../framing/json-array.ts'
import { SseScanner } from '../framing/sse.ts'
import { encodeUtf8 } from '../json/utf8.ts'
import { usageOf } from '../usage.ts'
import { collectBody } from './streamed-body.ts'

type Format = keyof typeof chatCodecs

const call = { model: 'm', responseId: 'a', createdAt: 1, includeUsage: false, estimatedInputTokens: 1 }

function collected(from: Format, to: Format, body: string, isList = false) {
  const options = {
    scanner: isList ? new JsonArrayScanner(9999) : new SseScanner(9999),
    decoder: chatCodecs[from] as ChatCodec,
    maxFrameBytes: 9999,
  }
  return collectBody(encodeUtf8(body), options, chatCodecs[to], call)
}

const events = (...all: readonly object[]) =>
  all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

const start = { type: 'message_start', message: { id: 'm', usage: { input_tokens: 7, output_tokens: 1 } } }
const stated = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }
const stopped = { type: 'message_delta', delta: { stop_reason: 'end_turn' } }

describe('a stream in the place of a response', () => {
  it('is read from a list of chunks, too', () => {
    const chunks = [
      { candidates: [{ content: { parts: [{ text: 'H' }] } }] },
      {
        candidates: [{ content: { parts: [{ text: 'i' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3 },
      },
    ]
    const read = collected('gemini', 'openai-chat', JSON.stringify(chunks, null, 2), true)
    if (!read.ok) throw new Error(read.error.message)
    expect(read.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 })
    expect(JSON.parse(read.encode(read.usage))).toMatchObject({ choices: [{ message: { content: 'Hi' } }] })
  })

  it('is for callers of Responses what its last event repeats', () => {
    const output = [{ type: 'message', id: 'own', x: 1, content: [{ type: 'output_text', text: 'Hi' }] }]
    const response = { id: 'r', status: 'completed', output, usage: { input_tokens: 7, output_tokens: 3 } }
    const body = events(
      { type: 'response.created', response: { id: 'r' } },
      { type: 'response.completed', response },
    )
    const read = collected('openai-responses', 'openai-responses', body)
    if (!read.ok) throw new Error(read.error.message)
    expect(JSON.parse(read.encode(usageOf({})))).toEqual(response)
  })

  it('has no count that can be charged where that came before the text', () => {
    const read = collected(
      'anthropic-messages',
      'gemini',
      events(start, stated, stopped, { type: 'message_stop' }),
    )
    if (!read.ok) throw new Error(read.error.message)
    expect([read.usage, read.latestUsage?.inputTokens, read.delivered().text]).toEqual([undefined, 7, 'Hi'])
  })

  it('is a failure where it breaks off, reports one, or says nothing', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    for (const [body, kind] of [
      [events(start, stated), 'upstream_bug'],
      [events(start, stated, error), 'overloaded'],
      [': ping\n\n', 'upstream_bug'],
      ['data: <html>\n\n', 'upstream_bug'],
    ] as const)
      expect(collected('anthropic-messages', 'openai-chat', body)).toMatchObject({
        ok: false,
        error: { kind },
      })
  })
})
