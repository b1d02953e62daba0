import { describe, expect, it } from 'bun:test'
import type { ChatRequest, Message } from '../canonical/request.ts'
import { chatCodecs } from '../codecs.ts'
import { withinMarkLimit } from './cache-marks.ts'

/** Everything that can be marked, in the order of the prompt; the instructions stand behind the first words of the user. */
const markable = ['tool', 'instruction', 'text', 'call', 'inner', 'result', 'image', 'last'] as const
type Marked = (typeof markable)[number]

function requestWith(marked: ReadonlySet<Marked>): ChatRequest {
  const mark = (name: Marked) => (marked.has(name) ? ({ cache: { ttl: '5m' } } as const) : {})
  const png = { type: 'base64', mediaType: 'image/png', data: 'AA==' } as const
  const messages: readonly Message[] = [
    { role: 'user', parts: [{ type: 'text', text: 'text', ...mark('text') }] },
    { role: 'system', parts: [{ type: 'text', text: 'instruction', ...mark('instruction') }] },
    {
      role: 'assistant',
      parts: [{ type: 'tool-call', id: 'c', name: 'f', arguments: '{"call":1}', ...mark('call') }],
    },
    {
      role: 'user',
      parts: [
        {
          type: 'tool-result',
          callId: 'c',
          content: [{ type: 'text', text: 'inner', ...mark('inner') }],
          ...mark('result'),
        },
        { type: 'media', kind: 'image', source: png, ...mark('image') },
        { type: 'text', text: 'last', ...mark('last') },
      ],
    },
  ]
  return {
    model: 'claude-sonnet-4-5',
    stream: false,
    messages,
    tools: [{ type: 'function', name: 'f', ...mark('tool') }],
    sampling: { stop: [], candidates: 1 },
    options: {},
  }
}

const choices = Array.from(
  { length: 2 ** markable.length },
  (_, bits) => new Set(markable.filter((_name, index) => (bits >> index) % 2 === 1)),
)

describe('withinMarkLimit', () => {
  it('leaves the last four of any marks, in the order of the prompt', () => {
    for (const marked of choices) {
      const request = requestWith(marked)
      const dropped = new Set<string>()
      const limited = withinMarkLimit(request, dropped)
      expect(limited).toEqual(requestWith(new Set([...marked].slice(-4))))
      if (marked.size <= 4) expect(limited).toBe(request)
      expect(dropped.size).toBe(marked.size > 4 ? 1 : 0)
    }
  })

  it('holds for every body that Claude gets', () => {
    const target = { model: 'claude-sonnet-4-5', streamOptions: false }
    for (const marked of choices) {
      const { body } = chatCodecs['anthropic-messages'].encodeRequest(requestWith(marked), target)
      expect(JSON.stringify(body).split('"cache_control"').length - 1).toBe(Math.min(4, marked.size))
    }
  })
})
