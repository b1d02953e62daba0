import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'bun:test'
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Settings } from '../../../../settings/settings.ts'
import { settingsInMemory } from '../../../../settings/test-support/settings-in-memory.ts'
import { createOidc } from './oidc.ts'
import type { OAuthClient, OAuthCodeExchange } from './providers.ts'
import { type ProviderServer, startProviderServer } from './test-support/provider-server.ts'

const [keys, strangersKeys] = [newKeys(), newKeys()]
let provider: ProviderServer
let client: OAuthClient
let settings: Settings
/** The provider's responses; each test changes the part that it is about. */
let claims: Record<string, unknown>
let reported: Record<string, unknown>
let signedWith: KeyObject
let tokenResponse: ((idToken: string) => object) | undefined

/** Each claim about an address, and whether it proves the address; the option decides where a claim is absent. */
const vouched: readonly (readonly [email_verified: unknown, xms_edov: unknown, proves?: boolean])[] = [
  ...[true, 'true'].map((says) => [says, false, true] as const),
  ...[false, 'false', 'no', 1, ''].map((says) => [says, true, false] as const),
  ...[true, 'true', 1, '1'].map((says) => [undefined, says, true] as const),
  ...[false, 'false', 0, '0'].map((says) => [null, says, false] as const),
  [undefined, undefined],
  [null, null],
]

function newKeys() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function idToken(): string {
  const text = `${part({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${part(claims)}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(signedWith, 'base64url')}`
}

beforeAll(async () => {
  provider = startProviderServer({
    '/.well-known/openid-configuration': () => ({
      issuer: provider.url,
      authorization_endpoint: `${provider.url}/authorize`,
      token_endpoint: `${provider.url}/token`,
      userinfo_endpoint: `${provider.url}/userinfo`,
      jwks_uri: `${provider.url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    }),
    '/jwks': () => ({
      keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
    }),
    '/token': () => {
      const standard = { access_token: 'access', token_type: 'Bearer', id_token: idToken() }
      return tokenResponse?.(standard.id_token) ?? standard
    },
    '/userinfo': () => reported,
  })
  settings = await settingsInMemory({
    'oidc.client_id': 'tollgate',
    'oidc.well_known': `${provider.url}/.well-known/openid-configuration`,
    'oidc.enabled': 'true',
  })
  await settings.set('oidc.client_secret', 'oidc-secret')
  client = createOidc(settings)
})
afterAll(() => provider.stop())

beforeEach(() => {
  const now = Math.floor(Date.now() / 1000)
  claims = {
    iss: provider.url,
    aud: 'tollgate',
    sub: 'subject',
    nonce: 'the-nonce',
    iat: now,
    exp: now + 300,
    preferred_username: 'ann',
  }
  reported = { sub: 'subject', email: 'ann@example.com', email_verified: true, name: 'Ann' }
  signedWith = keys.privateKey
  tokenResponse = undefined
})

function identify(change: Partial<OAuthCodeExchange> = {}) {
  return client.identify({
    code: 'good',
    redirectUri: 'https://console.example/oauth/oidc',
    codeVerifier: 'v'.repeat(64),
    nonce: 'the-nonce',
    issuer: undefined,
    ...change,
  })
}

const refused = (change: Partial<OAuthCodeExchange> = {}) =>
  identify(change).then(
    () => 'accepted',
    () => 'refused',
  )

describe('a provider with a discovery document', () => {
  it('identifies a person by an id token that it signed and by its user-info address', async () => {
    expect(await identify()).toEqual({
      provider: 'oidc',
      subject: 'subject',
      issuers: [provider.url, `${provider.url}/.well-known/openid-configuration`, `${provider.url}/userinfo`],
      displayName: 'Ann',
      preferredUsername: 'ann',
      email: 'ann@example.com',
    })
    const requested = provider.last('/token')
    expect(Object.fromEntries(requested?.form ?? [])).toMatchObject({
      code: 'good',
      code_verifier: 'v'.repeat(64),
      redirect_uri: 'https://console.example/oauth/oidc',
      client_id: 'tollgate',
      client_secret: 'oidc-secret',
    })
    expect(provider.last('/userinfo')?.headers.get('authorization')).toBe('Bearer access')
  })

  it('loads its document once, however many sign in', async () => {
    await Promise.all([identify(), identify(), identify()])
    const described = provider.seen.filter(({ path }) => path.startsWith('/.well-known'))
    expect(described).toHaveLength(1)
  })

  it('is refused when the token is invalid', async () => {
    const wrong: Record<string, () => void> = {
      'signed by somebody else': () => {
        signedWith = strangersKeys.privateKey
      },
      'for another client': () => {
        claims['aud'] = 'another'
      },
      'of another issuer': () => {
        claims['iss'] = 'https://elsewhere.example'
      },
      expired: () => {
        claims['exp'] = 1000
      },
      'of another login': () => {
        claims['nonce'] = 'another'
      },
      'without a nonce': () => {
        delete claims['nonce']
      },
      'not there': () => {
        tokenResponse = () => ({ access_token: 'access', token_type: 'Bearer' })
      },
      unsigned: () => {
        tokenResponse = () => ({
          access_token: 'access',
          token_type: 'Bearer',
          id_token: `${part({ alg: 'none' })}.${part(claims)}.`,
        })
      },
      'about somebody else than the user info': () => {
        reported['sub'] = 'another'
      },
    }
    const right = { ...claims }
    for (const [what, change] of Object.entries(wrong)) {
      claims = { ...right }
      reported['sub'] = 'subject'
      signedWith = keys.privateKey
      tokenResponse = undefined
      change()
      expect([what, await refused()]).toEqual([what, 'refused'])
    }
  })

  it('is refused when the response names another issuer', async () => {
    expect(await refused({ issuer: 'https://elsewhere.example' })).toBe('refused')
    expect(await refused({ issuer: provider.url })).toBe('accepted')
  })

  it('must return the nonce only in flows that sent one', async () => {
    delete claims['nonce']
    expect(await refused({ nonce: undefined, codeVerifier: undefined })).toBe('accepted')
    expect(provider.last('/token')?.form.has('code_verifier')).toBe(false)
  })

  it.each(['discovered', 'three addresses'])('proves the address that it vouches for, %s', async (by) => {
    const wellKnown = settings.current['oidc.well_known']
    for (const path of ['token', 'user_info'] as const)
      await settings.set(`oidc.${path}_endpoint`, `${provider.url}/${path.replace('_', '')}`)
    if (by === 'three addresses') await settings.set('oidc.well_known', '')
    const proven = async (claims: object) => {
      Object.assign(reported, claims)
      return (await identify()).email !== ''
    }
    for (const trusted of [true, false]) {
      await settings.set('oidc.email_trust_enabled', String(trusted))
      for (const [email_verified, xms_edov, yes = trusted] of vouched)
        expect([email_verified, xms_edov, await proven({ email_verified, xms_edov })]).toEqual([
          email_verified,
          xms_edov,
          yes,
        ])
    }
    await settings.set('oidc.well_known', wellKnown)
  })

  it('gives an address in the form in which accounts have theirs, and none that no mail reaches', async () => {
    const forms = [
      ['Ann@Example.COM', 'Ann@example.com'],
      [' ann@bücher.example ', 'ann@xn--bcher-kva.example'],
      ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
      ['ann@例子.中国', 'ann@xn--fsqu00a.xn--fiqs8s'],
      ['ann@example.com,bob@example.com', ''],
      ['Ann <ann@example.com>', ''],
      ['ann', ''],
    ] as const
    for (const [email, address] of forms) {
      reported['email'] = email
      expect((await identify()).email, email).toBe(address)
    }
  })

  it('may send at most half a megabyte', async () => {
    reported['name'] = 'x'.repeat(600_000)
    expect(await refused()).toBe('refused')
  })
})
