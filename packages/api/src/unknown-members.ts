import { z } from 'zod'

/** The members of texts of JSON that are known by name. */
export const jsonMembers = z.registry<{ readonly members: readonly string[] }>()

type Json = Readonly<Record<string, unknown>>

/**
 * Names the members of a value that its schema does not read, as paths: `setting.proxi`, `ids[]`, `body.x`. Maps with names of the
 * caller's own have none.
 */
export function unknownMembers(schema: z.ZodType, value: unknown): readonly string[] {
  return [...new Set(walk(schema, value, ''))]
}

function walk(schema: z.ZodType, value: unknown, path: string): readonly string[] {
  const facts = jsonMembers.get(schema)
  if (facts !== undefined && typeof value === 'string') return unknownIn(facts.members, value, path)
  if (schema instanceof z.ZodObject) return isObject(value) ? walkObject(schema, value, path) : []
  if (schema instanceof z.ZodArray)
    return Array.isArray(value)
      ? value.flatMap((item) => walk(schema.element as z.ZodType, item, `${path}[]`))
      : []
  if (schema instanceof z.ZodRecord)
    return isObject(value)
      ? Object.values(value).flatMap((item) => walk(schema.valueType as z.ZodType, item, `${path}[]`))
      : []
  if (schema instanceof z.ZodUnion) return walkUnion(schema, value, path)
  if (schema instanceof z.ZodPipe) return walkPipe(schema, value, path)
  if (isWrapper(schema)) return walk(schema.unwrap() as z.ZodType, value, path)
  return []
}

function walkObject(schema: z.ZodObject, value: Json, path: string): readonly string[] {
  const isOpen = schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever)
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`
    if (Object.hasOwn(schema.shape, name)) return walk(schema.shape[name] as z.ZodType, member, at)
    return isOpen ? [] : [at]
  })
}

/** Walks the alternative that leaves least, of those that read the value. */
function walkUnion(schema: z.ZodUnion, value: unknown, path: string): readonly string[] {
  const found = (schema.options as readonly z.ZodType[])
    .filter((option) => option.safeParse(value).success)
    .map((option) => walk(option, value, path))
  return found.toSorted((a, b) => a.length - b.length)[0] ?? []
}

/** Walks the schema that a pipe reads; behind a first step that rewrites the value, walks the rewritten one. */
function walkPipe({ def }: z.ZodPipe, value: unknown, path: string): readonly string[] {
  const { in: first, out } = def as unknown as { readonly in: z.ZodType; readonly out: z.ZodType }
  if (!(first instanceof z.ZodTransform)) return walk(first, value, path)
  const rewritten = first.safeParse(value)
  return rewritten.success ? walk(out, rewritten.data, path) : []
}

function unknownIn(members: readonly string[], text: string, path: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value)
      ? Object.keys(value).flatMap((name) => (members.includes(name) ? [] : [`${path}.${name}`]))
      : []
  } catch {
    return []
  }
}

type Wrapper = z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodReadonly | z.ZodCatch | z.ZodPrefault

/** Says whether a schema only adds to another: what is absent, what it is then. */
export function isWrapper(schema: z.ZodType): schema is Wrapper {
  const wrappers = [z.ZodOptional, z.ZodNullable, z.ZodDefault, z.ZodReadonly, z.ZodCatch, z.ZodPrefault]
  return wrappers.some((each) => schema instanceof each)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The names of the members of a record that a call returns: alone, in a list, or in a page of one. */
export function recordMembers(schema: z.ZodType): readonly string[] {
  if (isWrapper(schema)) return recordMembers(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodArray) return recordMembers(schema.element as z.ZodType)
  if (!(schema instanceof z.ZodObject)) return []
  const items = schema.shape['items']
  return items instanceof z.ZodArray ? recordMembers(items) : Object.keys(schema.shape)
}
