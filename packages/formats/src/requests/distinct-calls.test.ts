import { describe, expect, it } from 'bun:test'
import type { ChatCodec, EncodeContext } from '../canonical/codec.ts'
import type { ChatRequest, Message } from '../canonical/request.ts'
import { chatCodecs } from '../codecs.ts'
import { usageOf } from '../usage.ts'
import { callIdsIn, withDistinctCalls, withFreeCallIds } from './distinct-calls.ts'

const call = (id: string, number: number) =>
  ({ type: 'tool-call', id, name: 'look', arguments: `{"number":${number}}` }) as const
const result = (callId: string, number: number) =>
  ({
    type: 'tool-result',
    callId,
    name: 'look',
    content: [{ type: 'text', text: `result ${number}` }],
  }) as const
const user: Message = { role: 'user', parts: [{ type: 'text', text: 'Look.' }] }

function requestOf(...messages: readonly Message[]): ChatRequest {
  const sampling = { stop: [], candidates: 1 }
  return { model: 'm', stream: false, messages: [user, ...messages], tools: [], sampling, options: {} }
}

/** Calls that are numbered anew in each turn, two of them in one turn, and one that has the id that a copy would get. */
const shared = requestOf(
  { role: 'assistant', parts: [call('call_0', 1)] },
  { role: 'user', parts: [result('call_0', 1)] },
  { role: 'assistant', parts: [call('call_0', 2), call('call_0', 3)] },
  { role: 'user', parts: [result('call_0', 2), result('call_0', 3)] },
  { role: 'assistant', parts: [call('call_0_2', 4), call('', 5)] },
  { role: 'user', parts: [result('call_0_2', 4), result('', 5)] },
  // Its result never came: the next turn's belongs to the next turn's call.
  { role: 'assistant', parts: [call('call_0', 6)] },
  user,
  { role: 'assistant', parts: [call('call_0', 7)] },
  { role: 'user', parts: [result('call_0', 7)] },
)

/** The numbers of calls, and of the results with their ids. */
function pairsIn({ messages }: ChatRequest) {
  const numbers = new Map<string, string>()
  const paired: string[] = []
  for (const { parts } of messages)
    for (const part of parts) {
      if (part.type === 'tool-call') numbers.set(part.id, /\d+/.exec(part.arguments)?.[0] ?? '')
      if (part.type !== 'tool-result') continue
      const [text] = part.content
      paired.push(`${numbers.get(part.callId)}=${text?.type === 'text' ? /\d+/.exec(text.text)?.[0] : ''}`)
    }
  return paired
}

describe('withDistinctCalls', () => {
  it('gives each call an id of its own, and its result the same', () => {
    const distinct = withDistinctCalls(shared)
    const ids = callIdsIn(distinct)
    expect(new Set(ids).size).toBe(ids.length)
    expect(pairsIn(distinct)).toEqual(['1=1', '2=2', '3=3', '4=4', '5=5', '7=7'])
    expect(ids.slice(0, 2)).toEqual(['call_0', 'call_0_3'])
  })

  it('leaves a conversation whose calls differ as it is', () => {
    const differing = requestOf(
      { role: 'assistant', parts: [call('a', 1), call('b', 2), call('', 3), call('', 4)] },
      { role: 'user', parts: [result('b', 2), result('a', 1)] },
    )
    expect(withDistinctCalls(differing)).toBe(differing)
  })

  it.each(Object.values(chatCodecs))('pairs calls and results for an upstream of $format', (codec) => {
    const { body } = codec.encodeRequest(withDistinctCalls(shared), { model: 'm', streamOptions: false })
    const path = { model: 'm', stream: false }
    const read = codec.decodeRequest(JSON.parse(JSON.stringify({ model: 'm', ...body })), path)
    expect(pairsIn(read)).toEqual(['1=1', '2=2', '3=3', '4=4', '5=5', '7=7'])
  })

  it('takes time that grows with the calls, whatever ids they have', () => {
    const twins = Array.from({ length: 50_000 }, (_, number) => call('x', number))
    const request = requestOf({ role: 'assistant', parts: twins })
    const started = performance.now()
    expect(new Set(callIdsIn(withDistinctCalls(request))).size).toBe(twins.length)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

const codecs: readonly ChatCodec[] = Object.values(chatCodecs)

describe.each(codecs)('withFreeCallIds of $format', (codec) => {
  const context: EncodeContext = {
    model: 'm',
    responseId: 'r1',
    createdAt: 1,
    includeUsage: true,
    estimatedInputTokens: 1,
  }
  const usage = usageOf({ inputTokens: 1, outputTokens: 1 })
  const parts = [call('call_0', 1), call('call_0', 2), call('new', 3)]
  const response = { id: 'r', model: 'm', createdAt: 1, usage }
  const candidates = [{ index: 0, parts, stop: { reason: 'tool-calls' as const } }]
  const freed = withFreeCallIds(codec, () => ['call_0', 'call_0_2'])

  it('gives the calls of a response ids that its conversation does not have', () => {
    const decoded = freed.decodeResponse(
      JSON.parse(JSON.stringify(codec.encodeResponse({ ...response, candidates }, context))),
    )
    if (!decoded.ok) throw new Error(decoded.error.message)
    const ids = decoded.response.candidates[0]?.parts.map((part) => part.type === 'tool-call' && part.id)
    expect(ids).toEqual(['call_0_3', 'call_0_4', 'new'])
  })

  it('does the same in a stream', () => {
    const { encodeStream } = codec
    const state = encodeStream.start(context)
    const frames = [
      ...encodeStream.step(state, { type: 'start', id: 'r', model: 'm', createdAt: 1 }),
      ...parts.flatMap(({ id, name, arguments: text }, number) => [
        ...encodeStream.step(state, { type: 'tool-call-start', candidate: 0, call: number, id, name }),
        ...encodeStream.step(state, { type: 'tool-call-delta', candidate: 0, call: number, arguments: text }),
        ...encodeStream.step(state, { type: 'tool-call-end', candidate: 0, call: number }),
      ]),
      ...encodeStream.step(state, { type: 'stop', candidate: 0, stop: { reason: 'tool-calls' } }),
      ...encodeStream.finish(state, usage),
    ]
    const reading = freed.decodeStream.start()
    const read = frames.flatMap(({ event = '', data }) => freed.decodeStream.step(reading, { event, data }))
    const starts = [...read, ...freed.decodeStream.finish(reading)].filter(
      (part) => part.type === 'tool-call-start',
    )
    expect(starts.map(({ id }) => id)).toEqual(['call_0_3', 'call_0_4', 'new'])
  })
})
