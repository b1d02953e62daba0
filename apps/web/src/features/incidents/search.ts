import { incidentStates } from '@tollgate/api'
import { listParams } from '../../components/list/list-search.ts'
import { enumParam, integerParam, searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the incidents in the URL. */
export const incidentSearch = searchParams({
  page: listParams.page,
  state: enumParam(incidentStates),
  kind: textParam,
  /** Shows what is published, in place of the causes. */
  tab: enumParam(['status']),
  /** Id of the cause that is being published; 0: none. */
  publish: integerParam,
})
export type IncidentSearch = ReturnType<typeof incidentSearch>
