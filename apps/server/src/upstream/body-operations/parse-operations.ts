import { isObject } from '@tollgate/formats'
import { Refusal } from '../../lib/refusal.ts'
import {
  type BodyCondition,
  type BodyOperation,
  conditionModes,
  type OperationMode,
  operationModes,
  parsePath,
} from './operation.ts'

type Written = Readonly<Record<string, unknown>>

const maxOperations = 100
const maxConditions = 20

/** Needs of an operation beside its mode: paths, any value, or texts. */
type Need = 'path' | 'value' | 'text' | 'from path' | 'to path' | 'from text' | 'to text'

const needs: Readonly<Record<OperationMode, readonly Need[]>> = {
  set: ['path', 'value'],
  delete: ['path'],
  move: ['from path', 'to path'],
  copy: ['from path', 'to path'],
  prepend: ['path', 'value'],
  append: ['path', 'value'],
  trim_prefix: ['path', 'text'],
  trim_suffix: ['path', 'text'],
  trim_space: ['path'],
  ensure_prefix: ['path', 'text'],
  ensure_suffix: ['path', 'text'],
  to_lower: ['path'],
  to_upper: ['path'],
  replace: ['path', 'from text', 'to text'],
}

type Parts = Partial<Pick<BodyOperation, 'path' | 'source' | 'value' | 'search'>>

/** Readers of each need; `undefined` where it is not met. */
const readers: Readonly<Record<Need, readonly [field: string, read: (value: unknown) => Parts | undefined]>> =
  {
    path: ['path', (value) => found(parsePath(value), (path) => ({ path }))],
    'to path': ['to', (value) => found(parsePath(value), (path) => ({ path }))],
    'from path': ['from', (value) => found(parsePath(value), (source) => ({ source }))],
    value: ['value', (value) => (value === undefined ? undefined : { value })],
    text: ['value', (value) => found(textOf(value), (text) => ({ value: text }))],
    'from text': ['from', (value) => found(textOf(value), (search) => ({ search }))],
    'to text': ['to', (value = '') => (typeof value === 'string' ? { value } : undefined)],
  }

function found<Value>(value: Value | undefined, parts: (value: Value) => Parts): Parts | undefined {
  return value === undefined ? undefined : parts(value)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The `operations` of a `param_override`. Throws `Refusal` that says which of them cannot be done, and why. */
export function parseOperations(value: unknown): readonly BodyOperation[] {
  if (!Array.isArray(value) || value.length > maxOperations)
    throw new Refusal('channel_operations_not_list', { max: maxOperations })
  return value.map((written, index) => parseOperation(written, index + 1))
}

function parseOperation(written: unknown, number: number): BodyOperation {
  const operation = isObject(written) ? written : {}
  const mode = oneOf(operationModes, operation.mode)
  if (mode === undefined) throw new Refusal('channel_operation_mode', { number, modes: operationModes })
  const { path = [], source = [], search = '', value } = partsOf(operation, mode, number)
  if (path[0] === 'stream' || source[0] === 'stream') throw new Refusal('channel_param_override_stream')
  const logic = oneOf(['AND', 'OR'] as const, operation.logic ?? 'OR')
  if (logic === undefined) throw invalid(number, 'logic', mode)
  const keepOrigin = flagIn(operation, 'keep_origin', number, mode)
  const conditions = parseConditions(operation, number)
  return { mode, path, source, search, value, keepOrigin, logic, conditions }
}

function partsOf(operation: Written, mode: OperationMode, number: number): Parts {
  let parts: Parts = {}
  for (const need of needs[mode]) {
    const [field, read] = readers[need]
    const part = read(operation[field])
    if (part === undefined) throw invalid(number, field, mode)
    parts = { ...parts, ...part }
  }
  return parts
}

function parseConditions({ conditions = [] }: Written, number: number): readonly BodyCondition[] {
  const isList = Array.isArray(conditions) && conditions.length <= maxConditions
  if (!isList) throw new Refusal('channel_operation_condition', { number, modes: conditionModes })
  return conditions.map((written) => parseCondition(written, number))
}

function parseCondition(written: unknown, number: number): BodyCondition {
  const condition = isObject(written) ? written : {}
  const path = parsePath(condition.path)
  const mode = oneOf(conditionModes, condition.mode)
  if (path === undefined || mode === undefined || condition.value === undefined)
    throw new Refusal('channel_operation_condition', { number, modes: conditionModes })
  const invert = flagIn(condition, 'invert', number, mode)
  return {
    path,
    mode,
    value: condition.value,
    invert,
    passMissing: flagIn(condition, 'pass_missing_key', number, mode),
  }
}

function flagIn(written: Written, field: string, number: number, mode: string): boolean {
  const value = written[field] ?? false
  if (typeof value !== 'boolean') throw invalid(number, field, mode)
  return value
}

function invalid(number: number, field: string, mode: string): Refusal {
  return new Refusal('channel_operation_field', { number, field, mode })
}

function oneOf<Name extends string>(names: readonly Name[], value: unknown): Name | undefined {
  return names.find((name) => name === value)
}
