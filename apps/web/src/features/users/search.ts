import { userFilters } from '@tollgate/api'
import { filterParams } from '../../components/list/filter-params.ts'
import { listParams } from '../../components/list/list-search.ts'
import { enumParam, searchParams, textParam } from '../../lib/search-params.ts'

/** States of an account; a deleted one stays in the list. */
export const accountStates = ['active', 'banned', 'deleted'] as const

/** Parameters of the user list in the URL. */
export const usersSearch = searchParams({
  ...listParams,
  ...filterParams(userFilters),
  keyword: textParam,
  /** The state takes the place of the status: deletion is apart from it. */
  status: enumParam(accountStates),
})
export type UsersSearch = ReturnType<typeof usersSearch>
