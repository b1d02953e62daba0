import { booleanParam, searchParams, textParam } from '../../lib/search-params.ts'

export const loginSearch = searchParams({
  /** The session ended while a page was open. */
  expired: booleanParam,
  /** Target after login. */
  redirect: textParam,
  /** Invite code, for those who sign in through a provider for the first time. */
  aff: textParam,
  /** Code of the refusal for which a provider could not be asked. */
  error: textParam,
})

/** A place inside the console; an address elsewhere (a link someone made) counts as absent. */
export function localTarget(redirect: string | undefined): string | undefined {
  return redirect !== undefined && /^\/(?![/\\])/.test(redirect) ? redirect : undefined
}
