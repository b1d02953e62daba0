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

type Body = Readonly<Record<string, unknown>>

/**
 * The body after the operations, in their order. One that does not fit the body (nothing at its path, a text operation on a
 * number) changes nothing. Unchanged parts are shared with the given body.
 */
export function applyOperations(body: Body, operations: readonly BodyOperation[], facts: CallFacts): Body {
  let edited: Body = body
  for (const operation of operations)
    if (applies(operation, edited, facts)) edited = edits[operation.mode](edited, operation) as Body
  return edited
}

type Edit = (body: unknown, operation: BodyOperation) => unknown

const edits: Readonly<Record<OperationMode, Edit>> = {
  set: (body, { path, value, keepOrigin }) =>
    keepOrigin && valueAt(body, path) !== undefined ? body : withValue(body, path, value),
  delete: (body, { path }) => without(body, path),
  move: (body, { path, source }) => {
    const value = valueAt(body, source)
    return value === undefined ? body : withValue(without(body, source), path, value)
  },
  copy: (body, { path, source }) => {
    const value = valueAt(body, source)
    return value === undefined ? body : withValue(body, path, value)
  },
  prepend: (body, operation) => withJoined(body, operation, 'before'),
  append: (body, operation) => withJoined(body, operation, 'behind'),
  trim_prefix: ofText((text, part) => (text.startsWith(part) ? text.slice(part.length) : text)),
  trim_suffix: ofText((text, part) =>
    text.endsWith(part) ? text.slice(0, text.length - part.length) : text,
  ),
  trim_space: ofText((text) => text.trim()),
  ensure_prefix: ofText((text, part) => (text.startsWith(part) ? text : part + text)),
  ensure_suffix: ofText((text, part) => (text.endsWith(part) ? text : text + part)),
  to_lower: ofText((text) => text.toLowerCase()),
  to_upper: ofText((text) => text.toUpperCase()),
  replace: ofText((text, part, { search }) => text.replaceAll(search, () => part)),
}

/** Of an operation on a text; anything else stays as it is. */
function ofText(edit: (text: string, part: string, operation: BodyOperation) => string): Edit {
  return (body, operation) => {
    const found = valueAt(body, operation.path)
    const part = typeof operation.value === 'string' ? operation.value : ''
    return typeof found === 'string' ? withValue(body, operation.path, edit(found, part, operation)) : body
  }
}

/** Texts one behind the other, lists (or a list and an element) too; members of two objects together. */
function withJoined(
  body: unknown,
  { path, value, keepOrigin }: BodyOperation,
  place: 'before' | 'behind',
): unknown {
  const known = valueAt(body, path)
  if (known === undefined) return withValue(body, path, value)
  const [first, second] = place === 'before' ? [value, known] : [known, value]
  if (Array.isArray(known)) return withValue(body, path, [first, second].flat())
  if (typeof first === 'string' && typeof second === 'string') return withValue(body, path, first + second)
  if (!isObject(known) || !isObject(value)) return body
  return withValue(body, path, keepOrigin ? { ...value, ...known } : { ...known, ...value })
}

/** What conditions may ask of a call beside its body, by names that stand for nothing in the body. */
export type CallFacts = Readonly<Record<'original_model' | 'upstream_model', string>>

/** Whether an operation is to be done. */
function applies({ conditions, logic }: BodyOperation, body: unknown, facts: CallFacts): boolean {
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

/** Without the spelling of numbers: `1.0` is 1. */
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
