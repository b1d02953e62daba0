import { z } from 'zod'
import type { SettingsReader } from '../settings/settings.ts'
import { fetchAsUser, redeemCode } from './provider-request.ts'
import type { OAuthClient } from './providers.ts'

/** Where GitHub is. */
export interface GitHubAddresses {
  readonly site: string
  readonly api: string
}

export const githubAddresses: GitHubAddresses = { site: 'https://github.com', api: 'https://api.github.com' }

const user = z.object({
  id: z.number().int().positive(),
  name: z.string().nullish(),
  login: z.string().nullish(),
})
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

interface Dependencies {
  readonly settings: SettingsReader
  readonly addresses: GitHubAddresses
}

/**
 * GitHub's OAuth apps. People are their numeric id: a login name can be given up and taken by somebody else. The
 * callback address is the one registered with the app, so none is sent.
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export function createGitHub({ settings, addresses }: Dependencies): OAuthClient {
  return {
    async authorizationUrl({ state, codeChallenge }) {
      const url = new URL(`${addresses.site}/login/oauth/authorize`)
      url.search = new URLSearchParams({
        client_id: settings.current.GitHubClientId,
        scope: 'user:email',
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }).toString()
      return url
    },
    async identify({ code, codeVerifier }) {
      const { GitHubClientId, GitHubClientSecret } = settings.current
      const token = await redeemCode({
        url: `${addresses.site}/login/oauth/access_token`,
        clientId: GitHubClientId,
        clientSecret: GitHubClientSecret,
        authentication: 'form',
        code,
        codeVerifier,
      })
      const [{ id, name, login }, email] = await Promise.all([
        fetchAsUser(token, `${addresses.api}/user`, user),
        verifiedEmail(token, addresses),
      ])
      return {
        provider: 'github',
        subject: String(id),
        issuers: [],
        displayName: name || login || 'GitHub User',
        preferredUsername: '',
        email,
      }
    },
  }
}

/** The primary address when it is verified. Empty too when the person did not let us see it. */
async function verifiedEmail(token: string, { api }: GitHubAddresses): Promise<string> {
  const known = await fetchAsUser(token, `${api}/user/emails`, emails).catch(() => [])
  return known.find(({ primary, verified }) => primary && verified)?.email ?? ''
}
