import { searchParams, textParam } from '../../lib/search-params.ts'

export const registerSearch = searchParams({
  /** Invite code of whoever sent the link. */
  aff: textParam,
})
