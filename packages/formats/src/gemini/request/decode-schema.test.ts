import { describe, expect, it } from 'bun:test'
import { gemini } from '../codec.ts'
import { jsonSchemaOf } from './decode-schema.ts'

describe('jsonSchemaOf', () => {
  it.each([
    [
      { type: 'STRING', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [{ type: 'TYPE_UNSPECIFIED', description: 'any' }, { description: 'any' }],
    [{ anyOf: [{ type: 'STRING' }], nullable: true }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    [
      { type: 'OBJECT', additional_properties: { type: 'INTEGER' } },
      { type: 'object', additionalProperties: { type: 'integer' } },
    ],
    [
      { type: 'ARRAY', prefixItems: [{ type: 'STRING' }], minItems: '1' },
      { type: 'array', prefixItems: [{ type: 'string' }], minItems: 1 },
    ],
    [
      {
        ref: '#/defs/node',
        defs: { node: { type: 'OBJECT', properties: { next: { ref: '#/defs/node' } } } },
      },
      {
        $ref: '#/$defs/node',
        $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      },
    ],
  ])('reads %j as JSON Schema', (own, plain) => {
    expect(jsonSchemaOf(own)).toEqual(plain)
  })

  it('puts properties into the order that is asked for', () => {
    const properties = { a: { type: 'STRING' }, b: { type: 'STRING' }, c: { type: 'STRING' } }
    for (const ordering of [{ propertyOrdering: ['c', 'x', 'a'] }, { property_ordering: ['c', 'x', 'a'] }]) {
      const read = jsonSchemaOf({ type: 'OBJECT', properties, ...ordering })
      expect(Object.keys(read)).toEqual(['type', 'properties'])
      expect(Object.keys(read.properties as object)).toEqual(['c', 'a', 'b'])
    }
  })
})

it.each(['responseJsonSchema', 'response_json_schema', '_responseJsonSchema', '_response_json_schema'])(
  'reads a schema in %s as it is',
  (name) => {
    const schema = { type: 'object', patternProperties: { '^a': { type: 'string' } }, propertyOrdering: [] }
    const generationConfig = { responseMimeType: 'application/json', [name]: schema }
    const body = { contents: [{ role: 'user', parts: [{ text: 'x' }] }], generationConfig }
    const request = gemini.decodeRequest(body, { model: 'm' })
    expect(request.outputFormat).toEqual({ type: 'json-schema', name: 'response', schema })
    expect(request.vendor).toBeUndefined()
  },
)
