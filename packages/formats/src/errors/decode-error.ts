import { numberOf } from '../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, parseJson, textOf } from '../json/value.ts'
import { classifyFailure, type ErrorParts, isFailedFinish, statusOfKind } from './error-kind.ts'
import { plainCountsIn, type TokenCounts, tokenCountsIn } from './token-counts.ts'
import { describeUnreadable, wordsOf } from './unreadable.ts'
import type { UpstreamErrorInfo, UpstreamErrorKind, UpstreamFailure } from './upstream-error.ts'

const maxMs = 24 * 60 * 60 * 1000

/**
 * Reads the wait that the upstream asks for, in milliseconds; `undefined` when it names none. Header names in lower case. A date counts
 * from the response's own `Date`: two clocks may differ, and this package reads none.
 */
function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const milliseconds = amount(headers['retry-after-ms'])
  if (milliseconds !== undefined) return bounded(milliseconds)
  const value = headers['retry-after']
  const seconds = amount(value)
  if (seconds !== undefined) return bounded(seconds * 1000)
  const wait = Date.parse(value ?? '') - Date.parse(headers.date ?? '')
  return Number.isNaN(wait) ? undefined : bounded(wait)
}

function amount(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : undefined
}

function bounded(milliseconds: number): number {
  return Math.round(Math.min(Math.max(milliseconds, 0), maxMs))
}

/** Kinds that a provider knows better: the kind behind a code of its own. */
export type CodeKinds = Readonly<Record<string, UpstreamErrorKind>>

/** Longer messages are logs, not messages. */
const maxMessageLength = 2000

/**
 * Reads a refusal in any of the shapes that OpenAI-compatible upstreams produce. For a failure inside a 200 response,
 * `status` is the one that the failure means. Never throws. Does not redact texts.
 */
export function decodeErrorBody(failure: UpstreamFailure, codeKinds: CodeKinds = {}): UpstreamErrorInfo {
  const body = parseJson(failure.body) ?? parseJson(eventData(failure.body))
  const { message: text, ...names } = withHeaderCode(errorParts(body), failure)
  const parts = { ...names, message: text.slice(0, maxMessageLength) }
  const stated = statedStatus(failure.status, parts)
  const own = Object.hasOwn(codeKinds, parts.code) ? codeKinds[parts.code] : undefined
  // A body without a message is judged by its first words, before anything is put around them.
  const words = parts.message || wordsOf(failure.body)
  const kind = classifyFailure(stated, { ...parts, message: words }, own)
  const wait = retryAfterMs(failure.headers) ?? statedWaitMs(kind, words)
  const tokens = countsOf(kind, words, body)
  return {
    kind,
    status: stated >= 200 && stated < 400 ? statusOfKind(kind) : stated,
    message: parts.message || (tokens === undefined ? describeUnreadable(failure, body) : words),
    type: isNamed(failure, parts) ? parts.type : 'upstream_error',
    code: parts.code || unnamedCode(failure, parts),
    param: parts.param,
    ...(parts.message === '' && { isUnreadable: true }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(tokens !== undefined && { tokens }),
  }
}

/**
 * Returns the clearer of two errors of a body: as its provider reads it, and as its format does. A body without an error is one that the
 * provider cannot read: its format may know why it is no response, unless it only repeats the body (a web page).
 */
export function clearerError(
  known: UpstreamErrorInfo | undefined,
  read: UpstreamErrorInfo,
  body: string,
): UpstreamErrorInfo {
  if (known === undefined) return read
  const says = read.isUnreadable !== true && !body.startsWith(read.message)
  return known.isUnreadable === true && says ? read : known
}

/** Returns whether the type is an error's: that of a 2xx response without a message is the response's own (`message`, `completed`). */
function isNamed({ status }: UpstreamFailure, { type, message }: ErrorParts): boolean {
  return type !== '' && (message !== '' || status < 200 || status > 299)
}

/** The code of a failure that names none: of a 2xx response that cannot be read, or of a status. */
function unnamedCode({ status }: UpstreamFailure, { message }: ErrorParts): string {
  return message === '' && status >= 200 && status < 300 ? 'malformed_response' : 'bad_response_status_code'
}

/** OpenAI, Groq and Gemini say it in words too, and gateways before them drop the header. */
function statedWaitMs(kind: UpstreamErrorKind, message: string): number | undefined {
  if (kind !== 'rate_limited' && kind !== 'overloaded') return undefined
  const found = /\b(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?) ?(ms|s\b|seconds?)/i.exec(message)
  if (found === null) return undefined
  return bounded(Number(found[1]) * (found[2]?.toLowerCase() === 'ms' ? 1 : 1000))
}

/** llama.cpp has fields for its counts; others write them into the message. */
function countsOf(kind: UpstreamErrorKind, message: string, body: unknown): TokenCounts | undefined {
  if (kind !== 'context_overflow' && kind !== 'output_limit') return undefined
  const { n_prompt_tokens: prompt, n_ctx: max } = objectOf(objectOf(body).error)
  if (typeof prompt === 'number' && typeof max === 'number') return { prompt, max }
  return tokenCountsIn(message) ?? (kind === 'context_overflow' ? plainCountsIn(message) : undefined)
}

/** AWS names its exceptions in a header, with an address behind a colon. */
function withHeaderCode(parts: ErrorParts, { headers }: UpstreamFailure): ErrorParts {
  const name = headers['x-amzn-errortype']
  if (name === undefined || parts.code !== '') return parts
  return { ...parts, code: name.split(':')[0] ?? '' }
}

/** OpenRouter and others respond with 200 and put the status into the error's code. */
function statedStatus(status: number, { code }: ErrorParts): number {
  const stated = Number(code)
  return status === 200 && Number.isInteger(stated) && stated >= 400 && stated < 600 ? stated : status
}

/** Finds message, type, code and param; the order of the places is from the most to the least specific. */
function errorParts(body: unknown): ErrorParts {
  const parts = outerParts(body)
  const inner = objectOf(parseJson(wrappedText(body, parts)))
  const found = Object.keys(inner).length === 0 ? nothing : outerParts(inner)
  return found.message === '' ? parts : { ...parts, message: found.message, code: parts.code || found.code }
}

/** A gateway's text around the body of the upstream behind it: OpenRouter's `metadata.raw`, the message itself, or the end of it. */
function wrappedText(body: unknown, { message }: ErrorParts): string {
  const raw = textOf(objectOf(objectOf(objectOf(body).error).metadata).raw)
  return raw.startsWith('{') ? raw : message.startsWith('{') ? message : quotedBody(message)
}

/**
 * The body behind words by which gateways and SDKs introduce one, as JSON or as Python writes it. Only right behind such words: what
 * a refusal quotes elsewhere may be the caller's.
 */
function quotedBody(message: string): string {
  const start = message.slice(0, maxIntroduction).indexOf('{')
  if (start < 0 || !introduction.test(message.slice(0, start))) return ''
  const body = message.slice(start, message.lastIndexOf('}') + 1)
  return parseJson(body) === undefined ? asJson(body) : body
}

const maxIntroduction = 240
const introduction =
  /(\berror code: \d{3} -|exception -|\b(body|response|upstream error|provider error):?)\s*$/i

/** A dictionary as Python prints it. */
function asJson(text: string): string {
  return text
    .replace(/'((?:[^'\\]|\\.)*)'/g, (_, inner: string) => JSON.stringify(inner.replace(/\\'/g, "'")))
    .replace(/\bNone\b/g, 'null')
    .replace(/\bTrue\b/g, 'true')
    .replace(/\bFalse\b/g, 'false')
}

/** The data of the first event, where a refusal came framed as a stream. */
function eventData(body: string): string {
  return /^(?:event:[^\n]*\n)?data: ?(\{[^\n]*\})\s*$/m.exec(body.slice(0, maxMessageLength))?.[1] ?? ''
}

function outerParts(body: unknown): ErrorParts {
  // Google's streams wrap the error in a list of one; SiliconFlow refuses a key with a bare string.
  if (Array.isArray(body)) return isObject(body[0]) ? outerParts(body[0]) : nothing
  if (typeof body === 'string') return { ...nothing, message: body }
  if (!isObject(body)) return nothing
  const inner = body.error ?? objectOf(body.Response).Error ?? body.ErrorMsg
  if (isObject(inner)) return { ...fields(inner), message: messageIn(inner) || messageIn(body) }
  if (typeof body.error_description === 'string') return refusedGrant(textOf(inner), body.error_description)
  return { ...fields(body), message: textOf(inner) || messageIn(body) || failedFinish(body) }
}

/** A key that was to be exchanged for a token. https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
function refusedGrant(code: string, description: string): ErrorParts {
  return { ...nothing, code, message: `${code}: ${description}` }
}

const nothing: ErrorParts = { message: '', type: '', code: '', param: null }

function fields(from: JsonObject): Omit<ErrorParts, 'message'> {
  const { code, type, status, param } = from
  const [first] = listOf(from.errors)
  return {
    type: textOf(type) || textOf(status),
    code:
      plain(code) ||
      plain(from.Code) ||
      plain(from.error_code) ||
      plain(objectOf(from.header).code) ||
      plain(objectOf(first).code) ||
      plain(objectOf(from.base_resp).status_code),
    param: typeof param === 'string' && param !== '' ? param : null,
  }
}

function messageIn(body: JsonObject): string {
  const positions = [
    body.message,
    body.Message,
    body.msg,
    body.Msg,
    body.err,
    body.error_msg,
    body.detail,
    body.errors,
    objectOf(body.header).message,
    objectOf(body.base_resp).status_msg,
  ]
  for (const position of positions) {
    const text = flatten(position)
    if (text !== '') return text
  }
  return ''
}

/**
 * Returns the text of a message, which may be text, FastAPI's list of faults (place and message), or an object around one of these.
 */
function flatten(value: unknown, levels = 4): string {
  if (typeof value === 'string') return value
  if (levels === 0) return ''
  if (Array.isArray(value)) {
    const texts = value.map((item) => flatten(item, levels - 1))
    return texts.filter(Boolean).join('; ')
  }
  const { loc, msg, message, detail, error } = objectOf(value)
  const text = textOf(msg) || textOf(message) || textOf(error) || flatten(detail, levels - 1)
  const position = listOf(loc).map(plain).join('.')
  return position === '' || text === '' ? text : `${position}: ${text}`
}

/** A response that the upstream cut short names its end only, and no error. */
function failedFinish(body: JsonObject): string {
  const reason = listOf(body.choices)
    .map((choice) => textOf(objectOf(choice).finish_reason))
    .find(isFailedFinish)
  return reason === undefined ? '' : `the upstream ended its response with "${reason}"`
}

function plain(value: unknown): string {
  return numberOf(value) === undefined ? textOf(value) : String(value)
}
