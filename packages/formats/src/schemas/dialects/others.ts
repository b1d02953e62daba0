import type { SchemaDialect } from '../../canonical/schema-dialect.ts'
import { alternatives, structure, texts } from './keywords.ts'

/** Reads JSON Schema as it is, as far as is known: nothing is changed for such a target. */
export const jsonSchema: SchemaDialect = {
  name: 'JSON Schema',
  source: 'https://json-schema.org/draft/2020-12',
  checked: '2026-11-28',
}

/** Tools of any schema of an object, as at OpenAI. */
export const objectTool: SchemaDialect = {
  name: 'JSON Schema of an object',
  source: 'https://platform.openai.com/docs/guides/function-calling',
  checked: '2026-11-28',
  root: { without: new Set(alternatives) },
}

/** "Top level: type, properties and required alone." */
export const novaTool: SchemaDialect = {
  name: 'Amazon Nova, tools',
  source: 'https://docs.aws.amazon.com/nova/latest/userguide/tool-use-definition.html',
  checked: '2026-11-28',
  root: {
    without: new Set([...alternatives, 'enum', 'const', 'not']),
    only: new Set(['type', 'properties', 'required']),
  },
  references: 'none',
}

/** Tools are strict there without a word; bounds of lengths and counts are refused in them. */
export const xai: SchemaDialect = {
  name: 'xAI',
  source: 'https://docs.x.ai/developers/model-capabilities/text/structured-outputs',
  checked: '2026-11-28',
  root: { without: new Set(alternatives) },
  keywords: new Set([
    ...texts,
    'examples',
    ...structure,
    'prefixItems',
    'format',
    'pattern',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
  ]),
  recursion: 'none',
  freeObjects: 'explicit',
}

/**
 * "Moonshot flavored JSON Schema": "when using anyOf, type should be defined in anyOf items instead of the parent schema";
 * "references must start with #/$defs/"; nothing beside `$ref`; a root of type object.
 */
export const moonshot: SchemaDialect = {
  name: 'Moonshot flavored JSON Schema',
  source: 'https://platform.moonshot.ai/docs/guide/use-kimi-api-to-complete-tool-calls',
  checked: '2026-11-28',
  root: { without: new Set(alternatives) },
  references: 'described',
  definitions: '#/$defs/',
  loneAnyOf: true,
  complete: true,
}
