import { searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the page about the API in the URL. */
export const docsSearch = searchParams({
  /** Words that path, summary or name of a call have. */
  q: textParam,
  /** Calls for these alone: a word of the contract's access. */
  who: textParam,
  /** The call that is open, by its operation id. */
  call: textParam,
})
