import { z } from 'zod'
import type { SettingsReader } from '../settings/settings.ts'
import { fetchAsUser, redeemCode } from './provider-request.ts'
import type { OAuthClient } from './providers.ts'

/** Where LINUX DO Connect is. */
export const linuxDoAddress = 'https://connect.linux.do'

const user = z.object({
  id: z.number().int().positive(),
  name: z.string().nullish(),
  username: z.string().nullish(),
})

interface Dependencies {
  readonly settings: SettingsReader
  readonly address: string
}

/** LINUX DO Connect: OAuth 2 with HTTP Basic. It gives no address that could be stored. */
export function createLinuxDo({ settings, address }: Dependencies): OAuthClient {
  return {
    async authorizationUrl({ state, redirectUri, codeChallenge }) {
      const url = new URL(`${address}/oauth2/authorize`)
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: settings.current.LinuxDOClientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }).toString()
      return url
    },
    async identify({ code, redirectUri, codeVerifier }) {
      const { LinuxDOClientId, LinuxDOClientSecret } = settings.current
      const token = await redeemCode({
        url: `${address}/oauth2/token`,
        clientId: LinuxDOClientId,
        clientSecret: LinuxDOClientSecret,
        authentication: 'basic',
        code,
        redirectUri,
        codeVerifier,
      })
      const { id, name, username } = await fetchAsUser(token, `${address}/api/user`, user)
      return {
        provider: 'linuxdo',
        subject: String(id),
        issuers: [],
        displayName: name || username || 'LINUX DO User',
        preferredUsername: '',
        email: '',
      }
    },
  }
}
