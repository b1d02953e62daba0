import { describe, expect, it } from 'bun:test'
import { type ChatRequest, type Message, RequestFault } from '@tollgate/formats'
import { encodeRequest } from './index.ts'

const text = (words: string) => ({ type: 'text', text: words }) as const
const bare: ChatRequest = {
  model: 'PaLM-2',
  stream: true,
  messages: [{ role: 'user', parts: [text('hi')] }],
  tools: [],
  sampling: { stop: [], candidates: 1 },
  options: {},
}

describe('encodeRequest of PaLM', () => {
  it('says a conversation in turns, its instructions as the context', () => {
    const messages: readonly Message[] = [
      { role: 'system', parts: [text('Be brief.')] },
      { role: 'user', parts: [text('a'), text('b')] },
      { role: 'user', parts: [text('c')] },
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }, text('d')] },
      { role: 'user', parts: [text('e')] },
    ]
    const sampling = { stop: [], candidates: 2, temperature: 1.5, topP: 0.9, topK: 40, seed: 1 }
    expect(encodeRequest({ ...bare, messages, sampling, maxOutputTokens: 5 })).toEqual({
      body: {
        prompt: {
          context: 'Be brief.',
          messages: [
            { author: '0', content: 'a\nb\nc' },
            { author: '1', content: 'd' },
            { author: '0', content: 'e' },
          ],
        },
        temperature: 1,
        topP: 0.9,
        topK: 40,
        candidateCount: 2,
      },
      dropped: ['seed', 'maxOutputTokens'],
    })
  })

  it.each([
    ['tools', { tools: [{ type: 'function', name: 'look' }] }],
    ['response_format', { outputFormat: { type: 'json' } }],
    ['n', { sampling: { stop: [], candidates: 9 } }],
    ['stop', { sampling: { stop: ['x'], candidates: 1 } }],
    ['messages', { messages: [] }],
    [
      'messages[0].content[0]',
      {
        messages: [
          {
            role: 'user',
            parts: [{ type: 'media', kind: 'image', source: { type: 'url', url: 'https://a.example' } }],
          },
        ],
      },
    ],
  ] as readonly (readonly [string, Partial<ChatRequest>])[])(
    'refuses %s, which it has not',
    (param, more) => {
      try {
        encodeRequest({ ...bare, ...more })
        throw new Error('it was encoded')
      } catch (error) {
        expect(error).toBeInstanceOf(RequestFault)
        expect((error as RequestFault).param).toBe(param)
      }
    },
  )
})
