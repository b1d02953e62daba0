import { createServer } from 'node:http'
// @ts-expect-error: the package has no types
import Provider from 'oidc-provider'
import { freePort } from '../network/free-port.ts'

/** A person of the provider. They may log in with any password. */
export interface OidcPerson {
  readonly sub: string
  readonly preferred_username: string
  readonly name: string
  readonly email: string
  readonly email_verified: boolean
}

/** A certified OpenID provider of the tests' own, on loopback. */
export interface OidcProvider {
  readonly issuer: string
  readonly wellKnown: string
  /** Wherever a person is sent, with which parameters. */
  readonly authorizations: readonly URLSearchParams[]
  stop(): Promise<void>
}

export const oidcClient = { id: 'tollgate', secret: 'a-client-secret-of-the-tests' } as const

/** Knows one client, which has to use PKCE, and has pages for login and consent. */
export async function startOidcProvider(
  redirectUri: string,
  people: readonly OidcPerson[],
): Promise<OidcProvider> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: oidcClient.id,
        client_secret: oidcClient.secret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    cookies: { keys: ['a key of the tests'] },
    findAccount: (_: unknown, sub: string) => {
      const person = people.find((one) => one.sub === sub)
      return person && { accountId: sub, claims: async () => person }
    },
  })
  const authorizations: URLSearchParams[] = []
  const handle = provider.callback()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/auth') authorizations.push(url.searchParams)
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    issuer,
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    authorizations,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
