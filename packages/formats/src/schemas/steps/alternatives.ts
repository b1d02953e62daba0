import { listOf, objectOf } from '../../json/value.ts'
import { conjunction } from '../conjunction.ts'
import { annotations, typesOf, without } from '../keywords.ts'
import { isRead, type Step } from './step.ts'
import { readableValues } from './values.ts'

/** A target that reads `oneOf` as `anyOf`, or not at all. */
export const looseAlternatives: Step = (schema, at, fitting) => {
  const { oneOf, anyOf } = schema
  if (!Array.isArray(oneOf) || isRead('oneOf', fitting)) return schema
  if (!areExclusive(oneOf)) fitting.lose('oneOf', at)
  const own = without(schema, ['oneOf'])
  if (anyOf === undefined) return { ...own, anyOf: oneOf }
  // Of two sets of alternatives one is said.
  fitting.refuseOrLose('oneOf', at, 'it cannot stand beside anyOf')
  return own
}

/** Alternatives of which a value can fit one alone: their types differ, or the constant that each requires. */
function areExclusive(branches: readonly unknown[]): boolean {
  const types = branches.map((branch) => typesOf(objectOf(branch)))
  const names = types
    .flatMap((each) => each ?? ['', ''])
    .map((name) => (name === 'integer' ? 'number' : name))
  if (new Set(names).size === names.length) return true
  const [first] = branches.map(objectOf)
  return Object.keys(objectOf(first?.properties)).some((name) => isDiscriminator(name, branches))
}

function isDiscriminator(name: string, branches: readonly unknown[]): boolean {
  const values = branches.flatMap((branch) => {
    const { properties, required } = objectOf(branch)
    const known = objectOf(objectOf(properties)[name])
    return listOf(required).includes(name)
      ? 'const' in known
        ? [known.const]
        : listOf(known.enum)
      : ['', '']
  })
  return values.length >= branches.length && new Set(values).size === values.length
}

/** Alternatives with what stands beside them in each, where nothing may stand there. */
export const loneAlternatives: Step = (schema, at, fitting) => {
  if (fitting.dialect.loneAnyOf !== true || !Array.isArray(schema.anyOf)) return schema
  const own = without(schema, ['anyOf'])
  const shared = without(own, annotations)
  if (Object.keys(shared).length === 0) return schema
  const branches = schema.anyOf.map((branch) =>
    conjunction([branch, shared], (reference) => fitting.inline(reference)),
  )
  const texts = without(own, Object.keys(shared))
  const [only, ...others] = branches
  // The only one takes the place of all: what was read of lists of types and of values before is read of it.
  if (only !== undefined && others.length === 0)
    return readableValues(singleTypes({ ...only, ...texts }, at, fitting), at, fitting)
  if (branches.every((branch) => branch !== undefined)) return { ...texts, anyOf: branches }
  fitting.refuseOrLose('anyOf', at, 'what stands beside it cannot be said in each alternative')
  return own
}

/** Several types as alternatives, where a list of them is not read. */
export const singleTypes: Step = (schema, at, fitting) => {
  const types = typesOf(schema)
  if (fitting.dialect.typeLists !== 'none' || types === undefined || typeof schema.type === 'string')
    return schema
  const [only, ...others] = types
  if (others.length === 0) return { ...schema, type: only }
  if (schema.anyOf !== undefined) {
    fitting.refuseOrLose('type', at, 'several types cannot stand beside anyOf')
    return without(schema, ['type'])
  }
  const shared = without(schema, ['type', ...annotations])
  const texts = Object.entries(schema).filter(([key]) => annotations.has(key))
  const anyOf = types.map((type) => ({ type, ...(type === 'null' ? {} : shared) }))
  return { ...Object.fromEntries(texts), anyOf }
}
