import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { decodeErrorBody } from '../../errors/decode-error.ts'
import type { BufferedResponse } from '../../streams/response-body.ts'
import { readChatResponse, readEmbeddingResponse } from './decode-response.ts'

const chat = (body: unknown) =>
  readChatResponse(typeof body === 'string' ? body : JSON.stringify(body), decodeErrorBody)
const embedding = (body: unknown) =>
  readEmbeddingResponse(typeof body === 'string' ? body : JSON.stringify(body), decodeErrorBody)
const usageOf = (response: BufferedResponse) => (response.ok ? response.usage : response.error)
const textOf = (response: BufferedResponse) => (response.ok ? response.delivered() : response.error)
const kindOf = (response: BufferedResponse) => (response.ok ? 'ok' : response.error.kind)

const usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 }
const message = { role: 'assistant', content: 'Hello there.' }
const response = {
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message, finish_reason: 'stop' }],
  usage,
}

describe('readChatResponse', () => {
  it('finds the usage', () => {
    expect(usageOf(chat(response))).toMatchObject({ inputTokens: 12, outputTokens: 5 })
    expect(usageOf(chat(`\n\n\n${JSON.stringify(response)}`))).toMatchObject({ inputTokens: 12 })
  })

  it.each([
    [undefined],
    [null],
    [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
    [{ prompt_tokens: -3, completion_tokens: 5 }],
    [{ prompt_tokens: 3, completion_tokens: 1e300 }],
    [{ prompt_tokens: 3, completion_tokens: 0 }],
  ])('leaves the counting to the gateway when the usage is %j', (bad) => {
    expect(usageOf(chat({ ...response, usage: bad }))).toBeUndefined()
    expect(textOf(chat({ ...response, usage: bad }))).toEqual({
      text: 'Hello there.',
      overflowBytes: 0,
      toolCalls: 0,
    })
  })

  it('takes a response without a single choice for a failure, whatever it counts', () => {
    expect(kindOf(chat({ ...response, choices: [] }))).toBe('upstream_bug')
  })

  it('believes no completion tokens where nothing was said', () => {
    const silent = { ...response, choices: [{ index: 0, message: { role: 'assistant', content: '' } }] }
    expect(usageOf(chat({ ...silent, usage: { prompt_tokens: 3, completion_tokens: 0 } }))).toMatchObject({
      inputTokens: 3,
    })
  })

  it('gives all the text there is to count', () => {
    const full = {
      choices: [
        {
          message: {
            content: 'a',
            reasoning: 'b',
            refusal: 'c',
            tool_calls: [{ function: { name: 'd', arguments: '{}' } }],
          },
        },
        { text: 'e' },
      ],
    }
    expect(textOf(chat(full))).toEqual({ text: 'bacd{}e', overflowBytes: 0, toolCalls: 1 })
  })

  it.each([
    [{ error: { message: 'x', code: 'insufficient_quota' } }, 'quota'],
    [{ ...response, error: { code: 502, message: 'Provider down' } }, 'upstream_bug'],
    [{ error: 'bad' }, 'upstream_bug'],
    [{ base_resp: { status_code: 1004, status_msg: 'login fail' }, choices: null }, 'upstream_bug'],
    [{ success: false, errors: [{ code: 10000, message: 'Authentication error' }] }, 'upstream_bug'],
    [{ object: 'chat.completion' }, 'upstream_bug'],
    ['', 'upstream_bug'],
    ['<html>hello</html>', 'upstream_bug'],
    [JSON.stringify(response).slice(0, -9), 'upstream_bug'],
    ['[]', 'upstream_bug'],
    ['null', 'upstream_bug'],
  ] as const)('takes %j for a failure of kind %s', (body, kind) => {
    expect(kindOf(chat(body))).toBe(kind)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.string(),
        (value, text) => void [chat(value as object), chat(text), embedding(text)],
      ),
    )
  })
})

describe('readEmbeddingResponse', () => {
  const list = {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.1, -2e-3] }],
    model: 'm',
  }

  it('finds the usage, also where there is only a total', () => {
    expect(usageOf(embedding({ ...list, usage: { prompt_tokens: 3, total_tokens: 3 } }))).toMatchObject({
      inputTokens: 3,
      outputTokens: 0,
    })
    expect(usageOf(embedding({ ...list, usage: { total_tokens: 38 } }))).toMatchObject({
      inputTokens: 38,
      outputTokens: 0,
    })
    expect(usageOf(embedding(list))).toBeUndefined()
    expect(usageOf(embedding({ ...list, usage: { prompt_tokens: -1 } }))).toBeUndefined()
  })

  it('takes errors and broken bodies for failures', () => {
    const bodies = [
      { error: { message: 'x' } },
      { ...list, error: { message: 'x' } },
      { detail: 'Unauthorized' },
      JSON.stringify(list).slice(0, -3),
      '',
      'no',
    ]
    for (const body of bodies) expect(kindOf(embedding(body))).not.toBe('ok')
    expect(kindOf(embedding({ ...list, error: null }))).toBe('ok')
  })
})
