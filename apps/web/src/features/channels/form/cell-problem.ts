import { priorityMin } from '@tollgate/api'

/** Key of the sentence about a number that the list edits in its cells, too. */
export type NumberProblem = 'priorityInvalid' | 'weightInvalid'

/** Returns why a priority or a weight cannot be saved from its cell in the list. */
export function cellProblem(
  field: 'priority' | 'weight',
  value: number | undefined,
): NumberProblem | undefined {
  if (field === 'priority') return priorityProblem(value)
  return value === undefined || value < 0 ? 'weightInvalid' : undefined
}

/** Returns why a priority cannot be saved, in a cell or in the form. */
export function priorityProblem(priority: number | undefined): NumberProblem | undefined {
  return priority === undefined || priority < priorityMin ? 'priorityInvalid' : undefined
}
