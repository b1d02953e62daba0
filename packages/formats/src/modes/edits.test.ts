import { describe, expect, it } from 'bun:test'
import { usageOf } from '../usage.ts'
import { openAiEdits } from './edits.ts'

const requested = { model: 'm', instruction: 'Fix the spelling', input: 'Helo', n: 2 }

describe('openAiEdits', () => {
  it('is asked as chat', () => {
    expect(openAiEdits.inspectRequest(requested, {})).toMatchObject({
      model: 'm',
      stream: false,
      candidates: 2,
    })
    const { messages } = openAiEdits.decodeRequest(requested, {})
    expect(JSON.stringify(messages)).toMatch(/Fix the spelling.*Helo/s)
    const without = openAiEdits.decodeRequest({ ...requested, input: '' }, {})
    expect(JSON.stringify(without.messages)).toContain('Fix the spelling')
  })

  it('names the field that is wrong', () => {
    for (const [field, change] of [
      ['model', { model: 5 }],
      ['instruction', { instruction: '' }],
      ['input', { input: ['x'] }],
      ['n', { n: 0 }],
    ] as const) {
      expect(() => openAiEdits.inspectRequest({ ...requested, ...change }, {})).toThrow(field)
    }
  })

  it('is answered as an edit', () => {
    const reading = openAiEdits.decodeResponse({
      id: 'chatcmpl-1',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    })
    if (!reading.ok) throw new Error('no answer')
    const call = { model: 'm', responseId: 'x', createdAt: 7, includeUsage: true, estimatedInputTokens: 1 }
    const usage = usageOf({ inputTokens: 3, outputTokens: 1 })
    expect(openAiEdits.encodeResponse({ ...reading.response, usage }, call)).toMatchObject({
      object: 'edit',
      created: 7,
      choices: [{ text: 'Hello', index: 0 }],
      usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
    })
  })
})
