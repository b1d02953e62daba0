import { describe, expect, it } from 'bun:test'
import type { EncodeContext } from '../../canonical/codec.ts'
import type { AssistantPart } from '../../canonical/request.ts'
import { listOf, objectOf, textOf } from '../../json/value.ts'
import { streamOf } from '../../test-support/arbitraries.ts'
import { usageOf } from '../../usage.ts'
import { openAiChat } from '../codec.ts'

const call: EncodeContext = {
  model: 'm',
  responseId: 'r1',
  createdAt: 1,
  includeUsage: false,
  estimatedInputTokens: 1,
}

const signed: readonly AssistantPart[] = [
  { type: 'reasoning', text: 'Plan A.', signature: { vendor: 'anthropic', value: 'c2ln' } },
  { type: 'reasoning', text: '', encrypted: { vendor: 'openai', value: 'ZW5j' } },
  { type: 'text', text: 'Let me see.', signature: { vendor: 'gemini', value: 'dGV4dA' } },
  {
    type: 'tool-call',
    id: 'c1',
    name: 'look',
    arguments: '{"at":"x"}',
    signature: { vendor: 'gemini', value: 'Y2FsbA' },
  },
  { type: 'tool-call', id: 'c2', name: 'look', arguments: '{}' },
]
const response = {
  id: '',
  model: 'm',
  createdAt: 1,
  candidates: [{ index: 0, parts: signed, stop: { reason: 'tool-calls' as const } }],
  usage: usageOf({ inputTokens: 1, outputTokens: 1 }),
}

/** Returns what the next turn says of this message, when the caller sends it back as it has it. */
function nextTurn(message: unknown): unknown {
  const user = { role: 'user', content: 'hi' }
  const results = ['c1', 'c2'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'seen' }))
  const body = { model: 'm', messages: [user, message, ...results] }
  return openAiChat.decodeRequest(JSON.parse(JSON.stringify(body)), {}).messages[1]?.parts
}

/** A message put together from its chunks as clients do: texts join, lists join by index, the rest is kept. */
function assembled(deltas: readonly Record<string, unknown>[]): Record<string, unknown> {
  const message: Record<string, unknown> = {}
  const calls: Record<string, unknown>[] = []
  for (const { tool_calls, ...delta } of deltas) {
    for (const [name, value] of Object.entries(delta)) {
      const known = message[name]
      if (typeof value === 'string' && name !== 'role') message[name] = textOf(known) + value
      else if (Array.isArray(value)) message[name] = [...listOf(known), ...value]
      else message[name] = value
    }
    for (const piece of listOf(tool_calls).map(objectOf)) {
      const position = Number(piece.index)
      const known = objectOf(calls[position])
      const called = objectOf(known.function)
      const args = textOf(called.arguments) + textOf(objectOf(piece.function).arguments)
      calls[position] = {
        ...known,
        ...piece,
        function: { ...called, ...objectOf(piece.function), arguments: args },
      }
    }
  }
  return { ...message, tool_calls: calls }
}

describe('signatures through a caller of Chat Completions', () => {
  it('come back from a buffered response', () => {
    const body = objectOf(openAiChat.encodeResponse(response, call))
    expect(nextTurn(objectOf(listOf(body.choices)[0]).message)).toEqual(signed)
  })

  it('come back from a stream', () => {
    const { encodeStream } = openAiChat
    const state = encodeStream.start(call)
    const frames = [
      ...streamOf(response, 3).flatMap((part) => encodeStream.step(state, part)),
      ...encodeStream.finish(state, response.usage),
    ]
    const deltas = frames
      .filter(({ data }) => data !== '[DONE]')
      .map(({ data }) => objectOf(objectOf(listOf(JSON.parse(data).choices)[0]).delta))
    expect(nextTurn(assembled(deltas))).toEqual(signed)
  })
})
