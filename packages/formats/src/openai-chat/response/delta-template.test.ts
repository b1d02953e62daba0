import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { StreamMeter } from '../../streams/stream-meter.ts'
import { newChunkState, readChunk } from './decode-stream.ts'
import { matchTemplate, templateOf } from './delta-template.ts'

const event = (delta: unknown, more: object = {}) => ({
  id: 'chatcmpl-1',
  created: 1760000001,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
  usage: null,
  ...more,
})

function textByParsing(json: string): string {
  const meter = new StreamMeter()
  for (const part of readChunk(newChunkState(), JSON.parse(json))) meter.take(part)
  return meter.delivered().text
}

const shapes: readonly ((text: string, padding: string) => Record<string, unknown>)[] = [
  (text) => event({ content: text }),
  (text) => event({ role: 'assistant', content: text, reasoning_content: null }),
  (text) => event({ content: '', reasoning_content: text }),
  (text) => event({ reasoning: text }),
  (text, padding) => event({ content: text }, { obfuscation: padding }),
  (text, padding) =>
    event({ tool_calls: [{ index: 0, function: { arguments: text } }] }, { obfuscation: padding }),
  (text) => ({ id: 'cmpl-1', choices: [{ text, index: 0, finish_reason: null }] }),
]

describe('matchTemplate', () => {
  it('reads the very text that parsing reads, whatever the text is', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('"', '\\', '\\"', '","content":"', '\ud83d', '{"a":"b"}', '\u0000\n'),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...shapes),
        text,
        text,
        fc.base64String(),
        fc.base64String(),
        (shape, first, next, padA, padB) => {
          const firstEvent = shape(first, padA)
          const template = templateOf(firstEvent, JSON.stringify(firstEvent))
          const nextJson = JSON.stringify(shape(next, padB))
          const matched = template === undefined ? undefined : matchTemplate(template, nextJson)
          if (matched !== undefined) expect(matched).toBe(textByParsing(nextJson))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('reads every plain event of a stream but the first without parsing it', () => {
    for (const shape of shapes) {
      const first = shape('Hel', 'k9')
      const template = templateOf(first, JSON.stringify(first))
      expect(template && matchTemplate(template, JSON.stringify(shape('lo "you"\n', 'x1y2')))).toBe(
        'lo "you"\n',
      )
    }
  })

  it('reads spaced JSON too', () => {
    const json = (text: string) => `{"choices": [{"delta": {"content": "${text}"}}]}`
    const template = templateOf(JSON.parse(json('a')), json('a'))
    expect(template && matchTemplate(template, json('b'))).toBe('b')
  })

  it('matches no event that says anything else', () => {
    const first = event({ content: 'Hel' })
    const template = templateOf(first, JSON.stringify(first))
    const others = [
      event({ content: 'x' }, { usage: { prompt_tokens: 1 } }),
      event({ content: 'x' }, { error: { message: 'y' } }),
      event({ content: 'x', tool_calls: [] }),
      {
        ...event({ content: 'x' }),
        choices: [{ index: 0, delta: { content: 'x' }, logprobs: null, finish_reason: 'stop' }],
      },
      event({ reasoning_content: 'x' }),
    ]
    for (const other of others)
      expect(template && matchTemplate(template, JSON.stringify(other))).toBeUndefined()
    expect(template && matchTemplate(template, '')).toBeUndefined()
    expect(template && matchTemplate(template, template.before)).toBeUndefined()
    expect(template && matchTemplate(template, '[DONE]')).toBeUndefined()
  })

  it('makes no template of an event with more than one thing to say', () => {
    const events = [
      event({ content: 'a', reasoning_content: 'b' }),
      event({ content: 'a' }, { usage: { prompt_tokens: 1 } }),
      event({ content: 'a' }, { content: 'a' }),
      { choices: [] },
      { choices: [{ delta: { content: 'a' } }, { delta: { content: 'b' } }] },
      event({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '' } }] }),
      event({ role: 'assistant', content: '' }),
    ]
    for (const each of events) expect(templateOf(each, JSON.stringify(each))).toBeUndefined()
  })
})
