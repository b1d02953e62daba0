import type { SchemaDialect } from '../canonical/schema-dialect.ts'
import { isObject, type JsonObject, listOf, objectOf } from '../json/value.ts'
import { Unfit } from './fitting.ts'
import { eachSchema } from './keywords.ts'

/** Sizes of a schema that targets limit. */
export interface SchemaSize {
  readonly properties: number
  readonly depth: number
  readonly enumValues: number
  readonly alternatives: number
  readonly optional: number
  readonly unions: number
}

/** Counts what a schema holds. */
export function sizeOf(root: JsonObject): SchemaSize {
  const size = { properties: 0, depth: 0, enumValues: 0, alternatives: 0, optional: 0, unions: 0 }
  const count = (schema: unknown, depth: number): void => {
    if (!isObject(schema)) return
    const names = Object.keys(objectOf(schema.properties))
    const required = new Set(listOf(schema.required))
    const alternatives = listOf(schema.anyOf).length
    size.properties += names.length
    size.optional += names.filter((name) => !required.has(name)).length
    size.enumValues += listOf(schema.enum).length
    size.alternatives = Math.max(size.alternatives, alternatives)
    if (alternatives > 0 || Array.isArray(schema.type)) size.unions++
    const inside = names.length > 0 ? depth + 1 : depth
    size.depth = Math.max(size.depth, inside)
    eachSchema(schema, (inner) => count(inner, inside))
  }
  count(root, 0)
  return size
}

/** @throws Unfit for a schema that holds more than the target takes */
export function checkLimits(schema: JsonObject, { limits }: SchemaDialect): void {
  if (limits === undefined) return
  const size = sizeOf(schema)
  for (const [name, limit] of Object.entries(limits)) {
    const held = size[name as keyof typeof limits] // Its names are those of the limits.
    if (held > limit)
      throw new Unfit('', `it holds ${held} of ${limit} ${words[name as keyof typeof limits]} at most`)
  }
}

const words = {
  properties: 'properties',
  depth: 'objects inside each other',
  enumValues: 'values to choose from',
  alternatives: 'alternatives in one place',
} as const
