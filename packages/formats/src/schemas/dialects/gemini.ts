import type { SchemaDialect } from '../../canonical/schema-dialect.ts'
import { alternatives } from './keywords.ts'

/** `generationConfig.responseJsonSchema`. */
export const geminiOutput: SchemaDialect = {
  name: 'Gemini, JSON Schema',
  source: 'https://ai.google.dev/api/generate-content#generationconfig',
  checked: '2026-11-28',
  keywords: new Set([
    '$id',
    '$defs',
    '$ref',
    '$anchor',
    'type',
    'format',
    'title',
    'description',
    'enum',
    'items',
    'prefixItems',
    'minItems',
    'maxItems',
    'minimum',
    'maximum',
    'anyOf',
    'properties',
    'additionalProperties',
    'required',
    'propertyOrdering',
  ]),
  enumTypes: new Set(['string', 'number']),
  recursion: 'optional',
  references: 'alone',
}

/** `functionDeclarations[].parametersJsonSchema`: "must describe an object where the properties are the parameters". */
export const geminiTool: SchemaDialect = {
  ...geminiOutput,
  name: 'Gemini, JSON Schema of functions',
  source: 'https://ai.google.dev/api/caching#FunctionDeclaration',
  root: { without: new Set(alternatives) },
}

/** `responseSchema` and `parameters`, of models and versions without the fields for JSON Schema. */
export const geminiOpenApi: SchemaDialect = {
  name: 'Gemini, OpenAPI',
  source: 'https://ai.google.dev/api/caching#Schema',
  checked: '2026-11-28',
  language: 'openapi',
  keywords: new Set([
    'type',
    'format',
    'nullable',
    'description',
    'enum',
    'items',
    'minItems',
    'maxItems',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'pattern',
    'anyOf',
    'properties',
    'minProperties',
    'maxProperties',
    'required',
    'propertyOrdering',
  ]),
  formats: new Set(['float', 'double', 'int32', 'int64', 'date-time', 'enum']),
  enumTypes: new Set(['string']),
  references: 'none',
  recursion: 'none',
  typeLists: 'none',
  loneAnyOf: true,
  maps: 'refused',
}

/** `parameters` of functions, in the same language. */
export const geminiOpenApiTool: SchemaDialect = {
  ...geminiOpenApi,
  name: 'Gemini, OpenAPI of functions',
  root: { without: new Set(alternatives) },
}
