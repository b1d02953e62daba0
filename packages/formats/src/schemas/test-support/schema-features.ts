import type { JsonObject } from '../../json/value.ts'

/** One feature of JSON Schema: a schema that has it, with values that fit and values that do not. */
export interface SchemaFeature {
  readonly schema: JsonObject
  readonly fits: readonly unknown[]
  readonly misfits: readonly unknown[]
  /** Definitions that it refers to. */
  readonly $defs?: JsonObject
}

const text = { type: 'string' }
const whole = { type: 'integer' }
const closed = (properties: JsonObject, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const tree = closed({ value: text, children: { type: 'array', items: { $ref: '#/$defs/tree' } } })
const chain = closed({ value: text, next: { anyOf: [{ $ref: '#/$defs/chain' }, { type: 'null' }] } })

export const schemaFeatures: Readonly<Record<string, SchemaFeature>> = {
  'a map': {
    schema: { type: 'object', additionalProperties: whole },
    fits: [{}, { a: 1, b: 2 }],
    misfits: [{ a: 'x' }, []],
  },
  'a map of objects': {
    schema: { type: 'object', additionalProperties: closed({ a: text }) },
    fits: [{ x: { a: 'b' } }],
    misfits: [{ x: { a: 1 } }, { x: {} }],
  },
  'a map by pattern': {
    schema: { type: 'object', patternProperties: { '^x-': text }, additionalProperties: false },
    fits: [{ 'x-a': 'b' }, {}],
    misfits: [{ y: 'b' }, { 'x-a': 1 }],
  },
  'a tuple': {
    schema: { type: 'array', prefixItems: [text, { type: 'number' }], items: false, minItems: 2 },
    fits: [['a', 1.5]],
    misfits: [[1, 'a'], ['a', 1, 2], ['a']],
  },
  'a tuple with more behind it': {
    schema: { type: 'array', prefixItems: [text], items: whole },
    fits: [['a', 1, 2], []],
    misfits: [['a', 'b'], [1]],
  },
  'a recursive list': {
    schema: { $ref: '#/$defs/tree' },
    $defs: { tree },
    fits: [{ value: 'a', children: [{ value: 'b', children: [] }] }],
    misfits: [{ value: 'a', children: [{ value: 1, children: [] }] }, { value: 1 }],
  },
  'a recursive end': {
    schema: { $ref: '#/$defs/chain' },
    $defs: { chain },
    fits: [{ value: 'a', next: { value: 'b', next: null } }],
    misfits: [{ value: 'a', next: 'b' }],
  },
  'a reference': {
    schema: { $ref: '#/$defs/city', description: 'mine' },
    $defs: { city: { type: 'string', enum: ['Rome', 'Oslo'] } },
    fits: ['Rome'],
    misfits: ['Bonn', 1],
  },
  'a reference with more beside it': {
    schema: { $ref: '#/$defs/base', required: ['b'], properties: { b: whole } },
    $defs: { base: { type: 'object', properties: { a: text }, required: ['a'] } },
    fits: [{ a: 'x', b: 1 }],
    misfits: [{ a: 'x' }, { b: 1 }],
  },
  'alternatives of types': {
    schema: { anyOf: [text, { type: 'number' }] },
    fits: ['a', 1],
    misfits: [true, {}],
  },
  'alternatives of which one fits': {
    schema: {
      oneOf: [
        { type: 'number', minimum: 3 },
        { type: 'number', maximum: 5 },
      ],
    },
    fits: [1, 9],
    misfits: [4, 'a'],
  },
  'alternatives by a constant': {
    schema: {
      oneOf: [closed({ kind: { const: 'a' }, a: text }), closed({ kind: { const: 'b' }, b: whole })],
    },
    fits: [
      { kind: 'a', a: 'x' },
      { kind: 'b', b: 1 },
    ],
    misfits: [{ kind: 'a', b: 1 }, { kind: 'c' }],
  },
  'alternatives of required names': {
    schema: {
      type: 'object',
      properties: { a: text, b: text },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    fits: [{ a: 'x' }, { b: 'x' }],
    misfits: [{}, { a: 1 }],
  },
  'schemas that hold together': {
    schema: {
      allOf: [
        { type: 'object', properties: { a: text }, required: ['a'] },
        { properties: { b: whole }, required: ['b'] },
      ],
    },
    fits: [{ a: 'x', b: 1 }],
    misfits: [{ a: 'x' }, { a: 'x', b: 'y' }],
  },
  'closed schemas that hold together': {
    schema: {
      allOf: [
        { type: 'object', properties: { a: text, b: {} }, additionalProperties: false },
        { properties: { a: {}, b: whole }, additionalProperties: false },
      ],
    },
    fits: [{ a: 'x', b: 1 }, {}],
    misfits: [{ a: 1 }, { c: 1 }],
  },
  conditions: {
    schema: { type: 'number', if: { minimum: 5 }, not: { const: 7 }, multipleOf: 1 },
    fits: [1, 6],
    misfits: [7, 1.5],
  },
  'a type or null': { schema: { type: ['string', 'null'] }, fits: ['a', null], misfits: [1] },
  'a choice or null': {
    schema: { type: ['string', 'null'], enum: ['a', 'b', null] },
    fits: ['a', null],
    misfits: ['c'],
  },
  'choices of mixed types': {
    schema: { enum: ['a', 1, true, null] },
    fits: ['a', 1, true, null],
    misfits: ['b', 2, false],
  },
  'choices of objects': { schema: { enum: [{ a: 1 }, []] }, fits: [{ a: 1 }, []], misfits: [{ a: 2 }, 'x'] },
  'a constant text': { schema: { const: 'a' }, fits: ['a'], misfits: ['b', 1] },
  'a constant number': { schema: { type: 'integer', const: 3 }, fits: [3], misfits: [4] },
  'a constant truth': { schema: { const: true }, fits: [true], misfits: [false] },
  'a constant null': { schema: { const: null }, fits: [null], misfits: ['x'] },
  'an empty object': {
    schema: { type: 'object', properties: {}, additionalProperties: false },
    fits: [{}],
    misfits: [{ a: 1 }],
  },
  'a free object': { schema: { type: 'object' }, fits: [{}, { a: 1 }], misfits: ['a'] },
  'an open object': {
    schema: { type: 'object', properties: { a: text }, additionalProperties: true },
    fits: [{ a: 'x', b: 1 }],
    misfits: [{ a: 1 }],
  },
  'an object that says nothing of more': {
    schema: { type: 'object', properties: { a: text }, required: ['a'] },
    fits: [{ a: 'x' }],
    misfits: [{ a: 1 }, {}],
  },
  anything: { schema: {}, fits: ['a', 1, null, {}], misfits: [] },
  'a list of anything': { schema: { type: 'array' }, fits: [[], ['a', 1]], misfits: [{}] },
  'a format': { schema: { type: 'string', format: 'uuid' }, fits: ['0'.repeat(36)], misfits: ['x'] },
  'a pattern': { schema: { type: 'string', pattern: '^a+$' }, fits: ['aa'], misfits: ['b'] },
  lengths: { schema: { type: 'string', minLength: 2, maxLength: 3 }, fits: ['ab'], misfits: ['a', 'abcd'] },
  bounds: { schema: { type: 'integer', minimum: 0, maximum: 9 }, fits: [0, 9], misfits: [-1, 10] },
  'open bounds': {
    schema: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    fits: [0.5],
    misfits: [0, 1],
  },
  steps: { schema: { type: 'integer', multipleOf: 5 }, fits: [10], misfits: [11] },
  counts: {
    schema: { type: 'array', items: text, minItems: 1, maxItems: 2, uniqueItems: true },
    fits: [['a']],
    misfits: [[], ['a', 'b', 'c'], ['a', 'a']],
  },
  'counts of names': {
    schema: { type: 'object', additionalProperties: text, minProperties: 1, maxProperties: 1 },
    fits: [{ a: 'x' }],
    misfits: [{}, { a: 'x', b: 'y' }],
  },
}

interface Placed {
  readonly schema: JsonObject
  readonly value: (value: unknown) => unknown
}

/** The places in which a feature is tried: at the root, in a property, in a list, in a map, in an alternative. */
export const positions: Readonly<Record<string, (feature: SchemaFeature) => Placed>> = {
  'at the root': ({ schema, $defs }) => ({
    schema: { ...schema, ...($defs && { $defs }) },
    value: (value) => value,
  }),
  'in a property': ({ schema, $defs }) => ({
    schema: { ...closed({ one: schema }), ...($defs && { $defs }) },
    value: (one) => ({ one }),
  }),
  'in an open object': ({ schema, $defs }) => ({
    schema: { type: 'object', properties: { one: schema }, ...($defs && { $defs }) },
    value: (one) => ({ one }),
  }),
  'in a list': ({ schema, $defs }) => ({
    schema: { ...closed({ all: { type: 'array', items: schema } }), ...($defs && { $defs }) },
    value: (one) => ({ all: [one] }),
  }),
  'in an alternative': ({ schema, $defs }) => ({
    schema: { ...closed({ one: { anyOf: [closed({ inner: schema }), text] } }), ...($defs && { $defs }) },
    value: (inner) => ({ one: { inner } }),
  }),
}
