import type { GroupField, GroupRow, GroupSettings } from '@tollgate/api'
import { type RateLimitValues, rateLimitBody } from '../../components/form/index.ts'

/** Values that a person types about a group; an empty number is `undefined`. */
export interface GroupForm extends RateLimitValues {
  readonly name: string
  readonly ratio: number | undefined
  readonly is_open: boolean
  readonly description: string
  readonly top_up_ratio: number | undefined
  /** The group has a limit for each user of its own. */
  readonly hasUserLimits: boolean
  readonly requests: number | undefined
  readonly successes: number | undefined
}

/** The limit for each user that the form begins with: any number of tries, of which so many may succeed. */
const firstUserLimits = { requests: 0, successes: 1000 }

/** A group with nothing in it yet. */
export const newGroup: Partial<GroupRow> & Pick<GroupRow, 'name'> = { name: '' }

/** Returns a group as its form has it. */
export function formOf(row: Partial<GroupRow> & Pick<GroupRow, 'name'>): GroupForm {
  const limits = row.user_limits ?? undefined
  return {
    name: row.name,
    ratio: row.ratio ?? 1,
    is_open: row.is_open ?? false,
    description: row.description ?? '',
    top_up_ratio: row.top_up_ratio ?? 1,
    hasUserLimits: limits !== undefined,
    ...(limits ?? firstUserLimits),
    requests_per_minute: row.requests_per_minute ?? 0,
    tokens_per_minute: row.tokens_per_minute ?? 0,
    concurrency: row.concurrency ?? 0,
  }
}

/** Returns a form in the fields of the contract. */
export function settingsOf(form: GroupForm): GroupSettings {
  return {
    ratio: form.ratio ?? 1,
    is_open: form.is_open,
    description: form.is_open ? form.description.trim() : '',
    top_up_ratio: form.top_up_ratio ?? 1,
    user_limits: form.hasUserLimits
      ? { requests: form.requests ?? 0, successes: form.successes ?? firstUserLimits.successes }
      : null,
    ...rateLimitBody(form),
  }
}

/** Returns the fields that differ from what the person found, and their values then. */
export function changedSettings(before: GroupForm, after: GroupForm) {
  const [old, next] = [settingsOf(before), settingsOf(after)]
  const changed = (Object.keys(next) as GroupField[]).filter(
    (field) => JSON.stringify(old[field]) !== JSON.stringify(next[field]),
  )
  const chosen = (from: GroupSettings): Partial<GroupSettings> =>
    Object.fromEntries(changed.map((field) => [field, from[field]]))
  return { settings: chosen(next), base: chosen(old) }
}

/** Problem of a field, by the text that says it. */
export type GroupProblem = 'nameMissing' | 'nameTaken' | 'ratio' | 'successes'

/** Finds the problems that need no server. */
export function problemsOf(
  form: GroupForm,
  taken: readonly string[],
): Partial<Record<keyof GroupForm, GroupProblem>> {
  const isRatio = (value: number | undefined) => value !== undefined && value >= 0
  const name = form.name.trim()
  return {
    ...(name === '' && { name: 'nameMissing' as const }),
    ...(taken.includes(name) && { name: 'nameTaken' as const }),
    ...(!isRatio(form.ratio) && { ratio: 'ratio' as const }),
    ...(!isRatio(form.top_up_ratio) && { top_up_ratio: 'ratio' as const }),
    ...(form.hasUserLimits && !((form.successes ?? 0) >= 1) && { successes: 'successes' as const }),
  }
}
