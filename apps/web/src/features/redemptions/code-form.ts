import { type RedemptionCreateBody, redemptionBatchMax, redemptionFields } from '@tollgate/api'
import { walletRefusedFields } from '@tollgate/api/refused-fields'
import { type FormOf, fieldsByCode, type LimitProblem, limitProblems } from '../../components/form/index.ts'

/** The body that creates codes, as typed. `count`: how many to create. */
export type CodeForm = FormOf<RedemptionCreateBody>

/** A new code before anything is typed (spec operations §9). */
export const blankForm: CodeForm = { name: '', quota: 100_000, count: 1 }

export const countPresets = [1, 10, 50, redemptionBatchMax] as const

/** Key of a problem's sentence, and what is filled into it. */
export interface CodeProblem {
  readonly code: 'redemption_name_length' | 'redemption_quota_invalid' | 'countInvalid'
  readonly max: number
}

/** Finds the problems that keep a form from being saved, by field. An empty name is filled in. */
export function problemsOf(form: CodeForm): Partial<Record<keyof CodeForm, CodeProblem>> {
  const { count } = form
  // The limits of these fields have no other refusals.
  const limits: Partial<Record<keyof CodeForm, LimitProblem>> = limitProblems(redemptionFields, {
    ...form,
    name: form.name.trim() || '-',
  })
  const isCountWrong = count === undefined || count < 1 || count > redemptionBatchMax
  return {
    ...(limits as Partial<Record<keyof CodeForm, CodeProblem>>),
    ...(isCountWrong && { count: { code: 'countInvalid', max: redemptionBatchMax } }),
  }
}

/**
 * Returns the body of a checked form.
 * @param unnamed the name of codes that are given none: what they are worth
 */
export function createBodyOf(
  { name, quota = 0, count = 1 }: CodeForm,
  unnamed: string,
): RedemptionCreateBody {
  return { name: name.trim() || unnamed, quota, count }
}

/** Labels of the form's fields. */
export const fieldLabels = { name: 'name.label', quota: 'quota.label', count: 'count.label' } as const

/** The field that a refusal of the server is about. */
export const fieldOf = fieldsByCode(walletRefusedFields, { name: 'name', quota: 'quota', count: 'count' })
