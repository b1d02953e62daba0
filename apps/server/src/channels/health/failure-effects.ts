import type { UpstreamErrorInfo, UpstreamErrorKind } from '@tollgate/formats'
import type { RestLength } from './cooldown.ts'

const second = 1000
const minute = 60 * second

/**
 * What a failed attempt says, and about whom:
 * - `nothing`: the caller's fault; the upstream is well
 * - `fault`: counts against the channel for this model, which rests when many of its calls fail
 * - `model-rest`: the channel rests at once for this model
 * - `key-model-rest`: the key rests at once for this model; its other models are not affected, so that a busy
 *   or forbidden model never takes the quiet ones with it
 * - `key-rest`: the key rests at once
 */
export type Verdict =
  | { readonly on: 'nothing' | 'fault' }
  | { readonly on: 'model-rest' | 'key-model-rest' | 'key-rest'; readonly length: RestLength }

export const breakerLength: RestLength = { firstMs: 5 * second, maxMs: 5 * minute }
const absentLength: RestLength = { firstMs: 30 * second, maxMs: 30 * minute }
const limitedLength: RestLength = { firstMs: 10 * second, maxMs: 5 * minute }
const refusedLength: RestLength = { firstMs: minute, maxMs: 30 * minute }

const verdicts = {
  bad_request: { on: 'nothing' },
  content_policy: { on: 'nothing' },
  overloaded: { on: 'fault' },
  timeout: { on: 'fault' },
  upstream_bug: { on: 'fault' },
  not_found: { on: 'fault' },
  rate_limited: { on: 'key-model-rest', length: limitedLength },
  forbidden: { on: 'key-model-rest', length: refusedLength },
  unauthorized: { on: 'key-rest', length: refusedLength },
  quota: { on: 'key-rest', length: refusedLength },
} as const satisfies Record<UpstreamErrorKind, Verdict>

const absentModel: Verdict = { on: 'model-rest', length: absentLength }

export function verdictOf(error: UpstreamErrorInfo): Verdict {
  // OpenAI also answers 404 to a chat model on the completions path: that is the caller's doing, and must not
  // take the model from everybody. Only an error that names the model (model_not_found, DeploymentNotFound) does.
  if (error.kind === 'not_found' && /model|deployment/i.test(error.code)) return absentModel
  return verdicts[error.kind]
}

const words = {
  bad_request: 'refused the request',
  content_policy: 'refused the content',
  overloaded: 'overloaded',
  timeout: 'did not answer in time',
  upstream_bug: 'broken answer or connection',
  not_found: 'model or address not found',
  rate_limited: 'rate limited',
  forbidden: 'key not permitted',
  unauthorized: 'key refused',
  quota: 'no credit left',
} as const satisfies Record<UpstreamErrorKind, string>

/** A failure in words for the operator; never the upstream's own text, which may quote keys and callers. */
export function inWords(error: UpstreamErrorInfo): string {
  return error.status === 0 ? words[error.kind] : `${words[error.kind]} (status ${error.status})`
}
