import { z } from 'zod'

/**
 * A row of a schema with what differs from nothing: zeros, empty texts and lists, `null` where that is allowed, the first of several
 * choices. A new field of the contract is in it by itself.
 * @param fields what the test is about
 */
export function plainRow<const Schema extends z.ZodType>(
  schema: Schema,
  fields: Partial<z.output<Schema>> = {},
): z.output<Schema> {
  const row = minOf(schema)
  // Only its own parts tell what an object of a schema is.
  return (
    typeof row === 'object' && row !== null && !Array.isArray(row) ? { ...row, ...fields } : row
  ) as z.output<Schema>
}

/** Returns the smallest value of each kind of schema. */
function minOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodObject) return membersOf(schema)
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly) return minOf(schema.def.innerType)
  if (schema instanceof z.ZodPipe) return minOf(schema.def.in)
  if (schema instanceof z.ZodUnion) return minOf(schema.options[0] ?? z.undefined())
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodLiteral) return [...schema.values][0]
  if (schema instanceof z.ZodNumber) return Math.max(0, schema.minValue ?? 0)
  return simple[schema._zod.def.type]?.()
}

const simple: Readonly<Record<string, () => unknown>> = {
  nullable: () => null,
  null: () => null,
  array: () => [],
  record: () => ({}),
  string: () => '',
  boolean: () => false,
}

function membersOf({ shape }: z.ZodObject): object {
  const members = Object.entries(shape).map(([name, member]) => [name, minOf(member)])
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}
