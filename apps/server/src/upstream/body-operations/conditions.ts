import { valueAt } from './json-path.ts'
import type { BodyCondition, BodyOperation, ConditionMode } from './operation.ts'

/** What conditions may ask of a call beside its body, by names that stand for nothing in the body. */
export type CallFacts = Readonly<Record<'original_model' | 'upstream_model', string>>

/** Whether an operation is to be done. */
export function applies({ conditions, logic }: BodyOperation, body: unknown, facts: CallFacts): boolean {
  if (conditions.length === 0) return true
  const holdsHere = (condition: BodyCondition) => holds(condition, body, facts)
  return logic === 'AND' ? conditions.every(holdsHere) : conditions.some(holdsHere)
}

function holds({ path, mode, value, invert, passMissing }: BodyCondition, body: unknown, facts: CallFacts) {
  const found = valueAt(body, path) ?? valueAt(facts, path)
  if (found === undefined) return passMissing
  return comparisons[mode](found, value) !== invert
}

type Comparison = (found: unknown, value: unknown) => boolean

const comparisons: Readonly<Record<ConditionMode, Comparison>> = {
  full: (found, value) => JSON.stringify(found) === JSON.stringify(value),
  prefix: ofTexts((found, value) => found.startsWith(value)),
  suffix: ofTexts((found, value) => found.endsWith(value)),
  contains: (found, value) =>
    Array.isArray(found) ? found.includes(value) : ofTexts((text, part) => text.includes(part))(found, value),
  gt: ofNumbers((found, value) => found > value),
  gte: ofNumbers((found, value) => found >= value),
  lt: ofNumbers((found, value) => found < value),
  lte: ofNumbers((found, value) => found <= value),
}

function ofTexts(compare: (found: string, value: string) => boolean): Comparison {
  return (found, value) => typeof found === 'string' && typeof value === 'string' && compare(found, value)
}

function ofNumbers(compare: (found: number, value: number) => boolean): Comparison {
  return (found, value) => typeof found === 'number' && typeof value === 'number' && compare(found, value)
}
