/** Schemas of fields that several resources share. */
import { z } from 'zod'
import { rateLimitMax } from '../settings/shapes.ts'
import { type FieldFacts, field } from './resource.ts'

export const id = z.number().int()

/** A name inside; in JSON and in the database the number that the table gives it. */
export function named<const Table extends Readonly<Record<string, number>>>(table: Table) {
  type Name = keyof Table & string
  const names = Object.keys(table) as [Name, ...Name[]]
  return z.codec(z.number().int(), z.enum(names), {
    // A number without a name gives undefined, which is no member of the enum.
    decode: (number) => names.find((name) => table[name] === number) as Name,
    encode: (name) => table[name as Name] as number,
  })
}

/** Null inside; in JSON the number `none`, which no value is. */
export function nullAs(none: number, schema: z.ZodNumber) {
  return z.codec(schema, schema.nullable(), {
    decode: (value) => (value === none ? null : value),
    encode: (value) => value ?? none,
  })
}

/** A text without spaces around it. */
export function trimmed(text = z.string()) {
  return z.codec(text, z.string(), { decode: (text) => text.trim(), encode: (text) => text })
}

/** A trimmed text that a new record may leave empty. */
export function text(facts: FieldFacts = {}) {
  return trimmed().default('').register(field, facts)
}

/**
 * Names, each once; JSON joins them by commas.
 * @param separators of a text that callers send
 */
export function commaList(separators: string | RegExp = ',') {
  return z.codec(z.string(), z.array(z.string()).readonly(), {
    decode: (text) => entriesOf(text, separators),
    encode: (names) => names.join(','),
  })
}

/** Entries, one a line, each once; callers may separate them by commas, too. */
export function lines() {
  return z.codec(z.string(), z.string(), {
    decode: (text) => entriesOf(text, /[\n,]/).join('\n'),
    encode: (text) => text,
  })
}

function entriesOf(text: string, separator: string | RegExp): string[] {
  return [...new Set(text.split(separator).map((entry) => entry.trim()))].filter((entry) => entry !== '')
}

/** Calls and tokens of each minute, and calls at once; 0 is no limit. */
export function rateLimits() {
  const limit = () =>
    z.number().int().min(0).max(rateLimitMax).default(0).register(field, { section: 'rateLimit' })
  return { requestsPerMinute: limit(), tokensPerMinute: limit(), concurrency: limit() }
}
