import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { JsonObject } from '../json/value.ts'
import { schemaDialects } from './dialects.ts'
import { fitByStep } from './fit-schema.ts'
import { isReadPlain } from './plain-schema.ts'

const dialects = Object.values(schemaDialects)

/** Mostly what plain schemas hold, and now and then what makes one unusual. */
const { node } = fc.letrec<{ node: JsonObject; list: JsonObject; object: JsonObject; value: JsonObject }>(
  (tie) => ({
    value: fc.record(
      {
        type: fc.constantFrom('string', 'integer', 'boolean', 'null', ['string', 'null']),
        description: fc.string(),
        default: fc.jsonValue(),
        format: fc.constantFrom('date', 'uri'),
        minimum: fc.integer(),
        enum: fc.array(fc.constantFrom('a', 'b', null), { maxLength: 2 }),
        nullable: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    ),
    list: fc.record(
      {
        type: fc.constant('array'),
        items: fc.oneof(tie('node'), fc.boolean(), fc.array(tie('node'), { maxLength: 2 })),
      },
      { requiredKeys: ['type'] },
    ),
    object: fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node'), { maxKeys: 3 }),
        required: fc.subarray(['a', 'b']),
        additionalProperties: fc.oneof(fc.boolean(), tie('node')),
        title: fc.string(),
        $schema: fc.constant('http://json-schema.org/draft-07/schema#'),
      },
      { requiredKeys: ['type'] },
    ),
    node: fc.oneof({ maxDepth: 4 }, tie('value'), tie('list'), tie('object')),
  }),
)

describe('a schema that is read as it is', () => {
  it.each(dialects.map((dialect) => [dialect.name, dialect] as const))('%s', (_name, dialect) => {
    fc.assert(
      fc.property(node, (schema) => {
        if (!isReadPlain(schema, dialect)) return
        expect(fitByStep(schema, dialect)).toEqual({ schema, lost: [], isWrapped: false })
      }),
      { numRuns: 300 },
    )
  })

  it('is that of most tools, for the targets that most calls go to', () => {
    const tool = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Absolute.' },
        mode: { type: 'string', enum: ['read', 'write'] },
        edits: { type: 'array', items: { type: 'object', properties: { line: { type: 'integer' } } } },
      },
      required: ['path'],
      additionalProperties: false,
    }
    const { jsonSchema, objectTool, openAiTool, claudeTool } = schemaDialects
    for (const dialect of [jsonSchema, objectTool, openAiTool, claudeTool])
      expect(isReadPlain(tool, dialect)).toBe(true)
    expect(isReadPlain({ ...tool, anyOf: [] }, openAiTool)).toBe(false)
  })
})
