import { type Token, type TokenCreateBody, type TokenUpdateBody, tokenStatuses } from '@tollgate/api'
import { noRateLimits, type RateLimitValues, rateLimitBody } from '../../../components/form/index.ts'
import { quotaPresets } from '../../../lib/format.ts'
import { listOf, neverExpires } from '../token-state.ts'
import { addressLines } from './addresses.ts'

/** Everything the key form edits, as typed. */
export interface TokenForm extends RateLimitValues {
  readonly name: string
  readonly unlimited: boolean
  /** What the key may still spend, in quota units; `undefined`: empty, or no whole number. */
  readonly quota: number | undefined
  readonly expires: boolean
  /** Unix seconds; `undefined`: not typed to its end. Counts only when `expires`. */
  readonly expiresAt: number | undefined
  /** Empty: the group of the account. */
  readonly group: string
  readonly limitsModels: boolean
  readonly models: readonly string[]
  /** One address or CIDR range per line; empty allows all. */
  readonly addresses: string
  /** How many keys to create; `undefined`: no whole number. */
  readonly count: number | undefined
}

/** Batch presets and expiry shortcuts of spec operations §9. */
export const countPresets = [10, 20, 30, 100] as const
export const expiryShortcuts = { hour: 3600, day: 86_400, month: 30 * 86_400 } as const
export type ExpiryShortcut = keyof typeof expiryShortcuts

/** A new key before anything is typed. */
export const blankForm: TokenForm = {
  name: '',
  unlimited: false,
  quota: quotaPresets[0],
  expires: false,
  expiresAt: undefined,
  group: '',
  limitsModels: false,
  models: [],
  addresses: '',
  ...noRateLimits,
  count: 1,
}

/** A stored key in the form. */
export function formOf(token: Token): TokenForm {
  const expires = token.expired_time !== neverExpires
  return {
    name: token.name,
    unlimited: token.unlimited_quota,
    quota: token.remain_quota,
    expires,
    expiresAt: expires ? token.expired_time : undefined,
    group: token.group,
    limitsModels: token.model_limits_enabled,
    models: listOf(token.model_limits),
    addresses: token.allow_ips,
    requestsPerMinute: token.requests_per_minute,
    tokensPerMinute: token.tokens_per_minute,
    concurrency: token.concurrency,
    count: 1,
  }
}

/** A moment long past: the server refuses it, so that a time that was not typed to its end can never mean "never". */
const refusedTime = 1

/** The form on the wire: texts trimmed, lists joined. */
export function createBodyOf(form: TokenForm): TokenCreateBody {
  return {
    name: form.name.trim(),
    remain_quota: form.quota ?? 0,
    unlimited_quota: form.unlimited,
    expired_time: form.expires ? (form.expiresAt ?? refusedTime) : neverExpires,
    model_limits_enabled: form.limitsModels,
    model_limits: form.models.join(','),
    allow_ips: addressLines(form.addresses).join('\n'),
    group: form.group,
    ...rateLimitBody(form),
  }
}

/**
 * Only what differs from the key as it is stored: its quota goes on being spent while the form is open, and must not be
 * set back by someone who corrects a name. A spent key that could work again is asked back to life.
 */
export function updateBodyOf(token: Token, form: TokenForm, now: number): TokenUpdateBody {
  const before = createBodyOf(formOf(token))
  const changed = Object.entries(createBodyOf(form)).filter(
    ([key, value]) =>
      value !== before[key as keyof TokenCreateBody] &&
      // Behind "unlimited" the figure is out of sight and stays what it was.
      !(key === 'remain_quota' && form.unlimited),
  )
  const revives = isSpent(token) && couldWork(form, now)
  return { id: token.id, ...Object.fromEntries(changed), ...(revives && { status: tokenStatuses.enabled }) }
}

/** Whether saving would change anything. */
export function changesSomething({ id: _id, ...rest }: TokenUpdateBody): boolean {
  return Object.keys(rest).length > 0
}

function isSpent({ status }: Token): boolean {
  return status === tokenStatuses.expired || status === tokenStatuses.exhausted
}

/** Whether a key as typed would be accepted now. */
export function couldWork(form: TokenForm, now: number): boolean {
  const inTime = !form.expires || (form.expiresAt ?? 0) > now
  return inTime && (form.unlimited || (form.quota ?? 0) > 0)
}
