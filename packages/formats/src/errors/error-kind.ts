import { tellsOfAccount } from './account-facts.ts'
import type { ErrorForm } from './forms/error-form.ts'
import { errorForms } from './forms/index.ts'
import type { UpstreamErrorKind } from './upstream-error.ts'

/** Parts of an error body, whatever family it is of. */
export interface ErrorParts {
  readonly message: string
  readonly type: string
  readonly code: string
  readonly param: string | null
}

/** Prefixes that a gateway or a library puts before the message of the upstream behind it. */
const prefixes =
  /^(\s|<\d{3}>|\[[^\]]{1,80}\]|\(?\d{3,4}\)?[:\s]|status_code=\d{3},|error code: \d{3} - |(error|errors|bad request|invalid request|input validation error|validation ?error|forbidden|unauthorized|permission denied|the model returned the following errors|upstream error|[\w.]{2,60}(error|exception|invalidparameter))\s*[:\-—]\s*)+/i

/**
 * The kind of a failure, by its code, its words and its status, in this order of trust: a code that names a cause, then words,
 * then a code that names a class of failures, then the status.
 * @param own the kind that the provider knows of its own code
 */
export function classifyFailure(
  status: number,
  parts: ErrorParts,
  own?: UpstreamErrorKind,
): UpstreamErrorKind {
  if (own !== undefined && !isBroad(own)) return own
  const byCode = kindOfCode(parts, exactCodes)
  if (byCode !== undefined) return byCode
  return (
    kindOfWords(status, parts.message) ??
    own ??
    kindOfCode(parts, broadCodes) ??
    kindOfStatus(status, parts.message)
  )
}

/** Kinds that a provider's codes name for lack of a better one. */
function isBroad(kind: UpstreamErrorKind): boolean {
  return kind === 'bad_request' || kind === 'forbidden' || kind === 'not_found' || kind === 'upstream_bug'
}

type CodeTable = ReadonlyMap<string, UpstreamErrorKind>

/** The kind that one exact code names, as `reason` in Google's details. */
export function kindOfName(name: string): UpstreamErrorKind | undefined {
  return exactCodes.get(bare(name))
}

function codesOf(forms: readonly ErrorForm[]): CodeTable {
  const pairs = forms.flatMap(({ kind, codes = '' }) =>
    codes
      .split(' ')
      .filter((code) => code !== '')
      .map((code) => [bare(code), kind] as const),
  )
  return new Map(pairs)
}

const exactCodes = codesOf(errorForms.filter(({ broad }) => broad !== true))
const broadCodes = codesOf(errorForms.filter(({ broad }) => broad === true))

function kindOfCode({ code, type }: ErrorParts, table: CodeTable): UpstreamErrorKind | undefined {
  const [name, family] = [bare(code), bare(type)]
  const known = table.get(name) ?? table.get(family)
  if (known !== undefined || table === broadCodes) return known
  if (name.endsWith('ratelimitexceeded') && name !== 'ratelimitexceeded') return 'rate_limited'
  // Volcengine says of what: `OutputImageSensitiveContentDetected`.
  return name.endsWith('sensitivecontentdetected') ? 'content_policy' : undefined
}

/** The kind that the words of a failure name; `undefined` for words that name none. */
export function kindOfWords(status: number, message: string): UpstreamErrorKind | undefined {
  if (message === '') return undefined
  const words = message.replace(prefixes, '')
  const isTooMany = status === tooManyRequests
  return errorForms.find(
    ({ kind, begins, contains }) =>
      // "Too many tokens" of a minute are no prompt that is too long.
      !(isTooMany && (kind === 'context_overflow' || kind === 'output_limit')) &&
      (contains?.test(message) === true ||
        (mayName(kind, status) && begins !== undefined && startsWith(begins, words))),
  )?.kind
}

/**
 * Decides whether a status may have an error of this kind. A server in trouble says all sorts of things about keys, of which only its
 * status can be believed. What it says of an account is what a gateway in the middle answers for its own upstream.
 */
function mayName(kind: UpstreamErrorKind, status: number): boolean {
  return status < serverFault || kind === 'quota' || kind === 'suspended' || kind === 'account_limited'
}

const tooManyRequests = 429

const serverFault = 500

function startsWith(pattern: RegExp, text: string): boolean {
  return pattern.exec(text)?.index === 0
}

const statusKinds: Readonly<Record<number, UpstreamErrorKind>> = {
  401: 'unauthorized',
  402: 'quota',
  403: 'forbidden',
  404: 'not_found',
  408: 'timeout',
  410: 'not_found',
  425: 'rate_limited',
  429: 'rate_limited',
  503: 'overloaded',
  504: 'timeout',
  524: 'timeout',
  529: 'overloaded',
}

/** Words about an account in the middle of a message, which may be a caller's, prove little: its key pauses, and nothing is disabled. */
function kindOfStatus(status: number, message: string): UpstreamErrorKind {
  const known = statusKinds[status]
  if (status === 401 || status === 402) return known ?? 'bad_request'
  if (tellsOfAccount(message)) return 'account_limited'
  return known ?? (status >= 400 && status < serverFault ? 'bad_request' : 'upstream_bug')
}

/** The status that a failure means when the upstream sent none or a wrong one (200). */
export function statusOfKind(kind: UpstreamErrorKind): number {
  return kindStatuses[kind]
}

const kindStatuses = {
  bad_request: 400,
  context_overflow: 400,
  output_limit: 400,
  content_policy: 400,
  unauthorized: 401,
  quota: 402,
  forbidden: 403,
  suspended: 403,
  not_found: 404,
  model_not_found: 404,
  rate_limited: 429,
  account_limited: 429,
  upstream_bug: 502,
  overloaded: 503,
  timeout: 504,
} as const satisfies Record<UpstreamErrorKind, number>

function bare(code: string): string {
  return code.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Ends that are failures of the upstream, not of the response: DeepSeek, Zhipu, OpenRouter. */
const failures: ReadonlySet<unknown> = new Set(['insufficient_system_resource', 'network_error', 'error'])

/** Returns whether a finish reason means that the upstream failed. */
export function isFailedFinish(finishReason: unknown): boolean {
  return failures.has(finishReason)
}
