import { describe, expect, it } from 'bun:test'
import { listOf, objectOf } from '@tollgate/formats'
import { sentBody } from '../test-support/sent-body.ts'

const call = { id: 'a1b2c3d4e', type: 'function', function: { name: 'look', arguments: '{}' } }
const turn = (members: object) => ({ role: 'assistant', ...members })

/** Turns of the model in which it says nothing. */
const silent = [
  turn({ content: null }),
  turn({ content: '' }),
  turn({}),
  turn({ content: [] }),
  turn({ content: [{ type: 'text', text: '' }] }),
  turn({ content: '', tool_calls: [] }),
]

/** The same beside what counts as a word, and what is sent of its content. */
const speaking = [
  [turn({ content: 'Yes.' }), 'Yes.'],
  [turn({ content: [{ type: 'text', text: 'Yes.' }] }), [{ type: 'text', text: 'Yes.' }]],
  [turn({ content: null, tool_calls: [call] }), null],
  [turn({ content: '', tool_calls: [call] }), ''],
  [turn({ content: [{ type: 'text', text: '' }], tool_calls: [call] }), ''],
] as const

function turnsSent(id: string, model: string, turns: readonly object[]) {
  const user = { role: 'user', content: 'Go on.' }
  const messages = [user, ...turns, user]
  return listOf(objectOf(sentBody(id, { model, messages }, model)).messages)
    .map(objectOf)
    .filter(({ role }) => role === 'assistant')
}

const refusing = [
  ...['kimi-k2.6', 'kimi-k3', 'moonshot-v1-8k'].map((model) => ['moonshot', model] as const),
  ...['deepseek-chat', 'deepseek-v4-pro'].map((model) => ['deepseek', model] as const),
  ['mistral', 'mistral-medium-latest'],
  ['ollama', 'qwen3:8b'],
] as const

describe.each(refusing)('turns without a word at %s, %s', (id, model) => {
  it('are left out, and all others stay', () => {
    for (const each of silent) expect(turnsSent(id, model, [each])).toEqual([])
    for (const [each, content] of speaking)
      expect(turnsSent(id, model, [each])).toMatchObject([{ role: 'assistant', content }])
  })

  it('stay with their reasoning, where the vendor takes that', () => {
    const [sent] = turnsSent(id, model, [turn({ content: null, reasoning_content: 'Hm.' })])
    if (id === 'mistral') expect(sent).toBeUndefined()
    else expect(sent).toMatchObject({ content: '', reasoning_content: 'Hm.' })
  })
})

it('turns without a word pass to upstreams that take them', () => {
  for (const each of silent) expect(turnsSent('openai', 'gpt-4o', [each])).toEqual([each])
})
