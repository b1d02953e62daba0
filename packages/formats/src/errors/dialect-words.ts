import { type TokenCounts, totalOf } from './token-counts.ts'
import type { ApiError, UpstreamErrorKind } from './upstream-error.ts'

/** A format whose clients recognize failures by words or codes of its own. */
export type ErrorDialect = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'

interface Sentences {
  /** The vendor's own words: they pass unchanged. */
  readonly own: RegExp
  /** `undefined` where the counts do not suffice and the upstream's words say more. */
  write(tokens: TokenCounts): string | undefined
}

/**
 * Writes a failure in the words by which clients of a format recognize it: Claude Code compacts at "prompt is too long", litellm
 * looks for "maximum context length is", LangChain, to which OpenAI's SDK shows the message alone, for "Input tokens exceed the
 * configured limit", Gemini CLI for "exceeds the maximum number of tokens".
 */
export function inWordsOf<Failure extends Omit<ApiError, 'status'>>(
  dialect: ErrorDialect,
  error: Failure,
): Failure {
  const { kind, message, requestId = '', tokens = {} } = error
  if (kind !== 'context_overflow' && kind !== 'output_limit') return error
  const { own, write } = sentences[dialect][kind]
  if (own.test(message)) return error
  const sentence = write(tokens)
  const suffix = ` (request id: ${requestId})`
  if (sentence === undefined) return error
  return { ...error, message: message.endsWith(suffix) ? `${sentence}${suffix}` : sentence }
}

/** OpenAI's words of GPT-5; the older ones stand before them. */
const inputTooLong = 'Input tokens exceed the configured limit.'

const openAiOutput: Sentences = {
  own: /is too large: \d+\..{0,60}completion tokens/is,
  write: ({ output, max }) =>
    output === undefined || max === undefined
      ? undefined
      : `max_tokens is too large: ${output}. This model supports at most ${max} completion tokens, whereas you provided ${output}.`,
}

const openAiOverflow =
  /this model's maximum context length is|exceeds the context window of this model|input tokens exceed the configured limit/i

const sentences = {
  'openai-chat': {
    context_overflow: {
      own: openAiOverflow,
      write: (tokens) =>
        openAiSentence(tokens) ??
        `This model's maximum context length is exceeded. Please reduce the length of the messages. ${inputTooLong}`,
    },
    output_limit: openAiOutput,
  },
  'openai-responses': {
    context_overflow: {
      own: openAiOverflow,
      write: (tokens) =>
        openAiSentence(tokens) ??
        `Your input exceeds the context window of this model. Please adjust your input and try again. ${inputTooLong}`,
    },
    output_limit: openAiOutput,
  },
  'anthropic-messages': {
    context_overflow: {
      own: /prompt is too long: \d+ tokens > \d+ maximum|^prompt is too long( \(request|$)|input length and `max_tokens` exceed context limit/i,
      write: anthropicSentence,
    },
    output_limit: {
      own: /maximum allowed number of output tokens/i,
      write: ({ output, max }) =>
        output === undefined || max === undefined
          ? undefined
          : `max_tokens: ${output} > ${max}, which is the maximum allowed number of output tokens for this model`,
    },
  },
  gemini: {
    context_overflow: {
      own: /input token count.{0,40}exceeds the maximum number of tokens/is,
      write: geminiSentence,
    },
    output_limit: {
      own: /maxOutputTokens value of \d+ but the supported range/i,
      write: ({ output, max }) =>
        output === undefined || max === undefined
          ? undefined
          : `Unable to submit request because it has a maxOutputTokens value of ${output} but the supported range is from 1 (inclusive) to ${max + 1} (exclusive). Update the value and try again.`,
    },
  },
} as const satisfies Record<ErrorDialect, Record<'context_overflow' | 'output_limit', Sentences>>

/** https://platform.openai.com/docs/guides/error-codes */
function openAiSentence(tokens: TokenCounts): string | undefined {
  const { prompt, output, max } = tokens
  if (max === undefined) return undefined
  const limit = `This model's maximum context length is ${max} tokens.`
  const total = totalOf(tokens)
  if (prompt !== undefined && output !== undefined)
    return `${limit} However, you requested ${total} tokens (${prompt} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`
  if (prompt !== undefined)
    return `${limit} However, your messages resulted in ${prompt} tokens. Please reduce the length of the messages. ${inputTooLong}`
  const requested = total === undefined ? '' : ` However, you requested ${total} tokens.`
  return `${limit}${requested} Please reduce the length of the messages. ${inputTooLong}`
}

/**
 * Claude Code reads both counts behind "prompt is too long" to compact, and lowers `max_tokens` by the other sentence where the
 * prompt alone would fit. https://platform.claude.com/docs/en/build-with-claude/context-windows
 */
function anthropicSentence(tokens: TokenCounts): string {
  const { prompt, output, max } = tokens
  const total = totalOf(tokens)
  if (max === undefined) return 'prompt is too long: it exceeds the context window of this model'
  if (total === undefined) return `prompt is too long: it has more tokens than the maximum of ${max}`
  if (prompt === undefined || output === undefined || prompt > max)
    return `prompt is too long: ${prompt ?? total} tokens > ${max} maximum`
  return `prompt is too long: ${total} tokens > ${max} maximum (input length and \`max_tokens\` exceed context limit: ${prompt} + ${output} > ${max}, decrease input length or \`max_tokens\` and try again)`
}

/** https://ai.google.dev/gemini-api/docs/tokens */
function geminiSentence(tokens: TokenCounts): string {
  const { max } = tokens
  const counted =
    tokens.prompt !== undefined && max !== undefined && tokens.prompt > max ? tokens.prompt : totalOf(tokens)
  const count = counted === undefined ? '' : ` (${counted})`
  const limit = max === undefined ? 'for this model' : `(${max})`
  return `The input token count${count} exceeds the maximum number of tokens allowed ${limit}.`
}

interface OpenAiNames {
  readonly type: string
  /** Types that mean the same, and pass. */
  readonly types?: readonly string[]
  readonly code: string
  /** Codes that mean the same, and pass. */
  readonly codes?: readonly string[]
  readonly param?: string
}

/** Names by which clients of OpenAI recognize a kind. https://platform.openai.com/docs/guides/error-codes */
const openAiNames: Readonly<Partial<Record<UpstreamErrorKind, OpenAiNames>>> = {
  context_overflow: { type: 'invalid_request_error', code: 'context_length_exceeded' },
  output_limit: {
    type: 'invalid_request_error',
    code: 'invalid_value',
    codes: ['integer_above_max_value'],
    param: 'max_tokens',
  },
  content_policy: {
    type: 'invalid_request_error',
    types: ['image_generation_user_error'],
    code: 'content_policy_violation',
    codes: ['content_filter', 'moderation_blocked', 'image_content_policy_violation', 'invalid_prompt'],
  },
  rate_limited: {
    type: 'rate_limit_error',
    types: ['requests', 'tokens'],
    code: 'rate_limit_exceeded',
  },
  overloaded: {
    type: 'server_error',
    types: ['service_unavailable_error', 'overloaded_error', 'engine_overloaded_error'],
    code: 'server_is_overloaded',
    codes: ['slow_down'],
  },
  model_not_found: { type: 'invalid_request_error', code: 'model_not_found', param: 'model' },
}

/** Type, code and field of a failure as clients of OpenAI know its kind; those of the upstream where it has no such names. */
export function openAiNamesOf({
  kind,
  type,
  code,
  param,
}: Omit<ApiError, 'status'>): Pick<ApiError, 'type' | 'code' | 'param'> {
  const names = kind === undefined ? undefined : openAiNames[kind]
  if (names === undefined) return { type, code, param }
  return {
    type: names.types?.includes(type) === true ? type : names.type,
    code: code !== null && names.codes?.includes(code) === true ? code : names.code,
    param: param ?? names.param ?? null,
  }
}

/** The same for the Responses API: its streams have a closed list of codes, by which Codex decides whether to try again. */
export function responsesNamesOf(error: ApiError): Pick<ApiError, 'type' | 'code' | 'param'> {
  const { type, code, param } = openAiNamesOf(error)
  if (error.kind === 'context_overflow') return { type, code, param: 'input' }
  const isImage = code === 'image_content_policy_violation'
  return { type, code: error.kind === 'content_policy' && !isImage ? 'invalid_prompt' : code, param }
}
