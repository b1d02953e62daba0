import { describe, expect, it } from 'bun:test'
import { anthropicMessages } from '../anthropic-messages/codec.ts'
import { RequestFault } from '../canonical/codec.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { chatCodecs } from '../codecs.ts'
import { scanTopLevel } from '../json/text.ts'
import type { JsonObject } from '../json/value.ts'
import { openAiResponses } from '../openai-responses/codec.ts'
import { asksForCompaction, openAiCompaction, openAiCompactionTurn } from '../openai-responses/compaction.ts'
import { noUsage } from '../usage.ts'
import { compactedText } from './compacted.ts'

const requested = { role: 'user', content: 'and now?' }

function faultOf(decode: () => unknown): RequestFault | undefined {
  try {
    decode()
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
  return undefined
}

describe('a conversation that OpenAI compacted', () => {
  const compacted = (type: string) => ({ type, id: 'cmp_1', encrypted_content: 'gAAA' })

  it.each(['compaction', 'compaction_summary', 'context_compaction', 'some_later_item'])(
    'is refused by the name of its item for an upstream that cannot read it: %s',
    (type) => {
      for (const [position, input] of [
        [0, [compacted(type), requested]],
        [1, [requested, compacted(type), requested]],
      ] as const)
        for (const codec of [openAiResponses, openAiCompaction]) {
          const fault = faultOf(() => codec.decodeRequest({ model: 'm', input }, {}))
          expect(fault).toMatchObject({ param: `input[${position}]` })
          expect(fault?.message).toContain(`input[${position}] (${type})`)
        }
    },
  )

  it('is refused without the encrypted part, too', () => {
    const input = [{ type: 'compaction', id: 'cmp_1' }, requested]
    expect(faultOf(() => openAiResponses.decodeRequest({ model: 'm', input }, {}))?.param).toBe('input[0]')
  })

  it('passes as received to an upstream of its own format', () => {
    const facts = openAiResponses.inspectRequest(
      { model: 'm', input: [compacted('compaction'), requested] },
      {},
    )
    expect(facts.model).toBe('m')
  })
})

describe('a turn that asks for compaction', () => {
  const call = { model: 'm', responseId: 'resp_1', createdAt: 1, includeUsage: true, estimatedInputTokens: 1 }
  const tools = [{ type: 'function', name: 'f', parameters: { type: 'object' } }]
  const body = { model: 'm', tools, input: [requested, { type: 'compaction_trigger' }] }
  const item = { type: 'compaction', encrypted_content: 'tollgate.summary.They met.' }

  it('is one with the signal in its input, and no other', () => {
    expect(asksForCompaction(body)).toBe(true)
    for (const input of [undefined, 'compaction_trigger', [requested], [{ type: 'compaction' }], [null]])
      expect(asksForCompaction({ input })).toBe(false)
  })

  it.each([false, true])('is a request for a summary at other formats (stream: %s)', (stream) => {
    const request = openAiCompactionTurn.decodeRequest({ ...body, stream }, {})
    expect(request).toMatchObject({ stream, toolChoice: { type: 'none' } })
    expect(request.messages.map(({ role }) => role)).toEqual(['user', 'user'])
    expect(JSON.stringify(request.messages.at(-1))).toContain('Summarize the conversation')
    expect(openAiCompactionTurn.promptOf(body).texts.join()).toContain('Summarize the conversation')
  })

  it('is answered by one item, buffered and streamed', () => {
    const parts = [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: ' They met. ' },
    ] as const
    const candidates = [{ index: 0, parts, stop: { reason: 'stop' } as const }]
    const response = { id: '', model: 'x', createdAt: 0, candidates, usage: noUsage }
    expect(openAiCompactionTurn.encodeResponse(response, call)).toMatchObject({
      object: 'response',
      status: 'completed',
      output: [item],
    })
    const { encodeStream } = openAiCompactionTurn
    const state = encodeStream.start(call)
    const frames = [
      { type: 'start', id: '', model: 'x', createdAt: 0 },
      { type: 'reasoning-delta', candidate: 0, text: 'hm' },
      { type: 'text-delta', candidate: 0, text: ' They ' },
      { type: 'text-delta', candidate: 0, text: 'met. ' },
      { type: 'stop', candidate: 0, stop: { reason: 'stop' } },
    ].flatMap((part) => encodeStream.step(state, part as ChatPart))
    frames.push(...encodeStream.finish(state, noUsage))
    expect(frames.map(({ event }) => event)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.output_item.done',
      'response.completed',
    ])
    expect(JSON.parse(frames.at(-2)?.data ?? '')).toMatchObject({ item })
    expect(JSON.parse(frames.at(-1)?.data ?? '').response.output).toMatchObject([item])
  })

  it('fails without a summary', () => {
    const candidates = [{ index: 0, parts: [], stop: { reason: 'stop' } as const }]
    const empty = { id: '', model: 'x', createdAt: 0, candidates, usage: noUsage }
    expect(openAiCompactionTurn.faultOf?.(empty)).toMatchObject({ status: 502 })
    const { encodeStream } = openAiCompactionTurn
    const last = encodeStream.finish(encodeStream.start(call), noUsage).at(-1)
    expect(last?.event).toBe('response.failed')
  })

  it.each(Object.keys(chatCodecs) as (keyof typeof chatCodecs)[])('goes on from its item at %s', (target) => {
    const next = { model: 'm', input: [item, requested] }
    const request = openAiResponses.decodeRequest(next, {})
    const { body } = chatCodecs[target].encodeRequest(request, { model: 'm', streamOptions: true })
    expect(JSON.stringify(body)).toContain(JSON.stringify(compactedText('They met.')).slice(1, -1))
    expect(openAiResponses.promptOf(next).messages[0]?.texts).toEqual(['They met.'])
  })

  it('goes on at an upstream of its own format, which cannot read the item, in words', () => {
    const next = { model: 'm', input: [item, requested] }
    const text = JSON.stringify(next)
    const scan = scanTopLevel(text, 64)
    if (!scan.ok) throw new Error('no object')
    const facts = openAiResponses.inspectRequest(next, {})
    const edits = openAiResponses.nativeEdits({ text, scan, body: next }, facts, {
      model: 'm',
      streamOptions: false,
    })
    expect(JSON.parse(edits.get('input') ?? '')).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: compactedText('They met.') }] },
      requested,
    ])
  })
})

describe('a conversation that Anthropic compacted', () => {
  const conversation = (block: JsonObject): JsonObject => ({
    model: 'm',
    max_tokens: 9,
    system: 'Be kind.',
    messages: [
      { role: 'user', content: 'long ago' },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'before' }, block, { type: 'text', text: 'after' }],
      },
      requested,
    ],
  })
  const decode = (block: JsonObject) => anthropicMessages.decodeRequest(conversation(block), {})

  it.each(Object.keys(chatCodecs) as (keyof typeof chatCodecs)[])(
    'goes on from its summary at %s',
    (target) => {
      const request = decode({ type: 'compaction', content: 'They met.', encrypted_content: 'x' })
      expect(request.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
      const { body } = chatCodecs[target].encodeRequest(request, { model: 'm', streamOptions: true })
      const text = JSON.stringify(body)
      for (const retained of [
        'Be kind.',
        JSON.stringify(compactedText('They met.')).slice(1, -1),
        'after',
        'and now?',
      ])
        expect(text).toContain(retained)
      expect(text).not.toMatch(/long ago|before"/)
    },
  )

  it('is refused by the name of its block where nothing of it can be read', () => {
    const fault = faultOf(() => decode({ type: 'compaction', content: null, encrypted_content: 'x' }))
    expect(fault).toMatchObject({ param: 'messages[1].content[1]' })
  })

  it('is whole after a compaction that failed', () => {
    const { messages } = decode({ type: 'compaction', content: null })
    expect(JSON.stringify(messages)).toContain('long ago')
  })
})
