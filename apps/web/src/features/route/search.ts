import { integerParam, searchParams, textParam } from '../../lib/search-params.ts'

/** Which call is looked at. */
export const routeSearch = searchParams({
  model: textParam,
  group: textParam,
  /** Id of the key that makes it. */
  key: integerParam,
})
export type RouteSearch = ReturnType<typeof routeSearch>
