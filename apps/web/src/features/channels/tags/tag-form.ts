import type { ChannelTagBody } from '@tollgate/api'
import { cellProblem } from '../form/cell-problem.ts'
import type { Problem } from '../form/problems.ts'
import { modelMappingProblem } from '../mapping/mapping.ts'

/** Values for all channels of a tag. Empty means unchanged, except for the tag itself: empty dissolves it. */
export interface TagForm {
  readonly newTag: string
  readonly models: readonly string[]
  readonly groups: readonly string[]
  /** JSON text. */
  readonly modelMapping: string
  /** Text as typed. */
  readonly priority: string
  readonly weight: string
}

export function blankTagForm(tag: string): TagForm {
  return { newTag: tag, models: [], groups: [], modelMapping: '', priority: '', weight: '' }
}

/** Finds the problems that keep it from being saved, by field. */
export function tagProblems(form: TagForm): Partial<Record<keyof TagForm, Problem>> {
  const mapping = modelMappingProblem({ view: 'json', text: form.modelMapping })
  const priority = numberProblem('priority', form.priority)
  const weight = numberProblem('weight', form.weight)
  return {
    ...(mapping !== undefined && { modelMapping: `modelMapping.${mapping}` as const }),
    ...(priority !== undefined && { priority }),
    ...(weight !== undefined && { weight }),
  }
}

/** Returns the body to send; `undefined` when nothing is set. */
export function tagBody(tag: string, form: TagForm): ChannelTagBody | undefined {
  const newTag = form.newTag.trim()
  const body: ChannelTagBody = {
    tag,
    new_tag: newTag,
    ...(form.models.length > 0 && { models: form.models.join(',') }),
    ...(form.groups.length > 0 && { groups: form.groups.join(',') }),
    ...(form.modelMapping.trim() !== '' && { model_mapping: form.modelMapping.trim() }),
    ...(form.priority.trim() !== '' && { priority: Number(form.priority) }),
    ...(form.weight.trim() !== '' && { weight: Number(form.weight) }),
  }
  return newTag === tag && Object.keys(body).length === 2 ? undefined : body
}

function numberProblem(field: 'priority' | 'weight', text: string): Problem | undefined {
  if (text.trim() === '') return undefined
  return cellProblem(field, /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : undefined)
}
