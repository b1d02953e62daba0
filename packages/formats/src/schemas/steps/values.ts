import { isObject, type JsonObject, listOf, textOf } from '../../json/value.ts'
import { type Fitting, Unfit } from '../fitting.ts'
import { typesOf, without } from '../keywords.ts'
import { isRead, type Step } from './step.ts'

/** Constants and choices in the types that the target reads; `null` and both truth values are types of their own. */
export const readableValues: Step = (schema, at, fitting) => {
  const { enumTypes } = fitting.dialect
  if (!('const' in schema) && !Array.isArray(schema.enum)) return schema
  const isConst = 'const' in schema
  if (enumTypes === undefined && (!isConst || isRead('const', fitting))) return schema
  const values = isConst ? [schema.const] : listOf(schema.enum)
  const readable = values.filter((value) => enumTypes === undefined || enumTypes.has(kindOf(value)))
  if (!isConst && readable.length === values.length) return withTypeOf(schema, readable, fitting)
  const own = without(schema, ['const', 'enum'])
  if (own.anyOf !== undefined) {
    fitting.refuseOrLose(isConst ? 'const' : 'enum', at, 'it cannot stand beside anyOf')
    return own
  }
  const others = valueTypes(
    values.filter((value) => !readable.includes(value)),
    isConst ? 'const' : 'enum',
    at,
    fitting,
  )
  if (others.length === 0) return withTypeOf({ ...own, enum: readable }, readable, fitting)
  return alternativesOf(own, readable, others, fitting)
}

function alternativesOf(
  schema: JsonObject,
  readable: readonly unknown[],
  others: readonly JsonObject[],
  fitting: Fitting,
): JsonObject {
  const own = without(schema, ['type'])
  const types = typesOf(schema)
  const possible = others.flatMap(({ type }) => typeAmong(textOf(type), types))
  const chosen = readable.length === 0 ? [] : [withTypeOf({ enum: readable }, readable, fitting)]
  const [only, ...more] = [...chosen, ...possible]
  return more.length === 0 ? { ...own, ...only } : { ...own, anyOf: [only, ...more] }
}

/** A type as far as the schema allows it. */
function typeAmong(type: string, types: readonly string[] | undefined): readonly JsonObject[] {
  if (types === undefined || types.includes(type)) return [{ type }]
  return type === 'number' && types.includes('integer') ? [{ type: 'integer' }] : []
}

/** Values that cannot be listed, by their types. */
function valueTypes(
  values: readonly unknown[],
  keyword: string,
  at: string,
  fitting: Fitting,
): readonly JsonObject[] {
  const kinds = new Set(values.map(kindOf))
  const areBoth = values.includes(true) && values.includes(false)
  const isComplete = [...kinds].every((kind) => kind === 'null' || (kind === 'boolean' && areBoth))
  if (!isComplete) fitting.refuseOrLose(keyword, at, 'its values cannot be listed')
  return [...kinds].map((type) => ({ type }))
}

/** A target that wants types with its choices gets the types of the values. */
function withTypeOf(schema: JsonObject, values: readonly unknown[], fitting: Fitting): JsonObject {
  if (schema.type !== undefined || schema.anyOf !== undefined || fitting.dialect.enumTypes === undefined)
    return schema
  const [only, ...others] = new Set(values.map(kindOf))
  return only === undefined || others.length > 0 ? schema : { type: only, ...schema }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

/** A target that names types wants one everywhere. */
export const namedTypes: Step = (schema, at, fitting) => {
  if (fitting.dialect.typed !== true) return schema
  if (['type', 'anyOf', '$ref'].some((key) => key in schema)) return schema
  if (isObject(schema.properties)) return { type: 'object', ...schema }
  if (schema.items !== undefined) return { type: 'array', ...schema }
  throw new Unfit(at, 'it names no type')
}
