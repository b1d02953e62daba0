import { maximumOf, type RedemptionCreateBody, redemptionBatchMaximum, redemptionFields } from '@tollgate/api'

/** What the form of a code edits, as typed. */
export interface CodeForm {
  readonly name: string
  /** In quota units; `undefined`: empty, or no whole number. */
  readonly quota: number | undefined
  /** How many to create; `undefined`: no whole number. */
  readonly count: number | undefined
}

/** A new code before anything is typed (spec operations §9). */
export const blankForm: CodeForm = { name: '', quota: 100_000, count: 1 }

export const countPresets = [1, 10, 50, redemptionBatchMaximum] as const

/** More than that the server refuses. */
export const largestQuota = 10 ** 15

export const redemptionNameMaxLength = maximumOf(redemptionFields.find(({ name }) => name === 'name')?.limits)

export type CodeProblem = 'nameTooLong' | 'quotaInvalid' | 'countInvalid'

/** What keeps a form from being saved, by field. An empty name is filled in. */
export function problemsOf({ name, quota, count }: CodeForm): Partial<Record<keyof CodeForm, CodeProblem>> {
  // Length is counted in Unicode characters, as the server does.
  const nameFits = [...name.trim()].length <= redemptionNameMaxLength
  return {
    ...(!nameFits && { name: 'nameTooLong' as const }),
    ...(!isWithin(quota, largestQuota) && { quota: 'quotaInvalid' as const }),
    ...(!isWithin(count, redemptionBatchMaximum) && { count: 'countInvalid' as const }),
  }
}

function isWithin(value: number | undefined, max: number): boolean {
  return value !== undefined && value >= 1 && value <= max
}

/**
 * What a checked form asks for.
 * @param unnamed the name of codes that are given none: what they are worth
 */
export function createBodyOf(
  { name, quota = 0, count = 1 }: CodeForm,
  unnamed: string,
): RedemptionCreateBody {
  return { name: name.trim() || unnamed, quota, count }
}

/** The field that a refusal of the server is about. */
export const fieldOf = {
  redemption_name_length: 'name',
  redemption_quota_invalid: 'quota',
  redemption_count_low: 'count',
  redemption_count_high: 'count',
} as const satisfies Readonly<Record<string, keyof CodeForm>>
