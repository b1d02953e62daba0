import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { type JsonObject, objectOf } from '../json/value.ts'
import { schemaDialects } from './dialects.ts'
import { fitSchema } from './fit-schema.ts'

const { geminiOpenApi: response, geminiOpenApiTool } = schemaDialects
/** Cleans the schema of a function's parameter: a response has to name its properties. */
const clean = (schema: JsonObject) =>
  objectOf(
    objectOf(
      fitSchema({ properties: { at: schema }, $defs: schema.$defs }, geminiOpenApiTool).schema.properties,
    ).at,
  )

describe('a schema in the language of earlier models', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'words that the service refuses',
      {
        $schema: 'x',
        title: 't',
        type: 'string',
        default: 'a',
        description: 'd',
        pattern: '^a',
        format: 'uri',
      },
      { type: 'string', description: 'd', pattern: '^a' },
    ],
    [
      'formats that it knows',
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'date-time' },
    ],
    [
      'bounds of numbers',
      { type: 'integer', minimum: 0, exclusiveMaximum: 9, multipleOf: 2, format: 'int64' },
      { type: 'integer', minimum: 0, format: 'int64' },
    ],
    [
      'a type or null',
      { type: ['null', 'string'], minLength: 1 },
      { type: 'string', minLength: 1, nullable: true },
    ],
    [
      'several types',
      { type: ['string', 'number'], description: 'd', minLength: 1 },
      {
        anyOf: [
          { type: 'string', description: 'd', minLength: 1 },
          { type: 'number', description: 'd' },
        ],
      },
    ],
    [
      'an alternative of null',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { type: 'string', nullable: true },
    ],
    [
      'alternatives with null',
      { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
      {
        anyOf: [
          { type: 'string', nullable: true },
          { type: 'number', nullable: true },
        ],
      },
    ],
    [
      'alternatives inside alternatives',
      { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'null' }] },
      {
        anyOf: [
          { type: 'string', nullable: true },
          { type: 'number', nullable: true },
        ],
      },
    ],
    ['nothing but null', { type: 'null' }, { type: 'string', nullable: true }],
    ['a type that is none', { type: 'constructor', title: 'x' }, { type: 'constructor' }],
    ['a constant', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['texts to choose from', { enum: ['a', '', null] }, { type: 'string', enum: ['a'], nullable: true }],
    ['numbers to choose from', { type: 'integer', enum: [1, 2] }, { type: 'integer' }],
    ['any list', { type: 'array' }, { type: 'array', items: { type: 'string' } }],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'number' }], maxItems: 1 },
      { type: 'array', items: { type: 'number' }, maxItems: 1 },
    ],
    [
      'a tuple of several kinds',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }, { type: 'string' }] },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
    [
      'required names without a property',
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a', 'b'],
        additionalProperties: false,
      },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    [
      'an object of anything',
      { properties: { a: { type: 'object', additionalProperties: true } } },
      { type: 'object', properties: { a: { type: 'object' } } },
    ],
    [
      'schemas that hold all together',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'number' } }, required: ['b'] },
        ],
      },
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a', 'b'] },
    ],
    [
      'references',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/A~1B', description: 'mine' } },
        $defs: { 'A/B': { type: 'string', description: 'theirs' } },
      },
      { type: 'object', properties: { a: { type: 'string', description: 'mine' } } },
    ],
    [
      'references to nothing',
      { type: 'object', properties: { a: { $ref: '#/x' } } },
      { type: 'object', properties: { a: {} } },
    ],
    [
      'properties with the names of words',
      { type: 'object', properties: { type: { type: 'string' }, anyOf: { type: 'number' } } },
      { type: 'object', properties: { type: { type: 'string' }, anyOf: { type: 'number' } } },
    ],
  ])('carries %s', (_, schema, cleaned) => {
    expect(clean(schema)).toEqual(cleaned)
  })

  it('says what it leaves out, and refuses what would lose its values', () => {
    const pair = { type: 'array', title: 't', prefixItems: [{ const: 1 }, true] }
    const { lost } = fitSchema({ type: 'object', properties: { pair } }, response)
    expect(lost).toEqual([
      'properties.pair.prefixItems',
      'properties.pair.title',
      'properties.pair.items.anyOf[0].const',
    ])
    expect(fitSchema({ type: 'object', properties: { all: { type: 'array' } } }, response).lost).toEqual([
      'items',
    ])
    const map = { type: 'object', additionalProperties: { type: 'integer' } }
    const empty = { type: 'object', properties: {}, additionalProperties: false }
    for (const properties of [{ map }, { empty }])
      expect(fitSchema({ type: 'object', properties }, response).refused).toBeDefined()
  })

  it('unrolls a reference into itself once', () => {
    const node = { type: 'object', properties: { value: { type: 'string' }, next: { $ref: '#/$defs/node' } } }
    const schema = { type: 'object', properties: { first: { $ref: '#/$defs/node' } }, $defs: { node } }
    expect(fitSchema(schema, response)).toMatchObject({
      schema: {
        properties: { first: { type: 'object', properties: { value: { type: 'string' }, next: {} } } },
      },
      lost: ['properties.first.properties.next.$ref'],
    })
  })

  it('cleans any schema once and for all', () => {
    const schema: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.dictionary(
        fc.constantFrom(
          'type',
          'properties',
          'items',
          'anyOf',
          'allOf',
          '$ref',
          'enum',
          'required',
          'const',
          'description',
        ),
        fc.oneof(
          { maxDepth: 3, depthIdentifier: 'schema' },
          fc.jsonValue({ maxDepth: 1 }),
          fc.constantFrom<unknown>('object', 'array', 'string', '#', ['string', 'null']),
          tie('schema'),
          fc.array(tie('schema'), { maxLength: 3 }),
          fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
        ),
        { maxKeys: 4 },
      ),
    })).schema
    fc.assert(
      fc.property(schema, (value) => {
        const once = clean(value)
        expect(clean(once)).toEqual(once)
      }),
      {
        numRuns: 200,
        examples: [[{ const: null, items: {} }], [{ anyOf: [{ type: [] }], properties: false }]],
      },
    )
  })
})

describe('parameters', () => {
  it('without any property are an object without any', () => {
    for (const schema of [{ type: 'object' }, { type: 'object', properties: {} }])
      expect(fitSchema(schema, geminiOpenApiTool).schema).toEqual({ type: 'object', properties: {} })
  })

  it('with alternatives at the root are wrapped', () => {
    const branch = (name: string) => ({
      type: 'object',
      properties: { kind: { const: name } },
      required: ['kind'],
    })
    expect(fitSchema({ anyOf: [branch('a'), branch('b')] }, geminiOpenApiTool)).toMatchObject({
      isWrapped: true,
      schema: {
        type: 'object',
        properties: {
          tollgate_value: {
            anyOf: ['a', 'b'].map((name) => ({
              type: 'object',
              properties: { kind: { type: 'string', enum: [name] } },
              required: ['kind'],
            })),
          },
        },
      },
    })
  })
})
