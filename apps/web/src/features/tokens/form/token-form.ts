import {
  type Token,
  type TokenCreateBody,
  type TokenUpdateBody,
  tokenFields,
  tokenNameMaxLength,
  tokenStatuses,
} from '@tollgate/api'
import { walletRefusedFields } from '@tollgate/api/refused-fields'
import {
  blankBody,
  bodyOf,
  changedFields,
  type FormOf,
  fieldsByCode,
  limitProblems,
} from '../../../components/form/index.ts'
import { quotaPresets } from '../../../lib/format/format.ts'
import { neverExpires } from '../token-state.ts'
import { addressLines, firstBadAddress } from './addresses.ts'
import { batchSuffixLength } from './batch.ts'

/** The body of a key as typed. `expired_time` is `undefined` until a chosen time is typed to its end. */
export interface TokenForm extends FormOf<TokenCreateBody> {
  /** Number of keys to create; `undefined`: no whole number. */
  readonly count: number | undefined
}

/** Batch presets and expiry shortcuts of spec operations §9. */
export const countPresets = [10, 20, 30, 100] as const
export const expiryShortcuts = { hour: 3600, day: 86_400, month: 30 * 86_400 } as const
export type ExpiryShortcut = keyof typeof expiryShortcuts

const blank = blankBody<TokenCreateBody>(tokenFields)

/** Labels of the form's fields; limits have names that all such forms share. */
export const fieldLabels = {
  name: 'name.label',
  remain_quota: 'quota.label',
  unlimited_quota: 'quota.unlimited',
  expired_time: 'expiry.label',
  group: 'group.label',
  model_limits_enabled: 'models.switch',
  model_limits: 'models.label',
  allow_ips: 'addresses.label',
  count: 'count.label',
} as const

/** The form has the names of JSON. */
const formNames = Object.fromEntries(Object.keys(blank).map((name) => [name, name as keyof TokenForm]))

/** A new key before anything is typed. */
export const blankForm: TokenForm = { ...blank, remain_quota: quotaPresets[0], count: 1 }

/** A stored key in the form. */
export function formOf(token: Token): TokenForm {
  return { ...bodyOf<TokenCreateBody>(tokenFields, token), count: 1 }
}

/** A moment long past: the server refuses it, so that a time that was not typed to its end can never mean "never". */
const refusedTime = 1

/** The form on the wire: texts trimmed, emptied numbers as their default. */
export function createBodyOf({ count: _count, ...form }: TokenForm): TokenCreateBody {
  const typed = Object.entries(form).map(([name, value]) => [
    name,
    value ?? blank[name as keyof typeof blank],
  ])
  return {
    ...(Object.fromEntries(typed) as TokenCreateBody),
    name: form.name.trim(),
    expired_time: form.expired_time ?? refusedTime,
    allow_ips: addressLines(form.allow_ips).join('\n'),
  }
}

/**
 * Only what differs from the key as it is stored: its quota goes on being spent while the form is open, and must not be
 * set back by someone who corrects a name. Enables a spent key that could work again.
 */
export function updateBodyOf(token: Token, form: TokenForm, now: number): TokenUpdateBody {
  const { remain_quota, ...changed } = changedFields(createBodyOf(formOf(token)), createBodyOf(form))
  const isSpent = token.status === tokenStatuses.expired || token.status === tokenStatuses.exhausted
  return {
    id: token.id,
    ...changed,
    // Behind "unlimited" the figure is out of sight and stays what it was.
    ...(remain_quota !== undefined && !form.unlimited_quota && { remain_quota }),
    ...(isSpent && couldWork(form, now) && { status: tokenStatuses.enabled }),
  }
}

/** Decides whether saving would change anything. */
export function changesSomething({ id: _id, ...rest }: TokenUpdateBody): boolean {
  return Object.keys(rest).length > 0
}

/** Decides whether a key as typed would be accepted now. */
export function couldWork({ expired_time: expiry, ...form }: TokenForm, now: number): boolean {
  const inTime = expiry === neverExpires || (expiry ?? 0) > now
  return inTime && (form.unlimited_quota || (form.remain_quota ?? 0) > 0)
}

/** Key of a problem's sentence, and what is filled into it. */
export interface Problem {
  readonly code:
    | 'token_name_required'
    | 'token_name_too_long'
    | 'nameTooLongForBatch'
    | 'token_quota_invalid'
    | 'expiryInvalid'
    | 'expiryPast'
    | 'modelsRequired'
    | 'token_models_too_long'
    | 'token_address_invalid'
    | 'countInvalid'
  readonly max?: number
  readonly line?: string
}

/** End of the year 9999, beyond which the server refuses a time. */
const latestExpiry = 253_402_300_799
const visibleLineLength = 100

/**
 * Finds the problems that keep a form from being saved, by field. A stored key may keep an expiry that is past, and a quota below zero:
 * the last call of a key may cost more than was left.
 * @param stored the key that is edited, as it was loaded; `undefined` for a new one
 */
export function problemsOf(
  form: TokenForm,
  now: number,
  stored?: Pick<TokenForm, 'remain_quota' | 'expired_time'>,
): Partial<Record<keyof TokenForm, Problem>> {
  const limits = limitProblems(tokenFields, { ...form, name: form.name.trim() })
  const isQuotaStored = form.remain_quota !== undefined && form.remain_quota === stored?.remain_quota
  const isExpiryStored = form.expired_time !== undefined && form.expired_time === stored?.expired_time
  const found = {
    ...(limits as Partial<Record<keyof TokenForm, Problem>>),
    name: limits.name ?? batchProblem(form),
    remain_quota: form.unlimited_quota || isQuotaStored ? undefined : limits.remain_quota,
    expired_time: isExpiryStored ? undefined : expiryProblem(form, now),
    model_limits: limits.model_limits ?? modelsProblem(form),
    allow_ips: addressProblem(form),
    count: form.count === undefined || form.count < 1 ? { code: 'countInvalid' } : undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined))
}

function batchProblem({ name, count }: TokenForm): Problem | undefined {
  const max = tokenNameMaxLength - batchSuffixLength
  const isTooLong = (count ?? 1) > 1 && [...name.trim()].length > max
  return isTooLong ? { code: 'nameTooLongForBatch', max } : undefined
}

function expiryProblem({ expired_time: expiry }: TokenForm, now: number): Problem | undefined {
  if (expiry === neverExpires) return undefined
  if (expiry === undefined || expiry > latestExpiry) return { code: 'expiryInvalid' }
  return expiry > now ? undefined : { code: 'expiryPast' }
}

function modelsProblem({ model_limits_enabled, model_limits }: TokenForm): Problem | undefined {
  return model_limits_enabled && model_limits === '' ? { code: 'modelsRequired' } : undefined
}

function addressProblem({ allow_ips }: TokenForm): Problem | undefined {
  const line = firstBadAddress(allow_ips)
  return line === undefined
    ? undefined
    : { code: 'token_address_invalid', line: line.slice(0, visibleLineLength) }
}

/** The field that a refusal of the server is about. */
export const fieldOf = fieldsByCode<keyof TokenForm>(walletRefusedFields, formNames)
