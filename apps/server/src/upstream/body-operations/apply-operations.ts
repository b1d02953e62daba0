import { isObject, numberOf, withoutText } from '@tollgate/formats'
import {
  type BodyCondition,
  type BodyOperation,
  type ConditionMode,
  type OperationMode,
  valueAt,
  without,
  withValue,
} from './operation.ts'
import { OperationBudget } from './operation-budget.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * The body after the operations, in their order. One that does not fit the body (nothing at its path, a text operation on a
 * number) changes nothing. Unchanged parts are shared with the given body.
 * @throws OperationBudgetError for one that takes too much
 */
export function applyOperations(body: Body, operations: readonly BodyOperation[], facts: CallFacts): Body {
  const budget = new OperationBudget()
  let edited: Body = body
  for (const operation of operations) {
    budget.begin(operation)
    if (!applies(operation, edited, facts, budget)) continue
    budget.pass(edited, operation.path)
    edited = edits[operation.mode](edited, operation, budget) as Body
  }
  return edited
}

/** The edit counts what it reads and writes beside the containers on its path. */
type Edit = (body: unknown, operation: BodyOperation, budget: OperationBudget) => unknown

const edits: Readonly<Record<OperationMode, Edit>> = {
  set: (body, { path, value, keepOrigin }, budget) =>
    keepOrigin && valueAt(body, path) !== undefined ? body : withGrown(body, path, value, budget),
  delete: (body, { path }) => without(body, path),
  move: (body, { path, source }, budget) => {
    const value = valueAt(body, source)
    if (value === undefined) return body
    budget.pass(body, source)
    return withValue(without(body, source), path, value)
  },
  copy: (body, { path, source }, budget) => {
    const value = valueAt(body, source)
    return value === undefined ? body : withGrown(body, path, value, budget)
  },
  prepend: (body, operation, budget) => withJoined(body, operation, 'before', budget),
  append: (body, operation, budget) => withJoined(body, operation, 'behind', budget),
  trim_prefix: ofText((text, part) => (text.startsWith(part) ? text.slice(part.length) : text)),
  trim_suffix: ofText((text, part) =>
    text.endsWith(part) ? text.slice(0, text.length - part.length) : text,
  ),
  trim_space: ofText((text) => text.trim()),
  ensure_prefix: ofText((text, part) => (text.startsWith(part) ? text : part + text)),
  ensure_suffix: ofText((text, part) => (text.endsWith(part) ? text : text + part)),
  to_lower: ofText((text) => text.toLowerCase()),
  to_upper: ofText((text) => text.toUpperCase()),
  replace: (body, operation, budget) => {
    const text = valueAt(body, operation.path)
    const part = textIn(operation)
    if (typeof text !== 'string') return body
    const { search } = operation
    budget.work(text.length)
    // Counted without a new text: it may be longer than any text can be.
    budget.grow((part.length - search.length) * occurrences(text, search, budget))
    return withValue(body, operation.path, text.replaceAll(search, part.replaceAll('$', '$$$$')))
  },
}

function textIn({ value }: BodyOperation): string {
  return typeof value === 'string' ? value : ''
}

/** Bytes that finding and replacing one occurrence costs beside its text. */
const occurrenceBytes = 64

function occurrences(text: string, search: string, budget: OperationBudget): number {
  let count = 0
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) {
    budget.work(occurrenceBytes)
    count += 1
  }
  return count
}

/** Makes the edit of a text that grows by its own part at most; anything else stays unchanged. */
function ofText(edit: (text: string, part: string) => string): Edit {
  return (body, operation, budget) => {
    const found = valueAt(body, operation.path)
    if (typeof found !== 'string') return body
    budget.work(found.length)
    const edited = edit(found, textIn(operation))
    budget.grow(edited.length - found.length)
    return withValue(body, operation.path, edited)
  }
}

/** The body with a value in the place of another. */
function withGrown(body: unknown, path: BodyOperation['path'], value: unknown, budget: OperationBudget) {
  budget.grow(budget.sizeOf(value) - budget.sizeOf(valueAt(body, path)))
  return withValue(body, path, value)
}

/** Texts one behind the other, lists (or a list and an element) too; members of two objects together. */
function withJoined(
  body: unknown,
  { path, value, keepOrigin }: BodyOperation,
  position: 'before' | 'behind',
  budget: OperationBudget,
): unknown {
  const known = valueAt(body, path)
  budget.grow(budget.sizeOf(value))
  if (known === undefined) return withValue(body, path, value)
  budget.pass(known, [''])
  const [first, second] = position === 'before' ? [value, known] : [known, value]
  if (Array.isArray(known)) return withValue(body, path, [first, second].flat())
  if (typeof first === 'string' && typeof second === 'string') return withValue(body, path, first + second)
  if (!isObject(known) || !isObject(value)) return body
  return withValue(body, path, keepOrigin ? { ...value, ...known } : { ...known, ...value })
}

/** Facts of a call for conditions, beside its body, by names that mean nothing in the body. */
export type CallFacts = Readonly<Record<'original_model' | 'upstream_model', string>>

/** Decides whether an operation applies. */
function applies(
  { conditions, logic }: BodyOperation,
  body: unknown,
  facts: CallFacts,
  budget: OperationBudget,
): boolean {
  if (conditions.length === 0) return true
  const holdsHere = (condition: BodyCondition) => holds(condition, body, facts, budget)
  return logic === 'AND' ? conditions.every(holdsHere) : conditions.some(holdsHere)
}

function holds(
  { path, mode, value, invert, passMissing }: BodyCondition,
  body: unknown,
  facts: CallFacts,
  budget: OperationBudget,
) {
  const found = valueAt(body, path) ?? valueAt(facts, path)
  if (found === undefined) return passMissing
  // Compared as text, or member by member.
  budget.work(budget.sizeOf(found))
  return comparisons[mode](found, value) !== invert
}

type Comparison = (found: unknown, value: unknown) => boolean

const comparisons: Readonly<Record<ConditionMode, Comparison>> = {
  full: (found, value) => plainText(found) === plainText(value),
  prefix: ofTexts((found, value) => found.startsWith(value)),
  suffix: ofTexts((found, value) => found.endsWith(value)),
  contains: (found, value) =>
    Array.isArray(found)
      ? found.map(withoutText).includes(withoutText(value))
      : ofTexts((text, part) => text.includes(part))(found, value),
  gt: ofNumbers((found, value) => found > value),
  gte: ofNumbers((found, value) => found >= value),
  lt: ofNumbers((found, value) => found < value),
  lte: ofNumbers((found, value) => found <= value),
}

/** Writes a value as text without the spelling of numbers: `1.0` is 1. */
function plainText(value: unknown): string {
  return JSON.stringify(JSON.parse(JSON.stringify(value)))
}

function ofTexts(compare: (found: string, value: string) => boolean): Comparison {
  return (found, value) => typeof found === 'string' && typeof value === 'string' && compare(found, value)
}

function ofNumbers(compare: (found: number, value: number) => boolean): Comparison {
  return (found, value) => {
    const [own, other] = [numberOf(found), numberOf(value)]
    return own !== undefined && other !== undefined && compare(own, other)
  }
}
