import type { ChannelTarget, UpstreamEndpoint } from '../channel-target.ts'
import { versionedUrl } from '../endpoint-url.ts'
import type { BalanceEndpoint } from '../provider-row.ts'

/** Requests for the money that an account has left: one, or several in turn. */
export interface BalanceQuery {
  /**
   * The next request; `undefined` when the responses so far suffice, or, before the first, when the channel's upstream
   * reports no balance.
   * @param responses parsed, in their order
   * @param nowMs milliseconds since 1970
   */
  next(target: ChannelTarget, responses: readonly unknown[], nowMs: number): UpstreamEndpoint | undefined
  /** Reads the balance in the account's own currency; `undefined` when the responses hold none. */
  decode(responses: readonly unknown[]): number | undefined
  /** The request to try when the upstream refuses the key. */
  readonly fallback?: BalanceQuery
}

/** A balance that takes one request. */
export function balanceAt(
  endpoint: (target: ChannelTarget) => UpstreamEndpoint | undefined,
  decode: (body: unknown) => number | undefined,
): BalanceQuery {
  return {
    next: (target, responses) => (responses.length === 0 ? endpoint(target) : undefined),
    decode: ([body]) => decode(body),
  }
}

/** The balance at a place that a row of the table names. */
export function balanceIn({ path, field: name, success }: BalanceEndpoint): BalanceQuery {
  const [, version = '', rest = ''] = /^(\/v\d+)?(.*)$/.exec(path) ?? []
  return balanceAt(
    ({ baseUrl }) => ({
      method: 'GET',
      url: version === '' ? baseUrl + rest : versionedUrl(baseUrl, version, rest),
      headers: {},
    }),
    (body) =>
      success === undefined || field(body, 'code') === success
        ? amount(field(body, ...name.split('.')))
        : undefined,
  )
}

const dayMs = 86_400_000
/** Days of usage to request for an account without monthly billing. */
const trialDays = 100

/**
 * The rest of a monthly limit, or of a trial, by the endpoints of OpenAI's dashboard, which relays of its API also serve:
 * the limit in dollars, then the usage in cents.
 * @param billing address of `/dashboard/billing`
 */
export function openAiBilling(billing: (target: ChannelTarget) => string | undefined): BalanceQuery {
  return {
    next(target, responses, nowMs) {
      const root = billing(target)
      if (root === undefined || responses.length > 1) return undefined
      const path = responses.length === 0 ? '/subscription' : `/usage?${period(responses[0], nowMs)}`
      return { method: 'GET', url: root + path, headers: {} }
    },
    decode([subscription, usage]) {
      const limit = amount(field(subscription, 'hard_limit_usd'))
      const used = amount(field(usage, 'total_usage'))
      return limit === undefined || used === undefined ? undefined : limit - used / 100
    },
  }
}

function period(subscription: unknown, nowMs: number): string {
  const today = dateOf(nowMs)
  const isMonthly = field(subscription, 'has_payment_method') === true
  const start = isMonthly ? `${today.slice(0, 7)}-01` : dateOf(nowMs - trialDays * dayMs)
  return `start_date=${start}&end_date=${today}`
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** A member of what may be an object, along a path. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

/** An amount of money, which some upstreams write as text. */
export function amount(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const parsed = Number(value)
  return Number.isFinite(parsed) ? parsed : undefined
}
