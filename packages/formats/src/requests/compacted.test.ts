import { describe, expect, it } from 'bun:test'
import { anthropicMessages } from '../anthropic-messages/codec.ts'
import { RequestFault } from '../canonical/codec.ts'
import { chatCodecs } from '../codecs.ts'
import type { JsonObject } from '../json/value.ts'
import { openAiResponses } from '../openai-responses/codec.ts'
import { openAiCompaction } from '../openai-responses/compaction.ts'
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
