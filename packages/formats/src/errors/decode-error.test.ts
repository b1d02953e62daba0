import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { decodeErrorBody } from './decode-error.ts'

const decode = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  decodeErrorBody({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) })

describe('decodeErrorBody', () => {
  it.each([
    // OpenAI
    [
      401,
      {
        error: {
          message: 'Incorrect API key provided: sk-x***y.',
          type: 'invalid_request_error',
          param: null,
          code: 'invalid_api_key',
        },
      },
      'unauthorized',
    ],
    [
      429,
      {
        error: {
          message: 'You exceeded your current quota',
          type: 'insufficient_quota',
          code: 'insufficient_quota',
        },
      },
      'quota',
    ],
    [
      429,
      {
        error: {
          message: 'Rate limit reached. See https://x/account/billing',
          type: 'requests',
          code: 'rate_limit_exceeded',
        },
      },
      'rate_limited',
    ],
    [404, { error: { message: 'The model `x` does not exist', code: 'model_not_found' } }, 'model_not_found'],
    [400, { error: { message: 'too long', code: 'context_length_exceeded' } }, 'context_overflow'],
    [
      400,
      { error: { message: 'Your request was rejected', code: 'content_policy_violation' } },
      'content_policy',
    ],
    [500, { error: { message: 'The server had an error', type: 'server_error' } }, 'upstream_bug'],
    [503, { error: { message: 'Overloaded', type: 'server_error' } }, 'overloaded'],
    // xAI
    [
      400,
      { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***y.' },
      'unauthorized',
    ],
    [403, { code: 'x', error: "Your newly created team doesn't have any credits yet." }, 'quota'],
    // Mistral
    [401, { detail: 'Unauthorized' }, 'unauthorized'],
    [
      422,
      {
        object: 'error',
        message: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'stream_options'],
              msg: 'Extra inputs are not permitted',
            },
          ],
        },
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
      'bad_request',
    ],
    [
      429,
      {
        object: 'error',
        message: 'Service tier capacity exceeded for this model.',
        type: 'service_tier_capacity_exceeded',
        code: '3505',
      },
      'rate_limited',
    ],
    // DeepSeek
    [402, { error: { message: 'Insufficient Balance' } }, 'quota'],
    // SiliconFlow
    [
      400,
      { code: 20012, message: 'Model does not exist. Please check it carefully.', data: null },
      'model_not_found',
    ],
    [403, { code: 30001, message: 'Sorry, your account balance is insufficient', data: null }, 'quota'],
    [401, '"Invalid token"', 'unauthorized'],
    // Moonshot
    [429, { error: { message: 'busy', type: 'engine_overloaded_error' } }, 'overloaded'],
    [429, { error: { message: 'suspended', type: 'exceeded_current_quota_error' } }, 'quota'],
    // Volcengine
    [404, { error: { code: 'InvalidEndpointOrModel.NotFound', message: 'x' } }, 'model_not_found'],
    [400, { error: { code: 'SensitiveContentDetected', message: 'x' } }, 'content_policy'],
    [429, { error: { code: 'RateLimitExceeded.EndpointTPMExceeded', message: 'x' } }, 'rate_limited'],
    // Baidu
    [429, { error: { code: 'rpm_rate_limit_exceeded', message: 'x' } }, 'rate_limited'],
    [401, { error: { code: 'invalid_iam_token', message: 'Failed to auth' } }, 'unauthorized'],
    // OpenRouter
    [402, { error: { code: 402, message: 'no credit' } }, 'quota'],
    [200, { error: { code: 429, message: 'busy' } }, 'rate_limited'],
    // Cloudflare, Ollama, FastAPI
    [
      429,
      { success: false, errors: [{ code: 3040, message: 'Capacity' }], messages: [], result: null },
      'rate_limited',
    ],
    [404, { error: "model 'x' not found" }, 'model_not_found'],
    [422, { detail: [{ loc: ['body', 'n'], msg: 'too big', type: 'v' }] }, 'bad_request'],
    // Google's compatible API responds with a list
    [429, [{ error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } }], 'rate_limited'],
    // by status alone
    [403, '<html>Forbidden</html>', 'forbidden'],
    [408, '', 'timeout'],
    [413, '', 'bad_request'],
    [429, '', 'rate_limited'],
    [502, '<html>Bad gateway</html>', 'upstream_bug'],
    [504, '<html></html>', 'timeout'],
    [529, '', 'overloaded'],
    [302, '', 'upstream_bug'],
    [200, '<html></html>', 'upstream_bug'],
  ] as const)('names the kind of %i %j: %s', (status, body, kind) => {
    expect(decode(status, body).kind).toBe(kind)
  })

  it('finds message, type, code and param', () => {
    expect(decode(400, { error: { message: 'm', type: 't', param: 'p', code: 7 } })).toEqual({
      kind: 'bad_request',
      status: 400,
      message: 'm',
      type: 't',
      code: '7',
      param: 'p',
    })
    expect(decode(422, { message: { detail: [{ loc: ['body', 'seed'], msg: 'no' }] } }).message).toBe(
      'body.seed: no',
    )
    expect(decode(400, { success: false, errors: [{ message: 'a' }, { message: 'b' }] }).message).toBe('a; b')
  })

  it('says the status where the body says nothing', () => {
    expect(decode(418, '')).toMatchObject({
      message: 'The upstream responded with status 418.',
      type: 'upstream_error',
      code: 'bad_response_status_code',
      param: null,
    })
  })

  it('gives a failure inside a 200 the status that it stands for', () => {
    expect(decode(200, { error: { message: 'x', code: 'insufficient_quota' } }).status).toBe(402)
    expect(decode(200, { error: { message: 'x', code: 502 } }).status).toBe(502)
    expect(decode(200, 'garbage').status).toBe(502)
  })

  it('does not take a channel for broken because a caller quotes an error', () => {
    const quoting =
      "Invalid value: 'Incorrect API key provided'. Insufficient balance. Supported values are: 'a'."
    expect(
      decode(400, { error: { message: quoting, type: 'invalid_request_error', param: 'x', code: null } })
        .kind,
    ).toBe('bad_request')
  })

  it("prefers what the provider knows of its codes, and is not fooled by names of the language's own", () => {
    const failure = { status: 400, headers: {}, body: '{"error":{"code":"1301","message":"x"}}' }
    expect(decodeErrorBody(failure, { '1301': 'content_policy' }).kind).toBe('content_policy')
    const strange = { status: 400, headers: {}, body: '{"error":{"code":"constructor","message":"x"}}' }
    expect(decodeErrorBody(strange, {}).kind).toBe('bad_request')
  })

  it('cuts messages that are logs', () => {
    expect(decode(500, { error: { message: 'x'.repeat(100_000) } }).message.length).toBe(2000)
  })

  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT', date: 'Wed, 21 Oct 2026 07:28:30 GMT' }, 0],
    [{ 'retry-after': '999999999' }, 86_400_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }, undefined],
    [{}, undefined],
  ] as const)('reads how long to wait from %j: %p ms', (headers, expected) => {
    expect(decode(429, '', headers).retryAfterMs).toBe(expected)
  })

  it('never throws', () => {
    const soup = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    )
    const key = fc.constantFrom(
      'error',
      'message',
      'detail',
      'errors',
      'code',
      'choices',
      'base_resp',
      'Response',
    )
    const body = fc.dictionary(key, fc.jsonValue()).map((value) => JSON.stringify(value))
    fc.assert(
      fc.property(fc.oneof(soup, body), fc.nat(600), (text, status) => void decode(status, text)),
      { numRuns: 1000 },
    )
    decode(400, `{"detail":${'{"detail":'.repeat(5000)}1${'}'.repeat(5000)}}`)
    decode(400, '['.repeat(100_000))
  })

  it('reads the name that AWS gives in a header, where the body has none', () => {
    const aws = (name: string, body = '{"message":"no"}') =>
      decodeErrorBody({ status: 400, headers: { 'x-amzn-errortype': name }, body })
    expect(aws('ThrottlingException')).toMatchObject({
      kind: 'rate_limited',
      code: 'ThrottlingException',
      message: 'no',
    })
    expect(aws('ExpiredTokenException:http://internal.amazon.com/')).toMatchObject({
      kind: 'unauthorized',
      code: 'ExpiredTokenException',
    })
    expect(aws('ValidationException', '{"code":"own","message":"x"}').code).toBe('own')
  })

  it('takes the type of a response for no error', () => {
    expect(decode(200, { type: 'message', content: null })).toMatchObject({ type: 'upstream_error' })
    expect(decode(200, { object: 'response', status: 'completed' })).toMatchObject({ type: 'upstream_error' })
    const ended = (reason: string) => decode(200, { choices: [{ finish_reason: reason }] }).message
    expect(ended('error')).toBe('the upstream ended its response with "error"')
    expect(ended('stop')).toContain('instead of a response')
    expect(decode(500, { type: 'overloaded_error' })).toMatchObject({ type: 'overloaded_error' })
  })
})
