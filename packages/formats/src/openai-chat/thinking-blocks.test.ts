import { describe, expect, it } from 'bun:test'
import { anthropicMessages } from '../anthropic-messages/codec.ts'
import type { ChatResponse } from '../canonical/response.ts'
import { chatCodecs } from '../codecs.ts'
import { partsOfResponse } from '../streams/response-parts.ts'
import { noUsage } from '../usage.ts'
import { openAiChat } from './codec.ts'
import { hasThinkingBlocks, withoutThinkingBlocks } from './thinking-blocks.ts'

const thinking = { type: 'thinking', thinking: 'Look it up.', signature: 'c2ln' }
const redacted = { type: 'redacted_thinking', data: 'cmVk' }
const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
const answered = { role: 'assistant', content: null, reasoning_content: 'Look it up.', tool_calls: [call] }
const conversation = (assistant: object) => ({
  model: 'm',
  messages: [
    { role: 'user', content: 'Go' },
    assistant,
    { role: 'tool', tool_call_id: 'call_1', content: 'found' },
  ],
})
const target = { model: 'claude-sonnet-4-5', streamOptions: true }

describe('thinking blocks of a caller', () => {
  const sent = [
    ['in a member of the message', { ...answered, thinking_blocks: [thinking, redacted] }],
    [
      'beside details without a proof',
      { ...answered, reasoning_details: [], thinking_blocks: [thinking, redacted] },
    ],
    ['as parts of the content', { role: 'assistant', content: [thinking, redacted], tool_calls: [call] }],
  ] as const

  it.each(sent)('go to Claude with their signatures: %s', (_, assistant) => {
    const request = openAiChat.decodeRequest(conversation(assistant), {})
    const { body } = anthropicMessages.encodeRequest(request, target)
    expect(JSON.stringify(body.messages)).toContain(
      `${JSON.stringify(thinking)},${JSON.stringify(redacted)},{"type":"tool_use"`,
    )
  })

  it.each(
    Object.keys(chatCodecs).filter((name) => name !== 'anthropic-messages') as (keyof typeof chatCodecs)[],
  )('reach %s without what only Claude can read', (name) => {
    const request = openAiChat.decodeRequest(conversation(sent[0][1]), {})
    const text = JSON.stringify(chatCodecs[name].encodeRequest(request, target).body)
    expect(text).not.toMatch(/thinking_blocks|c2ln|cmVk/)
    expect(text).toContain('found')
  })

  it('are left out of messages for upstreams that do not know them', () => {
    const { messages } = conversation(sent[0][1])
    expect(hasThinkingBlocks(messages)).toBe(true)
    expect(withoutThinkingBlocks(messages)).toEqual(conversation(answered).messages)
    expect(hasThinkingBlocks(conversation(answered).messages)).toBe(false)
  })
})

describe('thinking blocks for a caller', () => {
  const response: ChatResponse = {
    id: 'c',
    model: 'm',
    createdAt: 1,
    usage: undefined,
    candidates: [
      {
        index: 0,
        stop: { reason: 'stop' },
        parts: [
          { type: 'reasoning', text: 'Look it up.', signature: { vendor: 'anthropic', value: 'c2ln' } },
          { type: 'reasoning', text: '', encrypted: { vendor: 'anthropic', value: 'cmVk' } },
          { type: 'text', text: 'Hi' },
        ],
      },
    ],
  }

  function answers(request: Readonly<Record<string, unknown>>): string {
    const echo = openAiChat.echoOf?.(request)
    const context = {
      model: 'm',
      responseId: 'r',
      createdAt: 1,
      includeUsage: false,
      estimatedInputTokens: 1,
      ...(echo && { echo }),
    }
    const state = openAiChat.encodeStream.start(context)
    const frames = partsOfResponse(response).flatMap((part) => openAiChat.encodeStream.step(state, part))
    const streamed = [...frames, ...openAiChat.encodeStream.finish(state, noUsage)].map(({ data }) => data)
    return [JSON.stringify(openAiChat.encodeResponse(response, context)), ...streamed].join('\n')
  }

  it('come with their signatures to callers that send them, or a budget, in both ways of answering', () => {
    const asks = [
      conversation({ ...answered, thinking_blocks: [thinking] }),
      { messages: [], thinking: { type: 'enabled', budget_tokens: 2048 } },
    ]
    for (const request of asks) {
      const text = answers(request)
      expect(text).toContain(`"thinking_blocks":[${JSON.stringify(thinking)},${JSON.stringify(redacted)}]`)
      expect(text).toContain(`"thinking_blocks":[${JSON.stringify(thinking)}]`)
      expect(text).toContain(`"thinking_blocks":[${JSON.stringify(redacted)}]`)
    }
  })

  it('come to no other caller', () => {
    for (const request of [conversation(answered), { messages: [], thinking: { type: 'enabled' } }])
      expect(answers(request)).not.toContain('thinking_blocks')
  })

  it('are read from an upstream that is such a gateway, once', () => {
    const message = {
      role: 'assistant',
      content: 'Hi',
      reasoning_content: 'Look it up.',
      thinking_blocks: [thinking],
    }
    const body = { id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] }
    expect(openAiChat.decodeResponse(body)).toMatchObject({
      response: {
        candidates: [
          { parts: [{ type: 'reasoning', text: 'Look it up.', signature: { value: 'c2ln' } }, {}] },
        ],
      },
    })
  })
})
