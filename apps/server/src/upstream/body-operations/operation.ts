import type { JsonPath } from './json-path.ts'

/** What an operation does. */
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
  /** What is edited; where to, for `move` and `copy`. */
  readonly path: JsonPath
  /** Where from, of `move` and `copy`. */
  readonly source: JsonPath
  /** What is put in, or taken off a text. */
  readonly value: unknown
  /** The text that `replace` looks for. */
  readonly search: string
  /** What is there already stays. */
  readonly keepOrigin: boolean
  readonly conditions: readonly BodyCondition[]
  /** Whether one condition is enough. Without conditions it is done always. */
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
