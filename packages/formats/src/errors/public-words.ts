import {
  repeatsAccount,
  tellsOfAccount,
  tellsOfPlan,
  withoutAccountFacts,
  withoutLimitFigures,
} from './account-facts.ts'
import { kindOfName, statusOfKind } from './error-kind.ts'
import { isOperatorMatter, type UpstreamErrorInfo, type UpstreamErrorKind } from './upstream-error.ts'

/** Message for a caller about a failure that concerns the operator's account. It names no cause: none is the caller's. */
export const unavailableMessage =
  'The upstream of this model cannot serve it at the moment. Try again later or use another model. If it goes on, tell the administrator the request id.'

/** Sentences for a caller in the place of words that tell of the operator's account, for kinds that are not about it. */
const houseSentences = {
  bad_request: 'The upstream refused this call.',
  context_overflow: 'The input is too long for the context of this model.',
  output_limit: 'The call asks for more output than this model can write.',
  content_policy: 'The upstream refused the content of this call.',
  rate_limited: 'The upstream limits how often this model can be called.',
  overloaded: 'The upstream of this model is overloaded. Try again later.',
  timeout: 'The upstream did not respond in time.',
  upstream_bug: 'The upstream failed to serve this call. Try again later.',
  not_found: 'The upstream does not know what this call names.',
  model_not_found: 'The upstream does not serve this model.',
  unauthorized: unavailableMessage,
  forbidden: unavailableMessage,
  quota: unavailableMessage,
  suspended: unavailableMessage,
  account_limited: unavailableMessage,
} as const satisfies Record<UpstreamErrorKind, string>

/**
 * An upstream's words without what concerns the operator's account: a sentence of the house where that is their subject, else
 * the words without ids, amounts and figures of limits. Keys and addresses are `redact`'s.
 */
export function publicMessage({
  kind,
  message,
  retryAfterMs,
}: Pick<UpstreamErrorInfo, 'kind' | 'message' | 'retryAfterMs'>): string {
  if (isOperatorMatter(kind)) return unavailableMessage
  if (message === '' || hidesWords[kind](message) || (mayRepeat(kind) && repeatsAccount(message)))
    return `${houseSentences[kind]}${waitOf(kind, retryAfterMs)}`
  const words = withoutAccountFacts(message)
  return kind === 'rate_limited' ? withoutLimitFigures(words) : words
}

const never = () => false

/** Overflows keep their words, by which agents compact. */
function mayRepeat(kind: UpstreamErrorKind): boolean {
  return kind !== 'context_overflow' && kind !== 'output_limit'
}

/** Words of a kind that a caller does not get: a refusal of a call may mention plans, since it repeats what the call says. */
const hidesWords = {
  bad_request: tellsOfAccount,
  context_overflow: never,
  output_limit: never,
  content_policy: tellsOfAccount,
  model_not_found: tellsOfPlan,
  not_found: tellsOfPlan,
  rate_limited: tellsOfPlan,
  overloaded: tellsOfPlan,
  timeout: tellsOfPlan,
  upstream_bug: tellsOfPlan,
  unauthorized: never,
  forbidden: never,
  quota: never,
  suspended: never,
  account_limited: never,
} as const satisfies Record<UpstreamErrorKind, (message: string) => boolean>

/** Codex and others read the wait from these words. */
function waitOf(kind: UpstreamErrorKind, retryAfterMs: number | undefined): string {
  if (kind !== 'rate_limited') return ''
  return retryAfterMs === undefined
    ? ' Please try again later.'
    : ` Please try again in ${Math.ceil(retryAfterMs / 1000)}s.`
}

/** A code or type as a caller may read it: none that would tell of an account where the kind does not. */
export function publicName(name: string, kind: UpstreamErrorKind): string {
  const named = kindOfName(name)
  const isOfAccount = (named !== undefined && isOperatorMatter(named)) || accountNames.test(name)
  return isOfAccount ? `upstream_${kind}` : withoutAccountFacts(name)
}

const accountNames = /quota|balance|billing|credit|arrear|overdue|subscription|organi[sz]ation/i

/** Kinds that one field of a call can be the cause of. */
const ofField: ReadonlySet<UpstreamErrorKind> = new Set([
  'bad_request',
  'context_overflow',
  'output_limit',
  'content_policy',
  'model_not_found',
  'not_found',
])

/** The field that a failure names, where it is one of the call: Cerebras names its `quota`. */
export function publicParam(param: string | null, kind: UpstreamErrorKind): string | null {
  return param === null || !ofField.has(kind) ? null : withoutAccountFacts(param)
}

/** Returns what an upstream's own text is worth to a caller where no failure was decoded: a reason, or the house's sentence. */
export function publicReason(text: string): string {
  return tellsOfPlan(text) || repeatsAccount(text) || text === ''
    ? unavailableMessage
    : withoutAccountFacts(text)
}

const serviceUnavailable = 503

/** Statuses that say the same as a kind; the first is for failures whose upstream sent another one. */
const callerStatuses: Readonly<Partial<Record<UpstreamErrorKind, readonly number[]>>> = {
  context_overflow: [400],
  output_limit: [400],
  content_policy: [400],
  rate_limited: [429],
  overloaded: [503, 529],
  model_not_found: [404],
  not_found: [404, 410],
  timeout: [504, 408, 524],
}

/** Statuses that SDKs take for a matter of the caller's key, balance or pace. */
const aboutCaller: ReadonlySet<number> = new Set([401, 402, 403, 407, 429])

/** The status by which SDKs treat a failure as its kind; the upstream's own where it says the same. */
export function callerStatus({ kind, status }: Pick<UpstreamErrorInfo, 'kind' | 'status'>): number {
  if (isOperatorMatter(kind)) return serviceUnavailable
  const fitting = callerStatuses[kind]
  if (fitting !== undefined) return fitting.includes(status) ? status : (fitting[0] ?? serviceUnavailable)
  const isError = status >= 400 && status <= 599
  return isError && !aboutCaller.has(status) ? status : statusOfKind(kind)
}
