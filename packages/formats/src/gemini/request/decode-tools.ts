import type { FunctionTool, JsonSchema, Tool, ToolChoice } from '../../canonical/request.ts'
import { isObject, type JsonObject, listOf } from '../../json/value.ts'
import { withSourcePath } from '../../requests/caller-field-names.ts'
import { invalid, missing } from '../../requests/fields.ts'
import {
  camelCase,
  collectUnknown,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
  type UnknownFields,
} from '../fields.ts'

/**
 * The format's own schema language, a part of OpenAPI 3.0, as JSON Schema: types in lower case, `nullable` as a type,
 * counts that were texts as numbers. What only Gemini reads is left out, other members stay as they are.
 */
export function jsonSchemaOf(schema: JsonObject): JsonSchema {
  const out = new Map<string, unknown>()
  for (const [key, value] of Object.entries(schema)) {
    const name = camelCase(key)
    if (value === null || geminiOnly.has(name)) continue
    out.set(name, readMember(name, value))
  }
  const plain = Object.fromEntries(out)
  return schema.nullable === true ? nullable(plain) : plain
}

const geminiOnly: ReadonlySet<string> = new Set(['nullable', 'propertyOrdering'])
const counts: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
])
const single: ReadonlySet<string> = new Set(['items', 'additionalProperties'])
const several: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const named: ReadonlySet<string> = new Set(['properties', '$defs', 'defs'])

function readMember(name: string, value: unknown): unknown {
  if (name === 'type' && typeof value === 'string') return value.toLowerCase()
  if (counts.has(name) && typeof value === 'string') return Number(value)
  if (single.has(name)) return schemaOrSame(value)
  if (several.has(name)) return listOf(value).map(schemaOrSame)
  if (!named.has(name) || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, schemaOrSame(item)]))
}

function schemaOrSame(value: unknown): unknown {
  return isObject(value) ? jsonSchemaOf(value) : value
}

function nullable(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] }
  return Array.isArray(anyOf) ? { ...schema, anyOf: [...anyOf, { type: 'null' }] } : schema
}

const knownOfFunction: ReadonlySet<string> = new Set([
  'name',
  'description',
  'parameters',
  'parametersJsonSchema',
])

/** Every function of every entry, and every tool of Google's own as a vendor tool. */
export function decodeTools(entries: readonly JsonObject[], unknownFields: UnknownFields): readonly Tool[] {
  return entries.flatMap((entry, place) => {
    const path = `tools[${place}]`
    const functions = objectsAt(entry, 'functionDeclarations', path).map((declaration, at) =>
      withSourcePath(
        functionOf(declaration, `${path}.functionDeclarations[${at}]`, unknownFields),
        `${path}.functionDeclarations[${at}]`,
      ),
    )
    const others = Object.entries(entry).flatMap(([key, value]): readonly Tool[] => {
      const name = camelCase(key)
      if (name === 'functionDeclarations' || value === null) return []
      return [withSourcePath({ type: 'vendor', format: 'gemini', name, definition: { [name]: value } }, path)]
    })
    return [...functions, ...others]
  })
}

function functionOf(declaration: JsonObject, path: string, unknownFields: UnknownFields): FunctionTool {
  const name = textAt(declaration, 'name', path)
  if (!name) throw missing(`${path}.name`, 'name the function')
  const description = textAt(declaration, 'description', path)
  const raw = objectAt(declaration, 'parametersJsonSchema', path)
  const own = objectAt(declaration, 'parameters', path)
  const parameters = raw ?? (own === undefined ? undefined : jsonSchemaOf(own))
  collectUnknown(declaration, knownOfFunction, path, unknownFields)
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
  }
}

const knownOfToolConfig: ReadonlySet<string> = new Set(['functionCallingConfig'])
const knownOfCalling: ReadonlySet<string> = new Set(['mode', 'allowedFunctionNames'])

/** The choice that `toolConfig` makes among tools. */
export function decodeToolChoice(config: JsonObject, unknownFields: UnknownFields): ToolChoice | undefined {
  collectUnknown(config, knownOfToolConfig, 'toolConfig', unknownFields)
  const path = 'toolConfig.functionCallingConfig'
  const calling = objectAt(config, 'functionCallingConfig', 'toolConfig')
  if (!isObject(calling)) return undefined
  collectUnknown(calling, knownOfCalling, path, unknownFields)
  const names = textsAt(calling, 'allowedFunctionNames', path)
  const mode = (textAt(calling, 'mode', path) || 'AUTO').toUpperCase()
  switch (mode) {
    case 'AUTO':
    case 'VALIDATED':
    case 'MODE_UNSPECIFIED':
      return names.length === 0 ? { type: 'auto' } : { type: 'allowed', names, required: false }
    case 'NONE':
      return { type: 'none' }
    case 'ANY':
      return mustCall(names)
    default:
      throw invalid(`${path}.mode`, 'it must be AUTO, ANY, NONE or VALIDATED')
  }
}

function mustCall(names: readonly string[]): ToolChoice {
  const [name, ...others] = names
  if (name === undefined) return { type: 'required' }
  return others.length === 0 ? { type: 'tool', name } : { type: 'allowed', names, required: true }
}
