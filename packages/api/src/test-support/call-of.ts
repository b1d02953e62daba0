import { z } from 'zod'
import { type Call, calls } from '../index.ts'

/** A call of the contract by its name for programs: `tokens.create`. */
export interface NamedCall {
  readonly name: string
  readonly call: Call
}

/** The complete contract. A fixed path goes before one with variables that would match its words. */
export const contractCalls: readonly NamedCall[] = Object.entries(calls)
  .flatMap(([group, members]) =>
    Object.entries(members as Readonly<Record<string, Call>>).map(([member, call]) => ({
      name: `${group}.${member}`,
      call,
    })),
  )
  .toSorted((a, b) => a.call.path.split(':').length - b.call.path.split(':').length)

/** The call that a server runs for this method and path, with or without its last slash. */
export function callOf(method: string, path: string): NamedCall | undefined {
  return contractCalls.find(({ call }) => call.method === method && takes(call, withoutSlash(path)))
}

function takes({ path, params }: Call, requested: string): boolean {
  const pattern = withoutSlash(path)
    .replace(/[.]/g, '\\.')
    .replace(/:(\w+)/g, '(?<$1>[^/]+)')
  const match = new RegExp(`^${pattern}$`).exec(requested)
  return match !== null && (params === undefined || params.safeParse({ ...match.groups }).success)
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '')
}

/** The names that the schema does not read. An open schema reads them all. */
export function unreadNames(schema: z.ZodType | undefined, names: readonly string[]): string[] {
  const known = namesOf(schema)
  return known === undefined ? [] : names.filter((name) => !known.has(name))
}

function namesOf(schema: z.ZodType | undefined): ReadonlySet<string> | undefined {
  if (schema === undefined) return new Set()
  const written = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const shapes = [written, ...(written.anyOf ?? []), ...(written.oneOf ?? []), ...(written.allOf ?? [])]
  const names = shapes.flatMap((shape) => Object.keys((shape as { properties?: object }).properties ?? {}))
  return names.length === 0 ? undefined : new Set(names)
}
