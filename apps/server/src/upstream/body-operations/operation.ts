import { isObject } from '@tollgate/formats'

/** Modes of an operation. */
export const operationModes = [
  'set',
  'delete',
  'move',
  'copy',
  'prepend',
  'append',
  'trim_prefix',
  'trim_suffix',
  'trim_space',
  'ensure_prefix',
  'ensure_suffix',
  'to_lower',
  'to_upper',
  'replace',
] as const
export type OperationMode = (typeof operationModes)[number]

export const conditionModes = ['full', 'prefix', 'suffix', 'contains', 'gt', 'gte', 'lt', 'lte'] as const
export type ConditionMode = (typeof conditionModes)[number]

/** A channel's `param_override`, read. */
export interface ParamOverride {
  /** Laid over the top level of request bodies; `stream` is never in it. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Done after that, in their order. */
  readonly operations: readonly BodyOperation[]
}

/** One edit of a request body, as an operator writes it in `param_override`. */
export interface BodyOperation {
  readonly mode: OperationMode
  /** Path of the edit; the target of `move` and `copy`. */
  readonly path: JsonPath
  /** Source of `move` and `copy`. */
  readonly source: JsonPath
  /** Value to insert, or text to take off. */
  readonly value: unknown
  /** The text that `replace` looks for. */
  readonly search: string
  /** Leaves an existing value unchanged. */
  readonly keepOrigin: boolean
  readonly conditions: readonly BodyCondition[]
  /** Link of the conditions: `OR` needs one of them. Without conditions the operation applies always. */
  readonly logic: 'AND' | 'OR'
}

export interface BodyCondition {
  readonly path: JsonPath
  readonly mode: ConditionMode
  readonly value: unknown
  readonly invert: boolean
  /** Holds where there is nothing at the path. */
  readonly passMissing: boolean
}

/** Keys and places from the top of a JSON value down; a negative place counts from the end. */
type JsonPath = readonly string[]

const maxSegments = 32

/** Written with dots; `\.` is a dot in a key. `undefined` for a text that is no path. */
export function parsePath(text: unknown): JsonPath | undefined {
  if (typeof text !== 'string') return undefined
  const segments = text.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'))
  return segments.length > maxSegments || segments.some((segment) => segment === '') ? undefined : segments
}

/** `undefined` where there is nothing. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((at, segment) => {
    if (Array.isArray(at)) return at[positionIn(at, segment) ?? -1]
    return isObject(at) && Object.hasOwn(at, segment) ? at[segment] : undefined
  }, value)
}

/**
 * The value with another one at the path. Objects on the way are made; a list takes a place that it has, or the next. Where
 * the path leads through anything else, the value itself. Values beside the path are shared.
 */
export function withValue(value: unknown, [key, ...rest]: JsonPath, leaf: unknown): unknown {
  if (key === undefined) return leaf
  if (Array.isArray(value)) {
    const position = key === String(value.length) ? value.length : positionIn(value, key)
    if (position === undefined) return value
    const next = withValue(value[position], rest, leaf)
    return position === value.length ? [...value, next] : value.with(position, next)
  }
  if (value !== undefined && !isObject(value)) return value
  const known = value !== undefined && Object.hasOwn(value, key) ? value[key] : undefined
  return { ...value, [key]: withValue(known, rest, leaf) }
}

/** The value without what is at the path; the value itself where there is nothing. */
export function without(value: unknown, path: JsonPath): unknown {
  const [key = '', ...rest] = path
  if (valueAt(value, path) === undefined) return value
  if (rest.length > 0) return withValue(value, [key], without(valueAt(value, [key]), rest))
  if (Array.isArray(value)) return value.toSpliced(positionIn(value, key) ?? value.length, 1)
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => name !== key))
}

function positionIn(list: readonly unknown[], segment: string): number | undefined {
  if (!/^-?\d{1,9}$/.test(segment)) return undefined
  const position = Number(segment) < 0 ? list.length + Number(segment) : Number(segment)
  return position >= 0 && position < list.length ? position : undefined
}
