import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { RequestFault } from '../../canonical/codec.ts'
import type { JsonObject } from '../../json/value.ts'
import { cleanParameters, cleanSchema } from './clean-schema.ts'

const clean = (schema: JsonObject) => cleanSchema(schema, 'p')

describe('cleanSchema', () => {
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
      { properties: { a: { type: 'object', additionalProperties: { type: 'string' } } } },
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
      'references into themselves',
      {
        type: 'object',
        properties: { next: { $ref: '#' }, all: { allOf: [{ $ref: '#' }] } },
      },
      {
        type: 'object',
        properties: {
          next: {
            type: 'object',
            properties: { next: { type: 'object' }, all: {} },
          },
          all: { type: 'object', properties: { next: { type: 'object' }, all: {} } },
        },
      },
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

  it('refuses references that multiply without end', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => {
        const next = { $ref: `#/$defs/d${level + 1}` }
        return [`d${level}`, { type: 'object', properties: { a: next, b: next, c: next } }]
      }),
    )
    expect(() => clean({ $ref: '#/$defs/d0', $defs })).toThrow(RequestFault)
  })

  it('refuses a chain of references without end', () => {
    const links = Array.from({ length: 3000 }, (_, at) => [
      `d${at}`,
      { properties: { a: { $ref: `#/$defs/d${at + 1}` } } },
    ])
    expect(() => clean({ $ref: '#/$defs/d0', $defs: Object.fromEntries(links) })).toThrow(RequestFault)
    const bare = Array.from({ length: 3000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }])
    clean({ $ref: '#/$defs/d0', $defs: Object.fromEntries(bare) })
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
        let once: JsonObject
        try {
          once = clean(value)
        } catch (error) {
          expect(error).toBeInstanceOf(RequestFault)
          return
        }
        expect(clean(once)).toEqual(once)
      }),
      { numRuns: 200 },
    )
  })
})

describe('cleanParameters', () => {
  it('leaves out parameters without any property', () => {
    expect(cleanParameters({ type: 'object' }, 'p')).toBeUndefined()
    expect(cleanParameters({ type: 'object', properties: {} }, 'p')).toBeUndefined()
  })

  it('puts alternatives at the root together', () => {
    const branch = (name: string) => ({
      type: 'object',
      properties: { kind: { const: name }, [name]: { type: 'string' } },
      required: ['kind', name],
    })
    expect(cleanParameters({ anyOf: [branch('a'), branch('b')] }, 'p')).toEqual({
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['a', 'b'] },
        a: { type: 'string' },
        b: { type: 'string' },
      },
      required: ['kind'],
    })
  })
})
