import { searchParams, textParam } from '../../lib/search-params.ts'

/** What a provider says when it sends the browser back. Codes may look like numbers. */
export const oauthSearch = searchParams({
  code: textParam,
  state: textParam,
  error: textParam,
  error_description: textParam,
  iss: textParam,
})

const codeProviders = ['github', 'oidc', 'linuxdo'] as const
export type CodeProvider = (typeof codeProviders)[number]

export function isCodeProvider(name: string): name is CodeProvider {
  return codeProviders.some((provider) => provider === name)
}
