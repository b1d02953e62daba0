import { listParams } from '../../components/list/list-search.ts'
import { booleanParam, searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the page in the URL. */
export const groupsSearch = searchParams({
  sort: listParams.sort,
  keyword: textParam,
  /** The group that is open. */
  group: textParam,
  /** Set while a new group is filled in. */
  add: booleanParam,
})
export type GroupsSearch = ReturnType<typeof groupsSearch>
