/** The fields that the bodies of calls write, and values for them, all from the schemas: a new field is among them by itself. */
import { z } from 'zod'
import { isWrapper, jsonMembers } from '../unknown-members.ts'

/** One field of a body. */
export interface WrittenField {
  /** `name`; `models.names` inside of another; `setting.proxy` in a text of JSON; `options[].key` in a list. */
  readonly path: string
  /** Absent for a member of a text of JSON, which has no schema. */
  readonly schema: z.ZodType | undefined
}

/** Every field of a body, those inside of others in place of these. Maps with names of the caller's own are one field. */
export function writtenFields(body: z.ZodType): readonly WrittenField[] {
  return fieldsUnder(body, '')
}

function fieldsUnder(schema: z.ZodType, path: string): readonly WrittenField[] {
  const members = jsonMembers.get(schema)?.members
  if (members !== undefined) return members.map((name) => ({ path: join(path, name), schema: undefined }))
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, member]) =>
      fieldsUnder(member as z.ZodType, join(path, name)),
    )
  if (isWrapper(schema)) return fieldsUnder(schema.unwrap() as z.ZodType, path)
  if (schema instanceof z.ZodPipe) return fieldsUnder(schema.def.in as z.ZodType, path)
  const item = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined
  if (item instanceof z.ZodObject) return fieldsUnder(item, `${path}[]`)
  return path === '' ? [] : [{ path, schema }]
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** Two values that the schema takes and that are told apart when they are read back; `undefined` where it takes less than two. */
export function distinctValues({ path, schema }: WrittenField): readonly [unknown, unknown] | undefined {
  const written = schema && (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
  const found = written && candidates(written, path.replace(/\W/g, '-'))
  const taken = found?.filter((value) => schema?.safeParse(value).success) ?? []
  return taken.length < 2 ? undefined : [taken[0], taken[1]]
}

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

function candidates(schema: JsonSchema, name: string): readonly unknown[] {
  if (schema.enum !== undefined) return schema.enum
  if (schema.const !== undefined) return [schema.const]
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((each) => candidates(each, name))
  const types: readonly (string | undefined)[] = [schema.type ?? []].flat()
  const type = types.find((each) => each !== 'null')
  if (type === 'boolean') return [true, false]
  if (type === 'string') return ['one', 'two'].map((end) => `${name}-${end}`.slice(-(schema.maxLength ?? 80)))
  return type === 'integer' || type === 'number' ? numbersWithin(schema, name) : []
}

/** Two numbers that belong to the name, so that fields which change places are seen. */
function numbersWithin(
  { minimum: lowerBound = 0, maximum: limit = 1_000_000 }: JsonSchema,
  name: string,
): readonly number[] {
  const span = Math.min(limit - lowerBound, 9000)
  const own = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % Math.max(span - 1, 1), 7)
  return [Math.max(lowerBound, 0) + own, Math.max(lowerBound, 0) + own + 1]
}
