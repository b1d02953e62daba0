import { describe, expect, it } from 'bun:test'
import { anthropicMessages } from '../codec.ts'

const failure = (status: number, type: string, message: string) => ({
  status,
  headers: { 'retry-after': '2' },
  body: JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_1' }),
})

const failed = { model: 'm', responseId: 'a', createdAt: 1 }

describe('decodeError', () => {
  it.each([
    [400, 'invalid_request_error', 'messages: too long', 'bad_request'],
    [400, 'invalid_request_error', 'Your credit balance is too low to access the API.', 'quota'],
    [400, 'invalid_request_error', 'Output blocked by content filtering policy', 'content_policy'],
    [401, 'authentication_error', 'invalid x-api-key', 'unauthorized'],
    [402, 'billing_error', 'pay', 'quota'],
    [403, 'permission_error', 'no', 'forbidden'],
    [404, 'not_found_error', 'model: x', 'model_not_found'],
    [413, 'request_too_large', 'big', 'bad_request'],
    [429, 'rate_limit_error', 'slow down', 'rate_limited'],
    [500, 'api_error', 'oops', 'upstream_bug'],
    [504, 'timeout_error', 'late', 'timeout'],
    [529, 'overloaded_error', 'Overloaded', 'overloaded'],
  ] as const)('knows what %d %s (%s) means', (status, type, message, kind) => {
    const info = anthropicMessages.decodeError(failure(status, type, message))
    expect(info).toEqual({ kind, status, message, type, code: type, param: null, retryAfterMs: 2000 })
  })

  it.each([
    ['overloaded_error', 'overloaded', 503],
    ['not_found_error', 'not_found', 404],
    ['billing_error', 'quota', 402],
    ['timeout_error', 'timeout', 504],
    ['invalid_request_error', 'bad_request', 400],
    ['api_error', 'upstream_bug', 502],
  ] as const)('gives %s inside a stream the status it stands for', (type, kind, status) => {
    expect(anthropicMessages.decodeError(failure(200, type, 'm'))).toMatchObject({ kind, status })
  })
})

describe('encodeError', () => {
  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [402, 'billing_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
    [422, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [502, 'api_error'],
    [503, 'overloaded_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
  ])('names a %d as SDKs of this format know it', (status, type) => {
    const error = {
      status,
      message: 'm',
      requestId: 'r1',
      type: 'insufficient_quota',
      param: null,
      code: null,
    }
    expect(anthropicMessages.encodeError(error)).toEqual({
      type: 'error',
      error: { type, message: 'm' },
      request_id: 'r1',
    })
    const [frame] = anthropicMessages.encodeStreamError(error, failed)
    expect(frame).toEqual({
      event: 'error',
      data: `{"type":"error","error":{"type":"${type}","message":"m"},"request_id":"r1"}`,
    })
  })
})
