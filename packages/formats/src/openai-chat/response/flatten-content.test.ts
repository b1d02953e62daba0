import { describe, expect, it } from 'bun:test'
import { isObject } from '../../json/value.ts'
import { flattenContent } from './flatten-content.ts'
import { OpenAiStreamReader } from './stream.ts'

const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }
const call = { id: 'Ab3dE6gH9', function: { name: 'f', arguments: '{}' } }
const event = (delta: object) => ({ id: 'm', choices: [{ index: 0, delta, finish_reason: null }] })

describe('flattenContent', () => {
  it('leaves what OpenAI could have said as it is', () => {
    const plain = [
      event({ content: 'x' }),
      event({}),
      { id: 'm', choices: [], usage: {} },
      { choices: [null, 7] },
    ]
    for (const each of plain) expect(flattenContent(each)).toBe(each)
  })

  it('puts parts into the text and the reasoning, and numbers calls', () => {
    expect(flattenContent(event({ content: [thinking, { type: 'text', text: 'Yes.' }] }))).toEqual(
      event({ content: 'Yes.', reasoning_content: 'Hm.' }),
    )
    expect(flattenContent(event({ tool_calls: [call, call] }))).toEqual(
      event({
        tool_calls: [
          { index: 0, type: 'function', ...call },
          { index: 1, type: 'function', ...call },
        ],
      }),
    )
    const message = { role: 'assistant', content: [thinking], tool_calls: [call] }
    expect(flattenContent({ choices: [{ index: 0, message }] })).toEqual({
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: '',
            reasoning_content: 'Hm.',
            tool_calls: [{ type: 'function', ...call }],
          },
        },
      ],
    })
  })

  it('changes of a stream the events that need it and no other byte', () => {
    const frames = [event({ content: 'a' }), event({ content: [thinking] }), event({ content: 'b' })].map(
      (each) => `data: ${JSON.stringify(each)}\n\n`,
    )
    const reader = new OpenAiStreamReader({
      includeUsage: false,
      maxFrameBytes: 4096,
      decodeError: () => {
        throw new Error('no failure here')
      },
      normalizeResponse: flattenContent,
    })
    const { forward } = reader.push(new TextEncoder().encode(frames.join('')))
    const text = forward.map((bytes) => new TextDecoder().decode(bytes)).join('')
    const [first, second, third] = text.split('\n\n').map((frame) => frame.replace('data: ', ''))
    expect([first, third].map((data) => `data: ${data}\n\n`)).toEqual([frames[0] ?? '', frames[2] ?? ''])
    const normalized: unknown = JSON.parse(second ?? '')
    expect(isObject(normalized) && normalized.choices).toMatchObject([
      { delta: { content: '', reasoning_content: 'Hm.' } },
    ])
    expect(reader.delivered().text).toBe('aHm.b')
  })
})
