import { describe, expect, it } from 'bun:test'
import { anthropicMessages } from '../anthropic-messages/codec.ts'
import { SseScanner } from '../framing/sse.ts'
import { encodeUtf8 } from '../json/utf8.ts'
import { openAiResponses } from '../openai-responses/codec.ts'
import { usageOf } from '../usage.ts'
import { ResponseStream } from './response-stream.ts'

type Codec = typeof anthropicMessages | typeof openAiResponses

function ended(
  codec: Codec,
  events: readonly { readonly type: string; readonly [member: string]: unknown }[],
) {
  const maxFrameBytes = 100_000
  const stream = new ResponseStream({
    scanner: new SseScanner(maxFrameBytes),
    decoder: codec,
    encode: 'as-received',
    maxFrameBytes,
  })
  for (const event of events)
    stream.push(encodeUtf8(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`))
  const trailer = stream.lengthTrailer(usageOf({ inputTokens: 3, outputTokens: 7 }))
  return trailer
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)))
}

describe('the end of a stream that passes as received, at its limit', () => {
  it('closes the open block of Messages, and none that is closed', () => {
    const events = ended(anthropicMessages, [
      { type: 'message_start', message: { id: 'msg_1', model: 'm', usage: { input_tokens: 3 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'word' } },
    ])
    expect(events).toMatchObject([
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 7 } },
      { type: 'message_stop' },
    ])
  })

  it('repeats the texts of Responses, item by item', () => {
    const part = { type: 'output_text', text: '', annotations: [] }
    const message = (id: string) => ({
      id,
      type: 'message',
      role: 'assistant',
      status: 'in_progress',
      content: [],
    })
    const delta = (output_index: number, text: string, sequence_number: number) => ({
      type: 'response.output_text.delta',
      item_id: `msg_${output_index}`,
      output_index,
      content_index: 0,
      delta: text,
      sequence_number,
    })
    const events = ended(openAiResponses, [
      { type: 'response.created', response: { id: 'resp_1', model: 'm', status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: message('msg_0') },
      { type: 'response.content_part.added', output_index: 0, content_index: 0, part },
      delta(0, 'first ', 4),
      delta(0, 'text', 5),
      { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'first text' },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...message('msg_0'), status: 'completed', content: [{ ...part, text: 'first text' }] },
      },
      { type: 'response.output_item.added', output_index: 1, item: message('msg_1') },
      { type: 'response.content_part.added', output_index: 1, content_index: 0, part },
      delta(1, 'second ', 10),
      delta(1, 'text', 11),
    ])
    expect(events).toMatchObject([
      { type: 'response.output_item.done', output_index: 1, sequence_number: 12 },
      {
        type: 'response.incomplete',
        sequence_number: 13,
        response: {
          id: 'resp_1',
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
          usage: { output_tokens: 7 },
        },
      },
    ])
    const texts = events[1].response.output.map(
      (item: { content: { text: string }[] }) => item.content[0]?.text,
    )
    expect(texts).toEqual(['first text', 'second text'])
  })
})
