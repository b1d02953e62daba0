/** Functions by which a form reads the fields of a resource. The form holds the body of the call that saves it. */
import { brokenLimit, type FieldOfPage, maxOf, type RefusalCode } from '@tollgate/api'

/** A body in a form: an emptied number is `undefined`. */
export type FormOf<Body> = {
  readonly [Name in keyof Body]: Body[Name] extends number ? number | undefined : Body[Name]
}

/** The body of a new record before anything is typed. */
export function blankBody<Body>(fields: readonly FieldOfPage[]): Body {
  return Object.fromEntries(
    fields.filter(({ isWritable }) => isWritable).map((field) => [field.name, field.default]),
  ) as Body
}

/** Returns the part of a stored record that its form edits. */
export function bodyOf<Body>(fields: readonly FieldOfPage[], record: object): Body {
  const values = record as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    fields.filter(({ isWritable }) => isWritable).map(({ name }) => [name, values[name]]),
  ) as Body
}

/** The fields of a body that differ from what is stored. */
export function changedFields<Body extends object>(before: Body, after: Body): Partial<Body> {
  const changed = Object.entries(after).filter(([name, value]) => value !== before[name as keyof Body])
  return Object.fromEntries(changed) as Partial<Body>
}

/** A limit that a value breaks: the refusal that the server would give, and the limit. */
export interface LimitProblem {
  readonly code: RefusalCode
  readonly max: number
}

/** The limits that a body breaks, by field. */
export function limitProblems<Body extends object>(
  fields: readonly FieldOfPage[],
  body: Body,
): Partial<Record<keyof Body, LimitProblem>> {
  const values = body as Readonly<Record<string, unknown>>
  const problems = fields.flatMap(({ name, limits }) => {
    const code = brokenLimit(limits, values[name])
    return code === undefined ? [] : [[name, { code, max: maxOf(limits) }]]
  })
  return Object.fromEntries(problems) as Partial<Record<keyof Body, LimitProblem>>
}
