import { integerParam, searchParams, textParam, timeParam } from '../../lib/search-params.ts'

/** Selection of the calls to charge again. */
export const correctionsSearch = searchParams({
  model: textParam,
  channel: integerParam,
  group: textParam,
  user: textParam,
  from: timeParam,
  to: timeParam,
})
export type CorrectionsSearch = ReturnType<typeof correctionsSearch>
