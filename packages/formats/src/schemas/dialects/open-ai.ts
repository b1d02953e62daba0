import type { SchemaDialect } from '../../canonical/schema-dialect.ts'
import { alternatives, structure } from './keywords.ts'

/**
 * Parameters of a function. The refusal: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not'
 * at the top level"; lists without `items` and objects without `properties` are refused as well.
 */
export const openAiTool: SchemaDialect = {
  name: 'OpenAI, functions',
  source: 'https://platform.openai.com/docs/guides/function-calling',
  checked: '2026-11-28',
  root: { without: new Set([...alternatives, 'enum', 'const', 'not']) },
  complete: true,
}

/** The schema of a response without `strict`: of an object, as for functions. */
export const openAiOutput: SchemaDialect = {
  ...openAiTool,
  name: 'OpenAI, JSON schema without strict',
  source: 'https://platform.openai.com/docs/guides/structured-outputs',
}

/** Functions and responses with `strict`. */
export const openAiStrict: SchemaDialect = {
  name: 'OpenAI, strict',
  source: 'https://platform.openai.com/docs/guides/structured-outputs#supported-schemas',
  checked: '2026-11-28',
  strict: true,
  root: { without: new Set([...alternatives, 'enum', 'const', 'not']) },
  keywords: new Set([
    'title',
    'description',
    ...structure,
    'minItems',
    'maxItems',
    'pattern',
    'format',
    'multipleOf',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
  ]),
  formats: new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']),
  closed: 'demanded',
  allRequired: true,
  typed: true,
  limits: { properties: 5000, depth: 10, enumValues: 1000 },
}

/** Only with `strict`; without it, the schema is no more than a request. */
export const groqStrict: SchemaDialect = {
  ...openAiStrict,
  name: 'Groq, strict',
  source: 'https://console.groq.com/docs/structured-outputs',
}

/** Functions and responses with `strict`; the vendor refuses recursion and lists of types. */
export const cerebrasStrict: SchemaDialect = {
  name: 'Cerebras, strict',
  source: 'https://inference-docs.cerebras.ai/capabilities/structured-outputs',
  checked: '2026-11-28',
  strict: true,
  root: { without: new Set([...alternatives, 'enum', 'const', 'not']) },
  keywords: new Set([
    'title',
    'description',
    '$defs',
    '$ref',
    'type',
    'enum',
    'const',
    'anyOf',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'prefixItems',
  ]),
  closed: 'added',
  allRequired: true,
  recursion: 'none',
  references: 'described',
  loneAnyOf: true,
  typeLists: 'none',
  limits: { properties: 500, depth: 10, enumValues: 500, alternatives: 5 },
}
