import { describe, expect, it } from 'bun:test'
import { promptOfRequest } from './prompt.ts'
import type { ChatRequest } from './request.ts'

const request = (more: Partial<ChatRequest>): ChatRequest => ({
  model: 'm',
  stream: false,
  messages: [],
  tools: [],
  sampling: { stop: [], candidates: 1 },
  options: {},
  ...more,
})

describe('promptOfRequest', () => {
  it('counts every text, picture, sound and file once, and results as messages of their own', () => {
    const image = {
      type: 'media',
      kind: 'image',
      source: { type: 'base64', mediaType: 'image/png', data: 'aGk=' },
      detail: 'low',
    } as const
    const { messages, tools } = promptOfRequest(
      request({
        messages: [
          { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'hm', signature: { vendor: 'anthropic', value: 'not counted' } },
              { type: 'text', text: '' },
              { type: 'tool-call', id: 'a', name: 'look', arguments: '{}' },
            ],
          },
          {
            role: 'user',
            name: 'Ann',
            parts: [
              {
                type: 'tool-result',
                callId: 'a',
                name: 'look',
                content: [{ type: 'text', text: 'seen' }, image],
              },
              { type: 'media', kind: 'audio', source: { type: 'base64', mediaType: 'audio/wav', data: '' } },
              { type: 'media', kind: 'document', source: { type: 'file', format: 'gemini', id: 'f' } },
              { type: 'media', kind: 'document', source: { type: 'text', text: 'plain' } },
              { type: 'media', kind: 'image', source: { type: 'url', url: 'https://a.example' } },
            ],
          },
        ],
        tools: [
          { type: 'function', name: 'look', description: 'Looks.', parameters: { type: 'object' } },
          { type: 'vendor', format: 'gemini', name: 'search', definition: { search: {} } },
        ],
      }),
    )
    const none = { name: '', texts: [], images: [], audioParts: 0, fileParts: 0 }
    expect(messages).toEqual([
      { ...none, role: 'system', texts: ['Be brief.'] },
      { ...none, role: 'assistant', texts: ['hm', 'look', '{}'] },
      {
        ...none,
        role: 'tool',
        name: 'look',
        texts: ['seen'],
        images: [{ detail: 'low', url: 'data:image/png;base64,aGk=' }],
      },
      {
        ...none,
        role: 'user',
        name: 'Ann',
        texts: ['plain'],
        images: [{ detail: '', url: 'https://a.example' }],
        audioParts: 1,
        fileParts: 1,
      },
    ])
    expect(tools).toEqual(['lookLooks.{"type":"object"}', '{"search":{}}'])
  })
})
