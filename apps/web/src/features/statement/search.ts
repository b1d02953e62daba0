import { enumParam, integerParam, monthParam, searchParams, textParam } from '../../lib/search-params.ts'

const kinds = ['user', 'token', 'group'] as const

/** Parameters of a statement in the URL: without a kind the reader's own, or with an id that of one of their keys. */
export const statementSearch = searchParams({
  kind: enumParam(kinds),
  id: integerParam,
  group: textParam,
  /** Name of the month, `2026-11`. */
  month: monthParam,
})
/** The statement that the address names. */
export type StatementSearch = ReturnType<typeof statementSearch>
