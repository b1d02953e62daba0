import { incidentStates } from '@tollgate/api'
import { listParams } from '../../components/list/list-search.ts'
import { enumParam, searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the incidents in the URL. */
export const incidentSearch = searchParams({
  page: listParams.page,
  state: enumParam(incidentStates),
  kind: textParam,
})
export type IncidentSearch = ReturnType<typeof incidentSearch>
