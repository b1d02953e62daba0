import { integerParam, searchParams, textParam } from '../../lib/search-params.ts'

/** Selection of the calls to charge again. */
export const correctionsSearch = searchParams({
  model: textParam,
  channel: integerParam,
  group: textParam,
  user: textParam,
  from: integerParam,
  to: integerParam,
})
export type CorrectionsSearch = ReturnType<typeof correctionsSearch>
