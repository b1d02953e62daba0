import { describe, expect, it } from 'bun:test'
import type { JsonObject } from '../json/value.ts'
import { schemaDialects } from './dialects.ts'
import { fitSchema } from './fit-schema.ts'

const dialects = Object.values(schemaDialects)
const text = { type: 'string' }
const nested = (depth: number): JsonObject =>
  Array.from({ length: depth }).reduce<JsonObject>((inner) => ({ type: 'array', items: inner }), text)

describe.each(dialects.map((dialect) => [dialect.name, dialect] as const))('%s', (_name, dialect) => {
  it('has a source and the day on which it was read', () => {
    expect(dialect.source).toStartWith('https://')
    expect(dialect.checked).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  it.each<[string, JsonObject]>([
    ['a hundred thousand schemas', { type: 'object', properties: many(100_000, () => text) }],
    ['a deep schema', { type: 'object', properties: { a: nested(128) } }],
    ['a reference to itself', { $ref: '#' }],
    [
      'a circle of references',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
    [
      'a circle of schemas that hold together',
      { $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } }, allOf: [{ $ref: '#/$defs/a' }] },
    ],
    ['a long chain of references', chain(5000)],
    ['references that multiply', multiplying(30)],
    [
      'many references to one large schema',
      {
        type: 'object',
        properties: many(5000, () => ({ $ref: '#/$defs/a' })),
        $defs: { a: { type: 'object', properties: many(2000, () => text) } },
      },
    ],
    [
      'references to nowhere',
      { type: 'object', properties: { a: { $ref: '#/x/y' }, b: { $ref: 'https://x.example' } } },
    ],
    [
      'names of members of objects',
      {
        type: 'object',
        properties: JSON.parse('{"__proto__":{"type":"string"},"constructor":{}}'),
        required: ['toString'],
      },
    ],
    [
      'keywords of wrong types',
      { type: 5, properties: [], items: 'x', anyOf: {}, required: 'a', enum: 1, allOf: null, $ref: 7 },
    ],
  ])('fits or refuses %s in time', (_kind, schema) => {
    const fit = fitSchema(schema, dialect)
    expect(fit.lost.length).toBeLessThan(40)
    JSON.stringify(fit.schema)
  })
})

function many(count: number, make: () => JsonObject): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, make()]))
}

function chain(length: number): JsonObject {
  const links = Array.from({ length }, (_, at) => [
    `d${at}`,
    { properties: { a: { $ref: `#/$defs/d${at + 1}` } } },
  ])
  return { $ref: '#/$defs/d0', $defs: Object.fromEntries(links) }
}

function multiplying(levels: number): JsonObject {
  const $defs = Object.fromEntries(
    Array.from({ length: levels }, (_, level) => {
      const next = { $ref: `#/$defs/d${level + 1}` }
      return [`d${level}`, { type: 'object', allOf: [{ properties: { a: next, b: next, c: next } }] }]
    }),
  )
  return { $ref: '#/$defs/d0', $defs }
}
