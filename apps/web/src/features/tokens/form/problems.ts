import { maximumOf, tokenFields } from '@tollgate/api'
import { firstBadAddress } from './addresses.ts'
import { batchSuffixLength } from './batch.ts'
import type { TokenForm } from './token-form.ts'

/** Key of a problem's sentence, and what is filled into it. */
export interface Problem {
  readonly code:
    | 'nameRequired'
    | 'nameTooLong'
    | 'nameTooLongForBatch'
    | 'quotaInvalid'
    | 'expiryInvalid'
    | 'expiryPast'
    | 'modelsRequired'
    | 'modelsTooLong'
    | 'addressInvalid'
    | 'countInvalid'
  readonly max?: number
  readonly line?: string
}

/** Limits that may stay as they are stored, whatever they are. */
export type StoredLimits = Pick<TokenForm, 'quota' | 'expiresAt'>

export type FieldProblems = Partial<Record<keyof TokenForm, Problem>>

const maximum = (name: string) => maximumOf(tokenFields.find((field) => field.name === name)?.limits)
const tokenNameMaxLength = maximum('name')
const modelLimitsMaxLength = maximum('model_limits')
/** More than that the server refuses as a quota. */
const largestQuota = 10 ** 15
/** End of the year 9999, beyond which the server refuses a time. */
const latestExpiry = 253_402_300_799
const shownLineLength = 100

/**
 * What keeps a form from being saved, by field. A stored key may keep an expiry that is past, and a quota below zero:
 * the last call of a key may cost more than was left.
 * @param stored the key that is edited, as it was loaded; `undefined` for a new one
 */
export function problemsOf(form: TokenForm, now: number, stored?: StoredLimits): FieldProblems {
  const found = {
    name: nameProblem(form),
    quota: form.quota !== undefined && form.quota === stored?.quota ? undefined : quotaProblem(form),
    expiresAt:
      form.expiresAt !== undefined && form.expiresAt === stored?.expiresAt
        ? undefined
        : expiryProblem(form, now),
    models: modelsProblem(form),
    addresses: addressProblem(form),
    count: form.count === undefined || form.count < 1 ? ({ code: 'countInvalid' } as const) : undefined,
  } satisfies Partial<Record<keyof TokenForm, Problem | undefined>>
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined))
}

/** Length is counted in characters as people see them typed, as the server does. */
function nameProblem({ name, count }: TokenForm): Problem | undefined {
  const length = [...name.trim()].length
  if (length === 0) return { code: 'nameRequired' }
  if (length > tokenNameMaxLength) return { code: 'nameTooLong', max: tokenNameMaxLength }
  const max = tokenNameMaxLength - batchSuffixLength
  return (count ?? 1) > 1 && length > max ? { code: 'nameTooLongForBatch', max } : undefined
}

function quotaProblem({ unlimited, quota }: TokenForm): Problem | undefined {
  if (unlimited) return undefined
  const fits = quota !== undefined && quota >= 0 && quota <= largestQuota
  return fits ? undefined : { code: 'quotaInvalid', max: largestQuota }
}

function expiryProblem({ expires, expiresAt }: TokenForm, now: number): Problem | undefined {
  if (!expires) return undefined
  if (expiresAt === undefined || expiresAt > latestExpiry) return { code: 'expiryInvalid' }
  return expiresAt > now ? undefined : { code: 'expiryPast' }
}

function modelsProblem({ limitsModels, models }: TokenForm): Problem | undefined {
  if (models.join(',').length > modelLimitsMaxLength) return { code: 'modelsTooLong' }
  return limitsModels && models.length === 0 ? { code: 'modelsRequired' } : undefined
}

function addressProblem({ addresses }: TokenForm): Problem | undefined {
  const line = firstBadAddress(addresses)
  return line === undefined ? undefined : { code: 'addressInvalid', line: line.slice(0, shownLineLength) }
}

/** The field that a refusal of the server is about. */
export const fieldOf = {
  token_name_required: 'name',
  token_name_too_long: 'name',
  token_quota_invalid: 'quota',
  token_exhausted_enable: 'quota',
  token_expiry_invalid: 'expiresAt',
  token_expired_enable: 'expiresAt',
  token_models_too_long: 'models',
  token_address_invalid: 'addresses',
  token_group_not_usable: 'group',
} as const satisfies Readonly<Record<string, keyof TokenForm>>
