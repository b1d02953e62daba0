import type { z } from 'zod'
import type { Call } from '../call.ts'
import type { JsonSchema, OpenApiBody, OpenApiParameter } from './document-types.ts'
import type { SchemaWriter } from './json-schema.ts'

/** Path and query of a call. */
export function parametersOf(call: Call, schemas: SchemaWriter): readonly OpenApiParameter[] {
  return [...pathParameters(call, schemas), ...queryParameters(call, schemas)]
}

function pathParameters(call: Call, schemas: SchemaWriter): OpenApiParameter[] {
  const { properties } = fieldsOf(call.params, schemas)
  return [...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: properties[name] ?? { type: 'string' },
  }))
}

function queryParameters({ query }: Call, schemas: SchemaWriter): OpenApiParameter[] {
  if (query === undefined) return []
  const { properties, required, resolvedSchema } = fieldsOf(query, schemas)
  const named = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query' as const,
    required: required.includes(name),
    schema,
  }))
  if (named.length > 0) return named
  return [{ name: 'fields', in: 'query', required: false, explode: true, schema: resolvedSchema }]
}

interface Fields {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
  readonly resolvedSchema: JsonSchema
}

function fieldsOf(schema: z.ZodType | undefined, schemas: SchemaWriter): Fields {
  const written = schema === undefined ? {} : schemas.write(schema, 'input')
  const resolvedSchema = resolved(written, schemas)
  const { properties = {}, required = [] } = resolvedSchema as Partial<Fields>
  return { properties, required, resolvedSchema }
}

function resolved(schema: JsonSchema, { components }: SchemaWriter): JsonSchema {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  return components[reference.slice(reference.lastIndexOf('/') + 1)] ?? schema
}

/** What a call is sent, in each way that it may be sent. */
export function bodyOf(call: Call, schemas: SchemaWriter): OpenApiBody | undefined {
  if (call.accepts === 'raw')
    return {
      required: true,
      description: `Bytes of any type, at most ${call.maxBodyBytes}.`,
      content: { 'application/octet-stream': { schema: {} } },
    }
  if (call.body === undefined) return undefined
  const schema = schemas.write(call.body, 'input')
  if (call.accepts !== 'form') return { required: true, content: { 'application/json': { schema } } }
  return {
    required: true,
    description: 'Fields of a form: texts only, each name once.',
    content: { 'application/x-www-form-urlencoded': { schema }, 'multipart/form-data': { schema } },
  }
}
