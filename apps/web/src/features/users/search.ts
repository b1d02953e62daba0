import { listParams } from '../../components/list/list-search.ts'
import { enumParam, integerParam, searchParams, textParam } from '../../lib/search-params.ts'

/** States of an account; a deleted one stays in the list. */
export const accountStates = ['active', 'banned', 'deleted'] as const

/** Parameters of the user list in the URL. */
export const usersSearch = searchParams({
  ...listParams,
  keyword: textParam,
  group: textParam,
  role: integerParam,
  status: enumParam(accountStates),
})
export type UsersSearch = ReturnType<typeof usersSearch>
