import { z } from 'zod'
import { jsonMembers } from '../unknown-members.ts'
import * as wire from '../wire.ts'
import type { JsonSchema } from './document-types.ts'

/** The direction of a schema: a request or a response. */
type Direction = 'input' | 'output'

export interface SchemaWriter {
  /** The schema of one place of a call; named shapes become references. */
  write(schema: z.ZodType, direction: Direction): JsonSchema
  /** Every named shape with a reference so far. */
  readonly components: Readonly<Record<string, JsonSchema>>
}

/** Descriptions of query texts, which their transformations do not carry. */
const wireShapes: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [wire.queryInteger, { type: 'integer' }],
  [wire.queryText, { type: 'string', maxLength: 500 }],
  [wire.queryFlag, { type: 'boolean' }],
  [wire.pageSize, { type: 'integer', minimum: 1, maximum: wire.maxPageSize, default: wire.defaultPageSize }],
  [wire.optionalPageSize, { type: 'integer', minimum: 1, maximum: wire.maxPageSize }],
  [wire.utcOffset, { type: 'integer', minimum: -840, maximum: 840, default: 0 }],
  [wire.oneBasedPage, { type: 'integer', minimum: 1, default: 1 }],
  [wire.zeroBasedPage, { type: 'integer', minimum: 0, default: 0 }],
])

/** @param shapes exported schemas by their names in the contract; those that are objects become components */
export function createSchemaWriter(shapes: Readonly<Record<string, unknown>>): SchemaWriter {
  const registry = z.registry<{ id: string }>()
  for (const [name, shape] of Object.entries(shapes))
    if (shape instanceof z.ZodObject && !registry.has(shape)) registry.add(shape, { id: capitalised(name) })
  const components: Record<string, JsonSchema> = {}

  /** One name may differ in requests and responses (defaults are optional in one of them). */
  function nameFor(id: string, schema: JsonSchema, direction: Direction): string {
    const taken = components[id]
    if (
      taken === undefined ||
      sameSchema(
        taken,
        withRefs(schema, (name) => name),
      )
    )
      return id
    return direction === 'input' ? `${id}Input` : `${id}Output`
  }

  return {
    components,
    write(schema, direction) {
      const {
        $schema: _,
        $defs = {},
        ...written
      } = z.toJSONSchema(schema, {
        io: direction,
        metadata: registry,
        unrepresentable: 'any',
        override: tidy,
      }) as JsonSchema & { $defs?: Record<string, JsonSchema> }
      const shapes = Object.entries($defs).map(([name, { id: _, ...shape }]) => [name, shape] as const)
      const names = new Map(shapes.map(([name, shape]) => [name, nameFor(name, shape, direction)]))
      const rename = (id: string) => names.get(id) ?? id
      for (const [id, shape] of shapes) components[rename(id)] = withRefs(shape, rename)
      return withRefs(written, rename)
    },
  }
}

function tidy({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> }): void {
  const known = wireShapes.get(zodSchema)
  if (known !== undefined) {
    for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword]
    Object.assign(jsonSchema, known)
  }
  const members = zodSchema instanceof z.ZodType ? jsonMembers.get(zodSchema)?.members : undefined
  if (members !== undefined) Object.assign(jsonSchema, textOfJson(members))
  // Later versions add fields: clients must accept them.
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties']
  // Bounds of every safe integer say nothing about this one.
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum']
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum']
}

/** Returns the schema of a text of JSON with these members, in the words of JSON Schema. */
function textOfJson(members: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(members.map((name) => [name, {}]))
  return { contentMediaType: 'application/json', contentSchema: { type: 'object', properties } }
}

/** The schema with its references led to the document's components. */
function withRefs(schema: JsonSchema, rename: (id: string) => string): JsonSchema {
  const text = JSON.stringify(schema, (keyword, value: unknown) =>
    keyword === '$ref' && typeof value === 'string' && value.startsWith(definitions)
      ? `#/components/schemas/${rename(value.slice(definitions.length))}`
      : value,
  )
  return JSON.parse(text) as JsonSchema
}

const definitions = '#/$defs/'

function sameSchema(a: JsonSchema, b: JsonSchema): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
