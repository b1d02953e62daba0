import type { SchemaDialect } from '../../canonical/schema-dialect.ts'
import { alternatives, structure, texts } from './keywords.ts'

/** "input_schema does not support oneOf, allOf, or anyOf at the top level", wherever Claude is hosted. */
export const claudeTool: SchemaDialect = {
  name: 'Claude, tools',
  source: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools',
  checked: '2026-11-28',
  root: { without: new Set(alternatives) },
}

/** `output_config.format`, and tools with `strict`. */
export const claudeOutput: SchemaDialect = {
  name: 'Claude, structured outputs',
  source: 'https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations',
  checked: '2026-11-28',
  strict: true,
  keywords: new Set([...texts, ...structure, 'minItems', 'format']),
  formats: new Set([
    'date-time',
    'time',
    'date',
    'duration',
    'email',
    'hostname',
    'uri',
    'ipv4',
    'ipv6',
    'uuid',
  ]),
  enumTypes: new Set(['string', 'number', 'boolean', 'null']),
  closed: 'added',
  recursion: 'none',
  // A closed object beside other closed ones would leave nothing that fits.
  references: 'described',
  loneAnyOf: true,
  bounds: 'described',
  shared: { tools: 20, optional: 24, unions: 16 },
}

/** Tools with `strict`: the limits of structured outputs, and those of tools at the root. */
export const claudeStrictTool: SchemaDialect = {
  ...claudeOutput,
  name: 'Claude, strict tools',
  source: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/strict-tool-use',
  root: { without: new Set(alternatives) },
}
