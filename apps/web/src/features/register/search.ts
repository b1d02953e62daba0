import { searchParams, textParam } from '../../lib/search-params.ts'

export const registerSearch = searchParams({
  /** Invitation code of the user who sent the link. */
  aff: textParam,
})

/** Parameters of an invitation's link. */
export const invitationSearch = searchParams({ token: textParam })
