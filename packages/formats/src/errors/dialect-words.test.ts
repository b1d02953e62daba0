import { describe, expect, it } from 'bun:test'
import { chatCodecs } from '../codecs.ts'
import { encodeRealtimeError } from '../openai-realtime/session-events.ts'
import type { TokenCounts } from './token-counts.ts'
import { type ApiError, type UpstreamErrorKind, upstreamErrorKinds } from './upstream-error.ts'

const suffix = ' (request id: r1)'

function failure(kind: UpstreamErrorKind, message: string, tokens?: TokenCounts): ApiError {
  return {
    status: 400,
    message: message + suffix,
    requestId: 'r1',
    type: 'BadRequestError',
    param: null,
    code: '400',
    kind,
    ...(tokens && { tokens }),
  }
}

type Format = keyof typeof chatCodecs
const formats = Object.keys(chatCodecs) as readonly Format[] // Its keys are the formats.
const bodyIn = (format: Format, error: ApiError) => JSON.stringify(chatCodecs[format].encodeError(error))
const messageIn = (format: Format, error: ApiError) =>
  (chatCodecs[format].encodeError(error) as { error: { message: string } }).error.message

describe('a prompt that is too long', () => {
  const words: readonly (readonly [Format, TokenCounts | undefined, string])[] = [
    [
      'openai-chat',
      { prompt: 9, max: 8 },
      "This model's maximum context length is 8 tokens. However, your messages resulted in 9 tokens. Please reduce the length of the messages. Input tokens exceed the configured limit.",
    ],
    [
      'openai-chat',
      { prompt: 6, output: 3, max: 8 },
      "This model's maximum context length is 8 tokens. However, you requested 9 tokens (6 in the messages, 3 in the completion). Please reduce the length of the messages or completion.",
    ],
    [
      'openai-chat',
      { total: 9, max: 8 },
      "This model's maximum context length is 8 tokens. However, you requested 9 tokens. Please reduce the length of the messages. Input tokens exceed the configured limit.",
    ],
    [
      'openai-chat',
      { max: 8 },
      "This model's maximum context length is 8 tokens. Please reduce the length of the messages. Input tokens exceed the configured limit.",
    ],
    [
      'openai-chat',
      undefined,
      "This model's maximum context length is exceeded. Please reduce the length of the messages. Input tokens exceed the configured limit.",
    ],
    [
      'openai-responses',
      undefined,
      'Your input exceeds the context window of this model. Please adjust your input and try again. Input tokens exceed the configured limit.',
    ],
    ['anthropic-messages', { prompt: 9, max: 8 }, 'prompt is too long: 9 tokens > 8 maximum'],
    [
      'anthropic-messages',
      { prompt: 6, output: 3, max: 8 },
      'prompt is too long: 9 tokens > 8 maximum (input length and `max_tokens` exceed context limit: 6 + 3 > 8, decrease input length or `max_tokens` and try again)',
    ],
    ['anthropic-messages', { max: 8 }, 'prompt is too long: it has more tokens than the maximum of 8'],
    ['anthropic-messages', undefined, 'prompt is too long: it exceeds the context window of this model'],
    [
      'gemini',
      { prompt: 9, max: 8 },
      'The input token count (9) exceeds the maximum number of tokens allowed (8).',
    ],
    ['gemini', { max: 8 }, 'The input token count exceeds the maximum number of tokens allowed (8).'],
    [
      'gemini',
      undefined,
      'The input token count exceeds the maximum number of tokens allowed for this model.',
    ],
  ]
  it.each(words)('is said to a caller of %s with %j', (format, tokens, message) => {
    expect(messageIn(format, failure('context_overflow', 'too long', tokens))).toBe(message + suffix)
  })

  it('has the code by which clients of OpenAI compact, also in streams and sessions', () => {
    const error = failure('context_overflow', 'too long')
    const call = { model: 'm', responseId: 'r', createdAt: 0 }
    const named = '"code":"context_length_exceeded"'
    for (const format of ['openai-chat', 'openai-responses'] as const) {
      expect(bodyIn(format, error)).toContain(named)
      const events = chatCodecs[format].encodeStreamError(error, call)
      for (const { data } of events) expect(data).toContain(named)
    }
    expect(encodeRealtimeError(error, 'e')).toContain(named)
  })

  it.each<[Format, string]>([
    [
      'openai-chat',
      "This model's maximum context length is 8 tokens. However, your messages resulted in 9 tokens.",
    ],
    [
      'openai-responses',
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ],
    ['anthropic-messages', 'prompt is too long: 9 tokens > 8 maximum'],
    [
      'anthropic-messages',
      'input length and `max_tokens` exceed context limit: 6 + 3 > 8, decrease input length or `max_tokens` and try again',
    ],
    ['gemini', 'The input token count (9) exceeds the maximum number of tokens allowed (8).'],
  ])("passes unchanged where the upstream uses %s's own words: %s", (format, message) => {
    expect(messageIn(format, failure('context_overflow', message, { prompt: 9, max: 8 }))).toBe(
      message + suffix,
    )
  })
})

describe('too much requested output', () => {
  const tokens = { output: 9, max: 8 }
  it.each<[Format, string]>([
    [
      'openai-chat',
      'max_tokens is too large: 9. This model supports at most 8 completion tokens, whereas you provided 9.',
    ],
    [
      'anthropic-messages',
      'max_tokens: 9 > 8, which is the maximum allowed number of output tokens for this model',
    ],
    [
      'gemini',
      'Unable to submit request because it has a maxOutputTokens value of 9 but the supported range is from 1 (inclusive) to 9 (exclusive). Update the value and try again.',
    ],
  ])('is said to a caller of %s', (format, message) => {
    expect(messageIn(format, failure('output_limit', 'x', tokens))).toBe(message + suffix)
    expect(messageIn(format, failure('output_limit', 'x', { max: 8 }))).toBe(`x${suffix}`)
  })
})

describe('names of kinds', () => {
  it('are those of OpenAI, unless the upstream uses one that means the same', () => {
    const namesOf = (kind: UpstreamErrorKind, code = '400', type = 'x') => {
      const { error } = chatCodecs['openai-chat'].encodeError({ ...failure(kind, 'm'), code, type }) as {
        error: Record<string, unknown>
      }
      return [error.type, error.code, error.param]
    }
    expect(namesOf('rate_limited')).toEqual(['rate_limit_error', 'rate_limit_exceeded', null])
    expect(namesOf('rate_limited', 'rate_limit_exceeded', 'tokens')).toEqual([
      'tokens',
      'rate_limit_exceeded',
      null,
    ])
    expect(namesOf('content_policy', 'content_filter')).toEqual([
      'invalid_request_error',
      'content_filter',
      null,
    ])
    expect(namesOf('content_policy', 'data_inspection_failed')[1]).toBe('content_policy_violation')
    expect(namesOf('model_not_found')).toEqual(['invalid_request_error', 'model_not_found', 'model'])
    expect(namesOf('bad_request', 'own')).toEqual(['x', 'own', null])
  })

  it('make Codex give up on refused content', () => {
    expect(bodyIn('openai-responses', failure('content_policy', 'm'))).toContain('"code":"invalid_prompt"')
  })

  it('are types of Anthropic, whatever the status', () => {
    const typeOf = (kind: UpstreamErrorKind) =>
      (
        chatCodecs['anthropic-messages'].encodeError({ ...failure(kind, 'm'), status: 503 }) as {
          error: { type: string }
        }
      ).error.type
    expect(
      ['rate_limited', 'overloaded', 'context_overflow', 'model_not_found', 'quota'].map((kind) =>
        typeOf(kind as UpstreamErrorKind),
      ),
    ).toEqual([
      'rate_limit_error',
      'overloaded_error',
      'invalid_request_error',
      'not_found_error',
      'api_error',
    ])
  })

  it('are written for every kind in every format', () => {
    for (const format of formats)
      for (const kind of upstreamErrorKinds) expect(messageIn(format, failure(kind, 'm'))).toEndWith(suffix)
  })
})
