import { describe, expect, it } from 'bun:test'
import { readError, responseParts } from './response-part.ts'

const chunk = (delta: object, more: object = {}) =>
  JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, ...more }] })

describe('answerParts', () => {
  it('reads text and reasoning of a stream event', () => {
    expect(responseParts(chunk({ content: 'Hello' }))).toEqual([{ type: 'text', text: 'Hello' }])
    expect(responseParts(chunk({ reasoning_content: 'Hm.' }))).toEqual([{ type: 'reasoning', text: 'Hm.' }])
    expect(responseParts(chunk({ reasoning: 'Hm.', content: '' }))).toEqual([
      { type: 'reasoning', text: 'Hm.' },
    ])
  })

  it('reads why it stopped and what it used', () => {
    expect(responseParts(chunk({}, { finish_reason: 'length' }))).toEqual([
      { type: 'stop', reason: 'length' },
    ])
    const usage = { prompt_tokens: 38, completion_tokens: 231, total_tokens: 269 }
    expect(responseParts(JSON.stringify({ choices: [], usage }))).toEqual([
      { type: 'usage', usage: { promptTokens: 38, completionTokens: 231 } },
    ])
  })

  it('reads a buffered response', () => {
    const body = {
      choices: [
        { message: { role: 'assistant', content: 'Hi', reasoning_content: 'So.' }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    }
    expect(responseParts(JSON.stringify(body)).map((part) => part.type)).toEqual([
      'reasoning',
      'text',
      'stop',
      'usage',
    ])
  })

  it('reads an error event', () => {
    const event = {
      error: { message: 'The upstream broke off. (request id: 2026abc)', code: 'upstream_cut' },
    }
    expect(responseParts(JSON.stringify(event))).toEqual([
      { type: 'error', error: { message: 'The upstream broke off.', status: 200, code: 'upstream_cut' } },
    ])
  })

  it('finds nothing in what it does not know', () => {
    for (const odd of ['', 'not json', 'null', '[]', '7', '{}', '{"choices":{}}', '{"choices":[null]}']) {
      expect(responseParts(odd)).toEqual([])
    }
  })
})

describe('readError', () => {
  it('reads the shapes gateways and consoles use', () => {
    const openai = { error: { message: 'No price yet.', type: 'x', code: 'model_price_error' } }
    expect(readError(400, JSON.stringify(openai))).toEqual({
      message: 'No price yet.',
      status: 400,
      code: 'model_price_error',
    })
    const envelope = { success: false, message: 'Too many', code: 'rate' }
    expect(readError(429, JSON.stringify(envelope))).toEqual({
      message: 'Too many',
      status: 429,
      code: 'rate',
    })
    expect(readError(500, '{"error":"plain"}').message).toBe('plain')
  })

  it('shows no pages, and nothing endless', () => {
    expect(readError(502, '<html><body>Bad gateway</body></html>').message).toBe('')
    expect(readError(502, 'Bad gateway\n').message).toBe('Bad gateway')
    expect(readError(500, JSON.stringify({ error: { message: 'x'.repeat(5000) } })).message.length).toBe(601)
  })
})
