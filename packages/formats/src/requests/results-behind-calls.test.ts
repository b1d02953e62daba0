import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { ChatRequest } from '../canonical/request.ts'
import { chatCodecs } from '../codecs.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../json/value.ts'
import { withResultsBehindCalls } from './results-behind-calls.ts'

const model = 'claude-sonnet-4-5'
const tools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }]
const spoken = { role: 'user', content: 'Look.' }

function decoded(input: readonly JsonObject[]): ChatRequest {
  return chatCodecs['openai-responses'].decodeRequest({ model, tools, input: [spoken, ...input] }, {})
}

const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'look', arguments: '{}' })
const result = (id: string) => ({ type: 'function_call_output', call_id: id, output: `seen ${id}` })
const says = (role: string) => ({ role, content: `the ${role} says` })

/** Conversations in which each call has its result somewhere behind it, and anything may stand between. */
const conversations = fc
  .array(fc.oneof(fc.constantFrom('assistant', 'user', 'developer'), fc.nat({ max: 5 })), { maxLength: 14 })
  .map((steps): readonly JsonObject[] => {
    const items: JsonObject[] = []
    const open: string[] = []
    steps.forEach((step, index) => {
      if (typeof step === 'string') items.push(says(step))
      else if (step % 2 === 0 || open.length === 0) {
        open.push(`call_${index}`)
        items.push(call(`call_${index}`))
      } else items.push(result(open.splice(step % open.length, 1)[0] ?? ''))
    })
    return [...items, ...open.map(result)]
  })

/** The ids of the calls of each message of the model, and of the results that follow it at once. */
type Pairing = readonly { readonly calls: readonly string[]; readonly results: readonly string[] }[]

const pairings: Readonly<Record<'openai-chat' | 'anthropic-messages', (body: JsonObject) => Pairing>> = {
  'openai-chat': (body) => {
    const messages = listOf(body.messages).map(objectOf)
    return messages.flatMap(({ tool_calls }, index) => {
      const behind = messages.slice(index + 1)
      const end = behind.findIndex(({ role }) => role !== 'tool')
      const results = (end < 0 ? behind : behind.slice(0, end)).map((each) => textOf(each.tool_call_id))
      return tool_calls === undefined ? [] : [{ calls: idsOf(tool_calls), results }]
    })
  },
  'anthropic-messages': (body) => {
    const messages = listOf(body.messages).map((message) => listOf(objectOf(message).content).map(objectOf))
    return messages.flatMap((blocks, index) => {
      const calls = blocks.filter(({ type }) => type === 'tool_use')
      const results = (messages[index + 1] ?? []).filter(({ type }) => type === 'tool_result')
      return calls.length === 0
        ? []
        : [{ calls: idsOf(calls), results: results.map((each) => textOf(each.tool_use_id)) }]
    })
  },
}

function idsOf(calls: unknown): readonly string[] {
  return listOf(calls).map((each) => textOf(objectOf(each).id))
}

describe.each(Object.keys(pairings) as readonly (keyof typeof pairings)[])('results for %s', (format) => {
  it('follow the message with their calls at once, wherever Responses let them stand', () => {
    fc.assert(
      fc.property(conversations, (input) => {
        const request = withResultsBehindCalls(decoded(input))
        const { body } = chatCodecs[format].encodeRequest(request, { model, streamOptions: true })
        const pairing = pairings[format](body as JsonObject)
        for (const { calls, results } of pairing) expect(results.toSorted()).toEqual(calls.toSorted())
        const sent = input.filter(({ type }) => type === 'function_call').length
        expect(pairing.flatMap(({ calls }) => calls)).toHaveLength(sent)
        for (const role of ['assistant', 'user'])
          expect(JSON.stringify(body).split(`the ${role} says`)).toHaveLength(
            input.filter((item: JsonObject) => item.role === role).length + 1,
          )
      }),
    )
  })
})

describe('withResultsBehindCalls', () => {
  it('leaves a conversation in order as it is', () => {
    const request = decoded([
      call('a'),
      call('b'),
      result('b'),
      result('a'),
      says('user'),
      call('c'),
      result('c'),
    ])
    expect(withResultsBehindCalls(request)).toBe(request)
  })

  it('leaves results without a call, and calls without a result', () => {
    const request = decoded([result('x'), call('a'), says('user'), result('y')])
    expect(withResultsBehindCalls(request)).toBe(request)
  })
})
