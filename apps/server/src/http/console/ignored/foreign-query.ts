import { type Call, specifiedParameters } from '@tollgate/api'
import type { z } from 'zod'

type Query = Readonly<Record<string, string>>

/**
 * The parameters of a query that a call can read. Of a call that other consoles know, those whose value cannot be read and that the
 * specification does not have are left out.
 */
export function readableQuery({ method, path }: Call, schema: z.ZodType, query: Query): Query {
  const specified = specifiedParameters(method, path)
  if (specified === undefined) return query
  const parsed = schema.safeParse(query)
  if (parsed.success) return query
  const foreign = new Set(parsed.error.issues.map(({ path: [name] }) => String(name)))
  return Object.fromEntries(
    Object.entries(query).filter(([name]) => !foreign.has(name) || specified.includes(name)),
  )
}
