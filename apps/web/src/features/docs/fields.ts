import type { JsonSchema, OpenApiDocument } from '@tollgate/api/openapi'

/** One field of a body or a response, as a row of a table. */
export interface FieldRow {
  /** Name with the fields that it is in: `items[].name`. */
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly limits: readonly FieldLimit[]
}

/** A bound, the default or the choices of a field. */
export interface FieldLimit {
  readonly bound: (typeof bounds)[number] | 'enum'
  readonly value: string
}

type Schemas = Pick<OpenApiDocument, 'components'>

const deepest = 4

/** Every field of a schema, those of objects inside it after them. */
export function fieldRows(document: Schemas, schema: JsonSchema): readonly FieldRow[] {
  return rowsInside(document, schema, '', 0)
}

function rowsInside(document: Schemas, schema: JsonSchema, prefix: string, depth: number): FieldRow[] {
  const shape = shapeOf(document, schema)
  if (depth > deepest) return []
  const items = shape['items'] as JsonSchema | undefined
  if (items !== undefined) return rowsInside(document, items, `${prefix}[]`, depth)
  const required = (shape['required'] ?? []) as readonly string[]
  const properties = (shape['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    const row = {
      name: path,
      type: typeText(document, field),
      required: required.includes(name),
      limits: limitsOf(shapeOf(document, field)),
    }
    return [row, ...rowsInside(document, field, path, depth + 1)]
  })
}

/** The schema itself: references followed, the choice taken that is not null. */
export function shapeOf(document: Schemas, schema: JsonSchema): JsonSchema {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const found = document.components.schemas[reference.slice(reference.lastIndexOf('/') + 1)]
    return found === undefined ? {} : shapeOf(document, found)
  }
  const choices = choicesOf(schema).filter((choice) => choice['type'] !== 'null')
  const [only] = choices
  return only !== undefined && choices.length === 1 ? { ...schema, ...shapeOf(document, only) } : schema
}

function choicesOf(schema: JsonSchema): readonly JsonSchema[] {
  return (schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly JsonSchema[]
}

/** `string`, `integer or null`, `list of object`. */
function typeText(document: Schemas, schema: JsonSchema): string {
  const choices = choicesOf(schema)
  if (choices.length > 0) return [...new Set(choices.map((choice) => typeText(document, choice)))].join(' | ')
  const shape = shapeOf(document, schema)
  const { type, items } = shape
  if (shape['const'] !== undefined) return JSON.stringify(shape['const'])
  if (Array.isArray(type)) return type.join(' | ')
  if (type === 'array') return `${items === undefined ? 'any' : typeText(document, items as JsonSchema)}[]`
  return typeof type === 'string' ? type : 'any'
}

const bounds = [
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'minLength',
  'maxLength',
  'maxItems',
  'default',
] as const

function limitsOf(shape: JsonSchema): readonly FieldLimit[] {
  const limits = bounds
    .filter((bound) => shape[bound] !== undefined && shape[bound] !== '')
    .filter((bound) => !(bound === 'maximum' && shape['maximum'] === Number.MAX_SAFE_INTEGER))
    .map((bound): FieldLimit => ({ bound, value: JSON.stringify(shape[bound]) }))
  const choices = shape['enum'] as readonly unknown[] | undefined
  return choices === undefined
    ? limits
    : [...limits, { bound: 'enum', value: choices.map((choice) => String(choice)).join(' · ') }]
}
