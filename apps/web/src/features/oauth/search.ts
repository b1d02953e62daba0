import { searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters that a provider sends the browser back with. Codes may look like numbers. */
export const oauthSearch = searchParams({
  code: textParam,
  state: textParam,
  error: textParam,
  error_description: textParam,
  iss: textParam,
})

const oauthProviders = ['github', 'oidc', 'linuxdo'] as const
export type OAuthProvider = (typeof oauthProviders)[number]

export function isCodeProvider(name: string): name is OAuthProvider {
  return oauthProviders.some((provider) => provider === name)
}
