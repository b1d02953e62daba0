import { isObject, type JsonObject, textOf } from '../../json/value.ts'
import { conjunction } from '../conjunction.ts'
import type { Fitting } from '../fitting.ts'
import { annotations, isAnnotation, without } from '../keywords.ts'
import { isRead, type Step } from './step.ts'

/** One schema in place of `allOf`, where the target does not read it. */
export const joinAll: Step = (schema, at, fitting) => {
  if (!Array.isArray(schema.allOf) || isRead('allOf', fitting)) return schema
  const own = without(schema, ['allOf'])
  const [only, ...others] = schema.allOf
  if (others.length === 0 && isAnnotation(own) && isObject(only)) return { ...only, ...own }
  const merged = conjunction([own, ...schema.allOf], (reference) => fitting.inline(reference))
  if (merged !== undefined) return joinAll(merged, at, fitting)
  fitting.refuseOrLose('allOf', at, 'schemas that hold together cannot be said as one')
  return own
}

/** A reference that goes nowhere says nothing; one that has to stand alone takes what stands beside it along. */
export const insertReference: Step = (schema, at, fitting) => {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const { references, dialect } = fitting
  const own = without(schema, ['$ref'])
  if (references.resolve($ref) === undefined) {
    if (dialect.recursion === undefined && dialect.references === undefined) return schema
    fitting.refuseOrLose('$ref', at, 'the reference leads to no schema in this one')
    return own
  }
  if (dialect.recursion === 'none' && references.leadsBack(schema)) {
    fitting.refuseOrLose('$ref', at, 'the schema contains itself')
    return own
  }
  if (dialect.references === 'none') return inlined(schema, at, fitting)
  return dialect.references === undefined ? schema : standingAlone(schema, at, fitting)
}

function inlined(schema: JsonObject, at: string, fitting: Fitting): JsonObject {
  const target = fitting.references.leadsBack(schema) ? undefined : fitting.inlineOnce(textOf(schema.$ref))
  const own = without(schema, ['$ref'])
  const merged = target && conjunction([own, target], (reference) => fitting.inline(reference))
  if (merged !== undefined) return insertReference(merged, at, fitting)
  fitting.refuseOrLose('$ref', at, 'the reference cannot be replaced by its schema')
  return own
}

function standingAlone(schema: JsonObject, at: string, fitting: Fitting): JsonObject {
  const { $ref, ...own } = schema
  if (Object.keys(own).every((key) => key.startsWith('$'))) return schema
  if (isAnnotation(own))
    return fitting.dialect.references === 'described' ? schema : { ...own, anyOf: [{ $ref }] }
  const merged = conjunction([own, { $ref }], (reference) => fitting.inline(reference))
  if (merged !== undefined) return merged
  for (const name of Object.keys(own))
    if (!annotations.has(name)) fitting.refuseOrLose(name, at, 'it cannot stand beside a reference')
  return { $ref }
}
