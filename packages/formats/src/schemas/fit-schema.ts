import type { JsonSchema } from '../canonical/request.ts'
import type { SchemaDialect } from '../canonical/schema-dialect.ts'
import { isObject, type JsonObject } from '../json/value.ts'
import { withDefinitions } from './definitions.ts'
import { Fitting, type SchemaRefusal, Unfit } from './fitting.ts'
import { eachSchema, mapSchemas, without } from './keywords.ts'
import { checkLimits } from './limits.ts'
import { openApiSchema } from './openapi-schema.ts'
import { isReadPlain } from './plain-schema.ts'
import { fitRoot, trimRoot } from './root.ts'
import { loneAlternatives, looseAlternatives, singleTypes } from './steps/alternatives.ts'
import { insertReference, joinAll } from './steps/joins.ts'
import {
  completeShapes,
  openPatterns,
  optionalCycles,
  placedItems,
  sayableMaps,
  shapedObjects,
} from './steps/objects.ts'
import { readKeywords } from './steps/read-keywords.ts'
import type { Step } from './steps/step.ts'
import { namedTypes, readableValues } from './steps/values.ts'
import { wrapperProperty } from './wrapped-value.ts'

/** A schema as a target reads it. */
export interface SchemaFit {
  /** The same object where nothing had to change, and where it does not fit. */
  readonly schema: JsonSchema
  /** Keywords that the target does not read, by the first place of each: without them more is valid. */
  readonly lost: readonly string[]
  /** The value is the property `tollgate_value` of an object. */
  readonly isWrapped: boolean
  /** Reason why there is no schema for this target that means the same. */
  readonly refused?: SchemaRefusal
}

/**
 * Fits a JSON Schema to what a target reads of it. Takes time in proportion to its size.
 */
export function fitSchema(schema: JsonSchema, dialect: SchemaDialect): SchemaFit {
  if (isReadPlain(schema, dialect)) return { schema, lost: nothing, isWrapped: false }
  return fitByStep(schema, dialect)
}

const nothing: readonly string[] = []

/** Fits as `fitSchema`, which leaves out what it sees to be plain. */
export function fitByStep(schema: JsonSchema, dialect: SchemaDialect): SchemaFit {
  const fitting = new Fitting(schema, dialect)
  try {
    const root = fitRoot(withDefinitions(schema, dialect), fitting)
    const inside = new Fitting(root.schema, dialect)
    const start = dialect.references === 'none' ? without(root.schema, ['$defs', 'definitions']) : root.schema
    const fitted = stepsOf(dialect).length > 0 ? trimRoot(fitNode(start, '', inside), inside) : root.schema
    checkLimits(fitted, dialect)
    const lost = new Set([...fitting.lost, ...inside.lost.map((path) => outside(path, root.isWrapped))])
    const written = dialect.language === 'openapi' ? inOpenApi(fitted, dialect, lost) : fitted
    return { schema: written, lost: [...lost], isWrapped: root.isWrapped }
  } catch (error) {
    return refusal(schema, error)
  }
}

function refusal(schema: JsonSchema, error: unknown): SchemaFit {
  if (!(error instanceof Unfit)) throw error
  return { schema, lost: [], isWrapped: false, refused: error.refusal }
}

function outside(path: string, isWrapped: boolean): string {
  const wrapper = `properties.${wrapperProperty}.`
  return isWrapped && path.startsWith(wrapper) ? path.slice(wrapper.length) : path
}

/** Fits a schema to OpenAPI, in which nothing is said of a function without parameters. */
function inOpenApi(schema: JsonObject, { root }: SchemaDialect, lost: Set<string>): JsonObject {
  const written = openApiSchema(schema, lost)
  if (root !== undefined) return written.properties === undefined ? noParameters : written
  if (Object.keys(schema).length > 0) refuseEmptyObjects(written)
  return written
}

/** "properties: should be non-empty for OBJECT type" is the answer to a response's schema with such an object. */
function refuseEmptyObjects(schema: unknown): void {
  if (!isObject(schema)) return
  if (schema.type === 'object' && schema.properties === undefined)
    throw new Unfit('', 'an object without properties cannot be said')
  eachSchema(schema, refuseEmptyObjects)
}

const noParameters: JsonSchema = { type: 'object', properties: {} }

type Columns = readonly (keyof SchemaDialect)[]

/** Every step with the columns that it is about: without one of them it has nothing to do. */
const steps: readonly (readonly [Step, ...Columns])[] = [
  [joinAll, 'keywords'],
  [insertReference, 'references', 'recursion'],
  [looseAlternatives, 'keywords'],
  [singleTypes, 'typeLists'],
  [readableValues, 'enumTypes', 'keywords'],
  [loneAlternatives, 'loneAnyOf'],
  [openPatterns, 'keywords'],
  [sayableMaps, 'maps'],
  [optionalCycles, 'allRequired', 'recursion'],
  [placedItems, 'keywords'],
  [shapedObjects, 'closed', 'freeObjects'],
  [completeShapes, 'complete'],
  [namedTypes, 'typed'],
  [readKeywords, 'keywords', 'formats'],
]

const planned = new WeakMap<SchemaDialect, readonly Step[]>()

/** The steps of a dialect, chosen once. */
function stepsOf(dialect: SchemaDialect): readonly Step[] {
  const known = planned.get(dialect)
  if (known !== undefined) return known
  const plan = steps.filter(([, ...columns]) => columns.some((column) => dialect[column] !== undefined))
  const chosen = plan.map(([step]) => step)
  planned.set(dialect, chosen)
  return chosen
}

/** Deeper than any request may nest; what the gateway makes itself adds a few levels. */
const maxDepth = 1000

/** @param isOptional the schema is that of a property: an object may go without it */
function fitNode(
  schema: JsonObject,
  at: string,
  fitting: Fitting,
  depth = 0,
  isOptional = false,
): JsonObject {
  if (depth > maxDepth) throw new Unfit(at, 'it nests too deep')
  fitting.countNode(at)
  const fitted = stepsOf(fitting.dialect).reduce(
    (all, step) => step(all, at, fitting),
    isOptional ? schema : cut(schema, at, fitting),
  )
  return mapSchemas(fitted, at, (inner, position, keyword) => {
    const mayGo = named.has(keyword) || (isOptional && keyword !== '$defs')
    if (isObject(inner)) return fitNode(inner, position, fitting, depth + 1, mayGo)
    return fitting.dialect.keywords === undefined || mayBeBoolean.has(keyword)
      ? inner
      : fitBoolean(inner, position, fitting)
  })
}

const named: ReadonlySet<string> = new Set(['properties', 'additionalProperties'])

/** A reference back that no property can end, where the target unrolls references in properties alone. */
function cut(schema: JsonObject, at: string, fitting: Fitting): JsonObject {
  if (fitting.dialect.recursion !== 'optional' || schema.$ref === undefined) return schema
  if (!fitting.references.leadsBack(schema)) return schema
  fitting.lose('$ref', at)
  return without(schema, ['$ref'])
}

const mayBeBoolean: ReadonlySet<string> = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
])

/** A schema that is true is one that says nothing; one that nothing fits cannot be said in few keywords. */
function fitBoolean(schema: unknown, at: string, fitting: Fitting): unknown {
  if (schema === false) fitting.refuseOrLose('false', at, 'nothing would fit')
  return typeof schema === 'boolean' ? {} : schema
}
