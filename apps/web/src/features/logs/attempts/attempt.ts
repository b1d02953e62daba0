import type { LogOther } from '@tollgate/api'

export type Attempt = NonNullable<NonNullable<LogOther['admin_info']>['attempts']>[number]

export function isSuccess({ kind, status }: Attempt): boolean {
  return kind === 'ok' || (kind === '' && status >= 200 && status < 300)
}

/** Decides whether the keys are shown: the key of an attempt matters only where a channel has more than one. */
export function needsKeys(attempts: readonly Attempt[]): boolean {
  const channels = new Set(attempts.map((attempt) => attempt.channel))
  return channels.size < attempts.length || attempts.some((attempt) => attempt.key > 0)
}

/** Step after an attempt. */
export type NextStep = 'answered' | 'otherKey' | 'otherChannel' | 'gaveUp'

export function nextStepOf(attempts: readonly Attempt[], index: number): NextStep {
  const attempt = attempts[index]
  const next = attempts[index + 1]
  if (attempt && isSuccess(attempt)) return 'answered'
  if (!next) return 'gaveUp'
  return next.channel === attempt?.channel ? 'otherKey' : 'otherChannel'
}

const knownKinds = [
  'client_gone',
  'bad_request',
  'context_overflow',
  'output_limit',
  'unauthorized',
  'forbidden',
  'not_found',
  'model_not_found',
  'rate_limited',
  'quota',
  'suspended',
  'account_limited',
  'overloaded',
  'timeout',
  'upstream_bug',
  'content_policy',
] as const

/** The kind of a failure, where there is a text for it. */
export function kindOf({ kind }: Attempt): (typeof knownKinds)[number] | undefined {
  return knownKinds.find((known) => known === kind)
}
