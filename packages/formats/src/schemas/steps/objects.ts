import { numberOf } from '../../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { type Fitting, Unfit } from '../fitting.ts'
import { isObjectSchema, join, typesOf, without } from '../keywords.ts'
import type { References } from '../references.ts'
import { isRead, type Step } from './step.ts'

/** Names and patterns that are not read must not forbid what they allow. */
export const openPatterns: Step = (schema, at, fitting) => {
  const { patternProperties, additionalProperties } = schema
  if (!isObject(patternProperties) || isRead('patternProperties', fitting)) return schema
  fitting.refuseOrLose('patternProperties', at, 'names by pattern cannot be said')
  const own = without(schema, ['patternProperties'])
  if (additionalProperties === undefined || additionalProperties === true) return own
  const allowed = Object.values(patternProperties)
  const anyOf = isObject(additionalProperties) ? [...allowed, additionalProperties] : allowed
  return { ...own, additionalProperties: anyOf.length === 1 ? anyOf[0] : { anyOf } }
}

/** Objects as the target wants them: closed, or free by their own word. */
export const shapedObjects: Step = (schema, at, fitting) => {
  const { dialect } = fitting
  if (!isObjectSchema(schema) || (dialect.closed === undefined && dialect.freeObjects === undefined))
    return schema
  const { additionalProperties } = schema
  const isFree = Object.keys(objectOf(schema.properties)).length === 0
  if (dialect.freeObjects === 'explicit')
    return additionalProperties === undefined && isFree ? { ...schema, additionalProperties: true } : schema
  if (additionalProperties === false) return schema
  if (additionalProperties !== undefined || isFree)
    throw new Unfit(join(at, 'additionalProperties'), 'an object of any names cannot be said')
  if (dialect.closed === 'demanded') throw new Unfit(at, 'an object has to be closed')
  return { ...schema, additionalProperties: false }
}

/** A map without the schema of its values would be another one. */
export const sayableMaps: Step = (schema, at, { dialect }) => {
  if (dialect.maps === 'refused' && isObject(schema.additionalProperties))
    throw new Unfit(join(at, 'additionalProperties'), 'an object of any names cannot be said')
  return schema
}

/** Properties that hold their own object again may be left out, or the object would have no end. */
export const optionalCycles: Step = (schema, at, fitting) => {
  const required = listOf(schema.required)
  if (fitting.dialect.allRequired === true) demandAll(schema, at)
  if (fitting.dialect.recursion !== 'optional' || required.length === 0) return schema
  const { references } = fitting
  if (!references.areCyclic) return schema
  const properties = objectOf(schema.properties)
  const retained = required.filter((name) => !leadsBack(properties[textOf(name)], references))
  if (retained.length === required.length) return schema
  fitting.lose('required', at)
  return retained.length === 0 ? without(schema, ['required']) : { ...schema, required: retained }
}

function demandAll(schema: JsonObject, at: string): void {
  const required = new Set(listOf(schema.required))
  if (Object.keys(objectOf(schema.properties)).some((name) => !required.has(name)))
    throw new Unfit(join(at, 'required'), 'every property has to be required')
}

/** Returns it without another property between: that one would be the place to end. */
function leadsBack(schema: unknown, references: References): boolean {
  if (!isObject(schema)) return false
  if (references.leadsBack(schema)) return true
  const inner = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((key) => listOf(schema[key]))
  return [...inner, schema.items, schema.additionalProperties].some((each) => leadsBack(each, references))
}

/** Lists by place in their newer form; one that ends with its places says so by its length. */
export const placedItems: Step = (schema, at, fitting) => {
  const { dialect } = fitting
  if (dialect.keywords === undefined) return schema
  return anyPosition(newerItems(schema), at, fitting)
}

/** Items by their place become items of any of these kinds, where places cannot be said. */
function anyPosition(schema: JsonObject, at: string, fitting: Fitting): JsonObject {
  const { prefixItems, ...own } = schema
  if (!Array.isArray(prefixItems) || isRead('prefixItems', fitting)) return schema
  fitting.refuseOrLose('prefixItems', at, 'items by their place cannot be said')
  const all = schema.items === undefined ? prefixItems : [...prefixItems, schema.items]
  const kinds = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]
  return { ...own, items: kinds.length === 1 ? kinds[0] : { anyOf: kinds } }
}

function newerItems(schema: JsonObject): JsonObject {
  if (Array.isArray(schema.items)) {
    const { items, additionalItems, ...own } = schema
    const rest = additionalItems === undefined ? {} : { items: additionalItems }
    return endedItems({ ...own, prefixItems: items, ...rest })
  }
  return endedItems(schema)
}

function endedItems(schema: JsonObject): JsonObject {
  if (schema.items === true) return without(schema, ['items'])
  if (schema.items !== false) return schema
  const positions = listOf(schema.prefixItems).length
  const max = Math.min(numberOf(schema.maxItems) ?? positions, positions)
  return { ...without(schema, ['items']), maxItems: max }
}

/** Members that the target demands though they say nothing. */
export const completeShapes: Step = (schema, _at, { dialect }) => {
  if (dialect.complete !== true) return schema
  const types = typesOf(schema) ?? []
  const items = types.includes('array') && schema.items === undefined
  const named = objectOf(schema.properties)
  const unnamed = listOf(schema.required).filter(
    (name) => typeof name === 'string' && !Object.hasOwn(named, name),
  )
  const isOpen = schema.additionalProperties !== false && unnamed.length > 0
  const properties = types.includes('object') && (schema.properties === undefined || isOpen)
  if (!items && !properties) return schema
  const all = isOpen ? { ...named, ...Object.fromEntries(unnamed.map((name) => [name, {}])) } : named
  return { ...schema, ...(items && { items: {} }), ...(properties && { properties: all }) }
}
