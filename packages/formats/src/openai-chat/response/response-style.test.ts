import { describe, expect, it } from 'bun:test'
import { type JsonObject, listOf, objectOf } from '../../json/value.ts'
import { applyStyle, ChunkStyler } from './response-style.ts'

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' }
const chunk = (delta: JsonObject, more: JsonObject = {}) => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
})
const reasoning = { knownFieldsOnly: false, reasoningInText: true }
const known = { knownFieldsOnly: true, reasoningInText: false }

function deltas(chunks: readonly JsonObject[], form = reasoning): readonly JsonObject[] {
  const forming = new ChunkStyler(form)
  const all = [...chunks.flatMap((each) => forming.chunks(each)), ...forming.end()]
  return all.flatMap(choicesOf).map(({ delta }) => objectOf(delta))
}

const choicesOf = ({ choices }: JsonObject) => listOf(choices).map(objectOf)
const textOf = (stated: readonly JsonObject[]) => stated.map(({ content }) => content ?? '').join('')

describe('reasoning of a stream', () => {
  it('stand between one pair of tags, ahead of the text', () => {
    const stated = deltas([
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning_content: 'One, ' }),
      chunk({ reasoning: 'two.', reasoning_content: null }),
      chunk({ content: 'Three' }),
      chunk({ content: '.' }),
      chunk({}, { finish_reason: 'stop' }),
    ])
    expect(textOf(stated)).toBe('<think>\nOne, two.\n</think>\nThree.')
    expect(JSON.stringify(stated)).not.toContain('reasoning')
  })

  it('are closed before a call of a tool, in a chunk of their own', () => {
    const call = { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] }
    expect(deltas([chunk({ reasoning_content: 'Look.' }), chunk(call)])).toEqual([
      { content: '<think>\nLook.' },
      { content: '\n</think>\n' },
      call,
    ])
  })

  it('are split from a text in the same chunk, and closed where nothing follows', () => {
    expect(textOf(deltas([chunk({ reasoning_content: 'a', content: 'b' })]))).toBe('<think>\na\n</think>\nb')
    expect(textOf(deltas([chunk({ reasoning_content: 'a' }), chunk({}, { finish_reason: 'length' })]))).toBe(
      '<think>\na\n</think>\n',
    )
    expect(textOf(deltas([chunk({ reasoning_content: 'a' })]))).toBe('<think>\na\n</think>\n')
  })

  it('stay where they came once the text has begun', () => {
    const late = chunk({ reasoning_content: 'late' })
    expect(deltas([chunk({ reasoning_content: 'a' }), chunk({ content: 'b' }), late]).at(-1)).toEqual({
      reasoning_content: 'late',
    })
  })

  it('are kept apart for every choice', () => {
    const of = (index: number, delta: JsonObject) => ({ ...head, choices: [{ index, delta }] })
    const forming = new ChunkStyler(reasoning)
    const all = [
      of(0, { reasoning_content: 'a' }),
      of(1, { reasoning_content: 'b' }),
      of(1, { content: 'B' }),
      of(0, { content: 'A' }),
    ].flatMap((each) => forming.chunks(each))
    const choice = (index: number) =>
      textOf(
        all
          .flatMap(choicesOf)
          .filter((each) => each.index === index)
          .map(({ delta }) => objectOf(delta)),
      )
    expect([choice(0), choice(1)]).toEqual(['<think>\na\n</think>\nA', '<think>\nb\n</think>\nB'])
  })

  it('leave a chunk with usage alone', () => {
    const usage = { ...head, choices: [], usage: { total_tokens: 3 } }
    expect(new ChunkStyler(reasoning).chunks(usage)).toEqual([usage])
  })
})

describe('a buffered response', () => {
  it('has its reasoning in its text', () => {
    const response = {
      id: 'x',
      choices: [{ index: 0, message: { role: 'assistant', content: 'b', reasoning: 'a' } }],
    }
    expect(applyStyle(response, reasoning)).toEqual({
      id: 'x',
      choices: [{ index: 0, message: { role: 'assistant', content: '<think>\na\n</think>\nb' } }],
    })
  })

  it('is without what OpenAI does not send', () => {
    const response = {
      ...head,
      provider: 'X',
      choices: [
        {
          index: 0,
          native_finish_reason: 'STOP',
          finish_reason: 'stop',
          message: {
            role: 'assistant',
            content: 'b',
            reasoning: 'a',
            extra: 1,
            tool_calls: [
              { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' }, extra_content: {} },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, cost: 0.1 },
    }
    expect(applyStyle(response, known)).toEqual({
      ...head,
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: {
            role: 'assistant',
            content: 'b',
            reasoning_content: 'a',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    })
  })

  it('is the same in chunks', () => {
    const extra = { ...chunk({ content: 'a', obfuscation: 'x' }), obfuscation: 'y' }
    expect(new ChunkStyler(known).chunks(extra)).toEqual([chunk({ content: 'a' })])
  })
})
