import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { gemini } from '../codec.ts'

const type = (name: string) => `type.googleapis.com/google.rpc.${name}`
const failure = (status: number, body: unknown, headers = {}) => ({
  status,
  headers,
  body: JSON.stringify(body),
})
const refusal = (code: number, status: string, message = 'no', details: readonly unknown[] = []) =>
  failure(code, { error: { code, message, status, details } })

describe('decodeError', () => {
  it.each([
    [400, 'INVALID_ARGUMENT', 'bad_request'],
    [400, 'FAILED_PRECONDITION', 'bad_request'],
    [401, 'UNAUTHENTICATED', 'unauthorized'],
    [403, 'PERMISSION_DENIED', 'forbidden'],
    [404, 'NOT_FOUND', 'not_found'],
    [429, 'RESOURCE_EXHAUSTED', 'rate_limited'],
    [500, 'INTERNAL', 'upstream_bug'],
    [503, 'UNAVAILABLE', 'overloaded'],
    [504, 'DEADLINE_EXCEEDED', 'timeout'],
  ] as const)('reads %i %s as %s', (code, status, kind) => {
    expect(gemini.decodeError(refusal(code, status))).toMatchObject({
      kind,
      status: code,
      type: status,
      message: 'no',
    })
  })

  it('knows a bad key, which is a status of 400', () => {
    const details = [{ '@type': type('ErrorInfo'), reason: 'API_KEY_INVALID', domain: 'googleapis.com' }]
    expect(gemini.decodeError(refusal(400, 'INVALID_ARGUMENT', 'x', details)).kind).toBe('unauthorized')
    expect(
      gemini.decodeError(refusal(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass one.')).kind,
    ).toBe('unauthorized')
    expect(gemini.decodeError(refusal(400, 'INVALID_ARGUMENT', 'bad value "API key not valid"')).kind).toBe(
      'bad_request',
    )
  })

  it('takes a spent quota for a limit that resets, and says when', () => {
    const details = [{ '@type': type('RetryInfo'), retryDelay: '34.4s' }]
    const exhausted = refusal(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', details)
    expect(gemini.decodeError(exhausted)).toMatchObject({ kind: 'rate_limited', retryAfterMs: 34_400 })
    expect(gemini.decodeError({ ...exhausted, headers: { 'retry-after': '2' } }).retryAfterMs).toBe(2000)
    expect(
      gemini.decodeError(refusal(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.')).kind,
    ).toBe('quota')
  })

  it('knows an account at the wrong place from a request that is wrong', () => {
    const message = 'User location is not supported for the API use.'
    expect(gemini.decodeError(refusal(400, 'FAILED_PRECONDITION', message)).kind).toBe('forbidden')
  })

  it('names the field, reads a list of one, and other shapes', () => {
    const details = [
      { '@type': type('BadRequest'), fieldViolations: [{ field: 'contents[0]', description: 'd' }] },
    ]
    expect(gemini.decodeError(refusal(400, 'INVALID_ARGUMENT', 'x', details)).param).toBe('contents[0]')
    const listed = failure(429, [{ error: { code: 429, message: 'm', status: 'RESOURCE_EXHAUSTED' } }])
    expect(gemini.decodeError(listed)).toMatchObject({ kind: 'rate_limited', message: 'm' })
    expect(gemini.decodeError({ status: 502, headers: {}, body: '<html>' })).toMatchObject({
      kind: 'upstream_bug',
    })
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.jsonValue(), (status, value) => {
        gemini.decodeError(failure(status, value))
        gemini.decodeError(failure(status, { error: value }))
        gemini.decodeError(
          failure(status, { error: { details: value, status: 'constructor', message: value } }),
        )
      }),
    )
  })
})

describe('encodeError', () => {
  const error = { message: 'm', type: 'invalid_request_error', param: null, code: null }

  it.each([
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [402, 'RESOURCE_EXHAUSTED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [413, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [502, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
  ])('names %i %s', (status, name) => {
    expect(gemini.encodeError({ ...error, status })).toEqual({
      error: { code: status, message: 'm', status: name },
    })
  })

  it('is one frame in a stream, and names the field as Google does', () => {
    const [frame, ...others] = gemini.encodeStreamError(
      { ...error, status: 400, param: 'contents' },
      { model: 'm', responseId: 'a', createdAt: 1 },
    )
    expect(others).toEqual([])
    expect(frame?.event).toBeUndefined()
    expect(JSON.parse(frame?.data ?? '')).toMatchObject({
      error: { code: 400, details: [{ fieldViolations: [{ field: 'contents', description: 'm' }] }] },
    })
  })

  it('says what decodeError reads', () => {
    for (const status of [400, 401, 403, 404, 429, 503, 504]) {
      const body = JSON.stringify(gemini.encodeError({ ...error, status, param: 'p' }))
      expect(gemini.decodeError({ status, headers: {}, body })).toMatchObject({
        status,
        message: 'm',
        param: 'p',
      })
    }
  })
})
