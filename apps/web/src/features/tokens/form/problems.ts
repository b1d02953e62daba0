import { modelLimitsMaxLength, tokenNameMaxLength } from '@tollgate/api'
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
    | 'modelsRequired'
    | 'modelsTooLong'
    | 'addressInvalid'
    | 'countInvalid'
  readonly max?: number
  readonly line?: string
}

export type Problems = Partial<Record<keyof TokenForm, Problem>>

/** End of the year 9999, beyond which the server refuses a time. */
const latestExpiry = 253_402_300_799
const shownLineLength = 100

/**
 * What keeps a form from being saved, by field. A stored key may keep the expiry it has, however long past.
 * @param storedExpiry of the key that is edited; `undefined` for a new one
 */
export function problemsOf(form: TokenForm, now: number, storedExpiry?: number): Problems {
  const found = {
    name: nameProblem(form),
    quota: quotaProblem(form),
    expiresAt:
      form.expires && form.expiresAt !== storedExpiry
        ? expiryProblem(form.expiresAt, now)
        : missingExpiry(form),
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
  return !unlimited && (quota === undefined || quota < 0) ? { code: 'quotaInvalid' } : undefined
}

function expiryProblem(at: number | undefined, now: number): Problem | undefined {
  return at === undefined || at <= now || at > latestExpiry ? { code: 'expiryInvalid' } : undefined
}

function missingExpiry({ expires, expiresAt }: TokenForm): Problem | undefined {
  return expires && expiresAt === undefined ? { code: 'expiryInvalid' } : undefined
}

function modelsProblem({ limitsModels, models }: TokenForm): Problem | undefined {
  if (models.join(',').length > modelLimitsMaxLength) return { code: 'modelsTooLong' }
  return limitsModels && models.length === 0 ? { code: 'modelsRequired' } : undefined
}

function addressProblem({ addresses }: TokenForm): Problem | undefined {
  const line = firstBadAddress(addresses)
  return line === undefined ? undefined : { code: 'addressInvalid', line: line.slice(0, shownLineLength) }
}

const refusedFields: Readonly<Record<string, keyof TokenForm>> = {
  token_name_required: 'name',
  token_name_too_long: 'name',
  token_quota_invalid: 'quota',
  token_exhausted_enable: 'quota',
  token_expiry_invalid: 'expiresAt',
  token_expired_enable: 'expiresAt',
  token_models_too_long: 'models',
  token_address_invalid: 'addresses',
  token_group_not_usable: 'group',
}

/** The field that a refusal of the server is about. */
export function refusedField(code: string): keyof TokenForm | undefined {
  return refusedFields[code]
}
