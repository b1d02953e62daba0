import { describe, expect, it } from 'bun:test'
import { chatCodecs } from '../codecs.ts'
import { type Refusal, refusals } from '../test-support/refusals/index.ts'
import { type CodeKinds, decodeErrorBody } from './decode-error.ts'
import { errorForms } from './forms/index.ts'
import type { UpstreamErrorInfo } from './upstream-error.ts'

/** Codes that only their providers know. */
const providerCodes: CodeKinds = { '1112': 'suspended', '1308': 'account_limited' }

function decode({ of, status, body, headers = {} }: Refusal): UpstreamErrorInfo {
  const failure = { status, headers, body: JSON.stringify(body) }
  return /^(gemini|vertex|google)/.test(of)
    ? chatCodecs.gemini.decodeError(failure)
    : decodeErrorBody(failure, providerCodes)
}

describe('forms of failures', () => {
  it.each(refusals.map((refusal) => [refusal.of, refusal.kind, refusal] as const))(
    'name a refusal of %s: %s',
    (_of, kind, refusal) => {
      const { kind: named, tokens } = decode(refusal)
      expect({ kind: named, tokens }).toEqual({ kind, tokens: refusal.tokens })
    },
  )

  it('say where each is documented or was reported, and when its row was written', () => {
    for (const { codes, begins, contains, source, date } of errorForms) {
      expect(codes ?? begins ?? contains).toBeDefined()
      expect(source).toStartWith('https://')
      expect(date).toMatch(/^20\d\d-\d\d$/)
    }
  })

  it('match anywhere in a message only where they concern the call alone', () => {
    const ofCall = new Set(['context_overflow', 'output_limit'])
    for (const { kind, contains } of errorForms) if (contains) expect(ofCall.has(kind)).toBe(true)
  })

  it('do not take tokens of a minute for a prompt that is too long', () => {
    const headers = { 'x-amzn-errortype': 'ThrottlingException' }
    const body = '{"message":"Too many tokens, please wait before trying again."}'
    expect(decodeErrorBody({ status: 429, headers, body }).kind).toBe('rate_limited')
    expect(decodeErrorBody({ status: 429, headers: {}, body }).kind).toBe('rate_limited')
  })

  it('do not take a wrong parameter for a model that is unknown, which would cool the model down for all', () => {
    const kindOf = (message: string) =>
      decodeErrorBody({ status: 400, headers: {}, body: JSON.stringify({ error: { message } }) }).kind
    expect(kindOf('Unsupported model parameter: top_k')).toBe('bad_request')
    expect(kindOf('Invalid model: x')).toBe('model_not_found')
  })

  it('do not believe a server in trouble what it says of keys', () => {
    const failure = { status: 500, headers: {}, body: '{"error":"Invalid API key"}' }
    expect(decodeErrorBody(failure).kind).toBe('upstream_bug')
  })

  it.each([
    ['Rate limit. Please try again in 1.5s.', 1500],
    ['Please try again in 250ms.', 250],
    ['Please retry in 27.5s.', 27_500],
    ['Slow down.', undefined],
  ])('read the wait from %j', (message, wait) => {
    const body = JSON.stringify({ error: { message } })
    expect(decodeErrorBody({ status: 429, headers: {}, body }).retryAfterMs).toBe(wait)
  })

  it('find two counts in words of no known form', () => {
    const of = (message: string) =>
      decodeErrorBody({ status: 400, headers: {}, body: JSON.stringify({ error: { message } }) }).tokens
    expect(of('Input is too long for this model: 9,000 tokens, the limit is 8192 tokens')).toEqual({
      prompt: 9000,
      max: 8192,
    })
    expect(of('The context window is exceeded')).toBeUndefined()
  })
})
