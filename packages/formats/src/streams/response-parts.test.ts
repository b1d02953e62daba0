import { describe, expect, it } from 'bun:test'
import type { ChatResponse } from '../canonical/response.ts'
import { openAiChat } from '../openai-chat/codec.ts'
import { usageOf } from '../usage.ts'
import { collectResponse } from './collect-response.ts'
import { partsOfResponse, singleEventCodec } from './response-parts.ts'

const response: ChatResponse = {
  id: 'a',
  model: 'm',
  createdAt: 7,
  usage: usageOf({ inputTokens: 3, outputTokens: 2 }),
  candidates: [
    {
      index: 0,
      parts: [
        { type: 'reasoning', text: 'Hm.', signature: { vendor: 'anthropic', value: 's' } },
        { type: 'text', text: 'Hi', signature: { vendor: 'gemini', value: 't' } },
        { type: 'tool-call', id: '1', name: 'f', arguments: '{"a":1}' },
        { type: 'tool-call', id: '2', name: 'g', arguments: '{}' },
      ],
      citations: [{ url: 'u', title: 't', text: '' }],
      logprobs: [{ token: 'Hi', logprob: -1, top: [] }],
      stop: { reason: 'tool-calls' },
    },
    { index: 1, parts: [{ type: 'refusal', text: 'No' }], stop: { reason: 'refused' } },
  ],
}

describe('partsOfAnswer', () => {
  it('says all that the response says', () => {
    expect(collectResponse(partsOfResponse(response))).toEqual(response)
  })
})

describe('unstreamed', () => {
  it('reads a buffered response, or its failure, as the one event of a stream', () => {
    const { decodeStream } = singleEventCodec(openAiChat, openAiChat.callRules)
    const read = (body: object) => decodeStream.step(undefined, { event: '', data: JSON.stringify(body) })
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }]
    expect(read({ id: 'a', choices }).map(({ type }) => type)).toEqual([
      'start',
      'open',
      'text-delta',
      'stop',
      'end',
    ])
    expect(read({ error: { message: 'no' } })).toMatchObject([{ type: 'error', error: { message: 'no' } }])
  })
})
