import { booleanParam, searchParams, textParam } from '../../lib/search-params.ts'

export const loginSearch = searchParams({
  /** The session ended while a page was open. */
  expired: booleanParam,
  /** Where to go after login. */
  redirect: textParam,
  /** Invite code, for those who sign in through a provider for the first time. */
  aff: textParam,
  /** Why a provider could not be asked: the code of the refusal. */
  error: textParam,
})

/** A place inside the console; an address elsewhere (a link someone made) counts as absent. */
export function localTarget(redirect: string | undefined): string | undefined {
  return redirect !== undefined && /^\/(?![/\\])/.test(redirect) ? redirect : undefined
}
