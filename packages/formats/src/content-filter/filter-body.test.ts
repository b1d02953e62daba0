import { describe, expect, it } from 'bun:test'
import { problemsOf, type ResponseDialect, responseSchemas } from '../../../../tests/support/schemas/index.ts'
import { anthropicMessages } from '../anthropic-messages/codec.ts'
import type { ChatCodec } from '../canonical/codec.ts'
import type { ChatResponse } from '../canonical/response.ts'
import { gemini } from '../gemini/codec.ts'
import { openAiChat } from '../openai-chat/codec.ts'
import { openAiResponses } from '../openai-responses/codec.ts'
import { usageOf } from '../usage.ts'
import { automatonOf } from './build-automaton.ts'
import { filterBody, truncateBody } from './filter-body.ts'
import { textsOf } from './response-texts.ts'

const call = { model: 'm', responseId: 'id', createdAt: 1, includeUsage: true, estimatedInputTokens: 1 }
const codecs: readonly ChatCodec[] = [openAiChat, openAiResponses, anthropicMessages, gemini] as never

function response(text: string, argument: string): ChatResponse {
  const toolCall = {
    type: 'tool-call',
    id: 'call_1',
    name: 'note',
    arguments: JSON.stringify({ note: argument }),
  } as const
  return {
    id: 'up-1',
    model: 'm',
    createdAt: 1,
    candidates: [{ index: 0, parts: [{ type: 'text', text }, toolCall], stop: { reason: 'tool-calls' } }],
    usage: usageOf({ inputTokens: 3, outputTokens: 4 }),
  }
}

describe.each(codecs.map((codec) => [codec.format, codec] as const))(
  'a whole answer of %s',
  (format, codec) => {
    const schema = responseSchemas[format as ResponseDialect].buffered
    const texts = textsOf(format)
    if (texts === undefined) throw new Error('no texts')
    const automaton = automatonOf(['bad'])
    const filtered = (provided: ChatResponse, stop: boolean) =>
      filterBody(JSON.stringify(codec.encodeResponse(provided, call)), texts, { automaton, stop })

    it('is left alone without a word', () => {
      expect(filtered(response('All good.', 'fine'), true)).toBeUndefined()
      expect(filtered(response('All good.', 'fine'), false)).toBeUndefined()
    })

    it('keeps the digits of its numbers beside a replaced word', () => {
      const provided = response('A Bad one.', '9007199254740993123')
      const body = JSON.stringify(codec.encodeResponse(provided, call)).replace(
        /\\?"9007199254740993123\\?"/g,
        '9007199254740993123',
      )
      const filteredBody = filterBody(body, texts, { automaton, stop: false })?.body
      expect(filteredBody).not.toContain('Bad')
      expect(filteredBody).toContain(':9007199254740993123}')
    })

    it('has words replaced, in texts and in arguments', () => {
      const { body = '' } = filtered(response('A Bad one.', 'bad idea'), false) ?? {}
      expect(problemsOf(schema, JSON.parse(body))).toBe('')
      expect(body).toContain('A **###** one.')
      expect(body).toContain('**###** idea')
      expect(body).not.toMatch(/\bbad\b/i)
    })

    it('ends before the word by the filter’s reason, and makes no call behind it', () => {
      const { body = '', text } = filtered(response('A Bad one.', 'fine'), true) ?? {}
      expect(problemsOf(schema, JSON.parse(body))).toBe('')
      const read = codec.decodeResponse(JSON.parse(body))
      if (!read.ok) throw new Error('not read')
      const [candidate] = read.response.candidates
      expect(candidate?.parts).toEqual([{ type: 'text', text: 'A ' }])
      expect(['content-filter', 'refused']).toContain(candidate?.stop.reason ?? '')
      expect(text).toBe('A ')
    })

    it('ends at a length by the reason of a limit, inside no character, and makes no call behind it', () => {
      const cut = (provided: ChatResponse, length: number) =>
        truncateBody(JSON.stringify(codec.encodeResponse(provided, call)), texts, length)
      expect(cut(response('All good.', 'fine'), 1000)).toBeUndefined()
      const { body = '', text } = cut(response('Good 🙂 words', 'fine'), 6) ?? {}
      expect(problemsOf(schema, JSON.parse(body))).toBe('')
      const read = codec.decodeResponse(JSON.parse(body))
      if (!read.ok) throw new Error('not read')
      const [candidate] = read.response.candidates
      expect(candidate?.parts).toEqual([{ type: 'text', text: 'Good ' }])
      expect(candidate?.stop.reason).toBe('length')
      expect(text).toBe('Good ')
    })

    it('makes no call with a word in its arguments', () => {
      const { body = '' } = filtered(response('Well.', 'a bad idea'), true) ?? {}
      const read = codec.decodeResponse(JSON.parse(body))
      if (!read.ok) throw new Error('not read')
      expect(read.response.candidates[0]?.parts).toEqual([{ type: 'text', text: 'Well.' }])
    })
  },
)
