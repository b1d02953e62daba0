import { describe, expect, it } from 'bun:test'
import type { SchemaDialect } from '../canonical/schema-dialect.ts'
import { isObject, type JsonObject, listOf, objectOf } from '../json/value.ts'
import { schemaDialects } from './dialects.ts'
import { fitSchema, type SchemaFit } from './fit-schema.ts'
import { eachSchema, isObjectSchema } from './keywords.ts'
import { positions, schemaFeatures } from './test-support/schema-features.ts'
import { isValid } from './test-support/validate.ts'
import { wrapperProperty } from './wrapped-value.ts'

const dialects = Object.values(schemaDialects).filter(({ language }) => language === undefined)
const cases = dialects.flatMap((dialect) =>
  Object.entries(positions).map(([position, put]) => [dialect.name, position, dialect, put] as const),
)

function expectMeaning(fit: SchemaFit, schema: JsonObject, value: unknown): void {
  const sent = fit.isWrapped ? { [wrapperProperty]: value } : value
  const [before, after] = [isValid(schema, value), isValid(fit.schema, sent)]
  const lost = fit.lost.map((path) => path.split('.').at(-1) ?? '')
  // Arguments are never null, so that a type which allows it says less.
  if (before && !lost.includes('type')) expect(after).toBe(true)
  if (!before && after) expect(lost).not.toEqual([])
}

/** The vendor's refusals, by column: what stands in a schema for which it answers 400. */
function refusalsIn(schema: JsonObject, dialect: SchemaDialect): readonly string[] {
  const found = new Set<string>()
  if (dialect.root !== undefined) {
    if (schema.type !== 'object') found.add('a root of another type')
    for (const key of Object.keys(schema)) if (dialect.root.without.has(key)) found.add(`${key} at the root`)
    for (const key of Object.keys(schema))
      if (dialect.root.only?.has(key) === false) found.add(`${key} at the root`)
  }
  const visit = (each: unknown): void => {
    if (!isObject(each)) return
    for (const [name, isRefused] of Object.entries(refusals)) if (isRefused(each, dialect)) found.add(name)
    eachSchema(each, visit)
  }
  visit(schema)
  return [...found]
}

const refusals: Readonly<Record<string, (schema: JsonObject, dialect: SchemaDialect) => boolean>> = {
  'an unknown keyword': (schema, { keywords }) =>
    Object.keys(schema).some((key) => keywords?.has(key) === false),
  'an unknown format': ({ format }, { formats }) =>
    format !== undefined && formats?.has(String(format)) === false,
  'an open object': (schema, { closed }) =>
    closed !== undefined && isObjectSchema(schema) && schema.additionalProperties !== false,
  'an optional property': ({ properties, required }, { allRequired }) =>
    allRequired === true &&
    Object.keys(objectOf(properties)).some((name) => !listOf(required).includes(name)),
  'no type': (schema, { typed }) => typed === true && !['type', 'anyOf', '$ref'].some((key) => key in schema),
  'several types': ({ type }, { typeLists }) => typeLists === 'none' && Array.isArray(type),
  'a reference': ({ $ref }, { references }) => references === 'none' && $ref !== undefined,
  'something beside a reference': ({ $ref, ...others }, { references }) =>
    references === 'alone' && $ref !== undefined && Object.keys(others).some((key) => !key.startsWith('$')),
  'a type beside alternatives': ({ anyOf, type, properties }, { loneAnyOf }) =>
    loneAnyOf === true && anyOf !== undefined && (type !== undefined || properties !== undefined),
  'a list without items': ({ type, items }, { complete }) =>
    complete === true && type === 'array' && items === undefined,
  'an object without properties': ({ type, properties }, { complete }) =>
    complete === true && type === 'object' && properties === undefined,
  'a choice of another type': ({ enum: values }, { enumTypes }) =>
    listOf(values).some((value) => enumTypes?.has(value === null ? 'null' : typeof value) === false),
}

describe.each(cases)('%s, %s', (_dialect, _index, dialect, put) => {
  it.each(Object.entries(schemaFeatures))(
    'says %s as it was, says what is lost, or refuses it',
    (_name, feature) => {
      const { schema, value } = put(feature)
      const fit = fitSchema(schema, dialect)
      if (fit.refused !== undefined) {
        expect(dialect.strict).toBe(true)
        expect(fit).toMatchObject({ lost: [], isWrapped: false })
        expect(fit.schema).toBe(schema)
        return
      }
      for (const each of [...feature.fits, ...feature.misfits]) {
        const whole = value(each)
        // Arguments of tools are objects, and where the root must be one, other values are wrapped.
        if (dialect.root === undefined || fit.isWrapped || isObject(whole)) expectMeaning(fit, schema, whole)
      }
      expect(refusalsIn(fit.schema, dialect)).toEqual([])
      expect(fitSchema(fit.schema, dialect).schema).toBe(fit.schema)
    },
  )
})
