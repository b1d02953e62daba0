import { searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of an invitation's link. */
export const invitationSearch = searchParams({ token: textParam })
