import type { StatisticsRange, UsageBucket } from '../figures-repository.ts'

/**
 * Hours taken together in steps. Done here because rows come in the order of time: a database sorts them anew to group
 * them, which takes twice as long.
 * @param hours in the order of time
 */
export function inSteps(
  hours: readonly UsageBucket[],
  { stepSeconds, shiftSeconds }: Pick<StatisticsRange, 'stepSeconds' | 'shiftSeconds'>,
): UsageBucket[] {
  const steps: UsageBucket[] = []
  let start = Number.NaN
  let byModel = new Map<string, Mutable>()
  for (const hour of hours) {
    const at = hour.at - ((hour.at + shiftSeconds) % stepSeconds)
    if (at !== start) {
      steps.push(...byModelName(byModel))
      start = at
      byModel = new Map()
    }
    const known = byModel.get(hour.model)
    if (known === undefined) byModel.set(hour.model, { ...hour, at })
    else add(known, hour)
  }
  steps.push(...byModelName(byModel))
  return steps
}

type Mutable = { -readonly [Name in keyof UsageBucket]: UsageBucket[Name] }

function add(sum: Mutable, { count, quota, tokens }: UsageBucket): void {
  sum.count += count
  sum.quota += quota
  sum.tokens += tokens
}

function byModelName(figures: ReadonlyMap<string, UsageBucket>): UsageBucket[] {
  return [...figures.values()].sort((a, b) => (a.model < b.model ? -1 : 1))
}
