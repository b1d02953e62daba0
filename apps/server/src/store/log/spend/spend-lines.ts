import { type Program, query } from '../../program.ts'
import { fragment } from '../quarters/split-hours.ts'
import { rowsByUser, type SpendTimes, summed } from './spend-rows.ts'

/** Sums of some users by model, packed: a list of objects would hold up the thread that gets it. */
export interface SpendLines {
  readonly models: readonly string[]
  /** One line after the other; `lineFields` says what a line has. */
  readonly numbers: Float64Array
}

/** Numbers of a line: `model` is an index into the models. */
export const lineFields = ['userId', 'model', 'count', 'promptTokens', 'completionTokens', 'quota'] as const

/** Reads the lines of some users, in their order; of each user the dearest model first. */
export function* readSpendLines(times: SpendTimes, userIds: Float64Array): Program<SpendLines> {
  if (userIds.length === 0) return packed([])
  const rows = rowsByUser(times, fragment`user_id in (${userIds.join(', ')})`)
  const found = yield* query<Line>(
    `select user_id as "userId", model, ${summed('count', 'count')}, ${summed('quota', 'quota')},
        ${summed('prompt_tokens', 'promptTokens')}, ${summed('completion_tokens', 'completionTokens')}
      from ${rows.sql} as usage group by user_id, model`,
    rows.parameters,
  )
  const order = new Map(Array.from(userIds, (id, index) => [id, index]))
  const lines = found
    .filter(({ count, quota }) => count !== 0 || quota !== 0)
    .sort(
      (a, b) =>
        (order.get(a.userId) ?? 0) - (order.get(b.userId) ?? 0) ||
        b.quota - a.quota ||
        (a.model < b.model ? -1 : 1),
    )
  return packed(lines)
}

interface Line extends Record<Exclude<(typeof lineFields)[number], 'model'>, number> {
  readonly model: string
}

function packed(lines: readonly Line[]): SpendLines {
  const models = new Map<string, number>()
  const numbers = new Float64Array(lines.length * lineFields.length)
  let at = 0
  for (const line of lines) {
    const model = models.get(line.model) ?? models.size
    models.set(line.model, model)
    for (const field of lineFields) numbers[at++] = field === 'model' ? model : line[field]
  }
  return { models: [...models.keys()], numbers }
}
