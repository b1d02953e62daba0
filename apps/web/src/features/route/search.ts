import { integerParam, searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the simulated call. */
export const routeSearch = searchParams({
  model: textParam,
  group: textParam,
  /** Id of the key that makes it. */
  key: integerParam,
})
export type RouteSearch = ReturnType<typeof routeSearch>
