import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import type { SettingKey } from '@tollgate/api/settings'
import {
  type ProviderServer,
  type SeenRequest,
  startProviderServer,
} from '../../../accounts/users/login/identity-providers/test-support/provider-server.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { withAccount } from '../../../store/contract/samples.ts'
import type { Store } from '../../../store/store.ts'
import { openBrowser, type TestBrowser } from '../test-support/browser.ts'
import { consoleFixture, type FixtureOptions } from '../test-support/console-fixture.ts'

/** People as the providers know them; each test sets them anew. */
const github = { id: 4711, login: 'octo', name: 'Octo Cat', emails: [] as unknown[] }
const linuxDo = { id: 99, username: 'neo', name: 'Neo' }
const oidcPerson = { sub: 'subject-1', preferred_username: 'ann lee', email: 'ann@example.com' }
const botToken = '123456:a-bot-token'

let provider: ProviderServer
let challenge: string | undefined

beforeAll(() => {
  provider = startProviderServer({
    '/login/oauth/access_token': ({ form }) => tokenFor(form, 'gh-token'),
    '/user': ({ headers }) => withToken(headers, 'gh-token', github),
    '/user/emails': ({ headers }) => withToken(headers, 'gh-token', github.emails),
    '/oauth2/token': ({ form }) => tokenFor(form, 'ld-token'),
    '/api/user': ({ headers }) => withToken(headers, 'ld-token', linuxDo),
    '/api/wechat/user': ({ query, headers }) => {
      if (headers.get('authorization') !== 'wechat-token') return { success: false, message: 'no', data: '' }
      return { success: true, message: '', data: query.get('code') === 'a&b' ? 'wechat-openid-1' : '' }
    },
    '/oidc/token': ({ form }) => tokenFor(form, 'oidc-token'),
    '/oidc/userinfo': ({ headers }) => withToken(headers, 'oidc-token', oidcPerson),
    '/other/token': ({ form }) => tokenFor(form, 'other-token'),
    '/other/userinfo': ({ headers }) => withToken(headers, 'other-token', oidcPerson),
  })
})
afterAll(async () => {
  provider.stop()
  await closeTestStores()
})

/** A code is good when it is `good`, and when the verifier fits the challenge that the authorization had. */
function tokenFor(form: URLSearchParams, token: string) {
  const verifier = form.get('code_verifier')
  const provided = verifier === null ? undefined : createHash('sha256').update(verifier).digest('base64url')
  if (form.get('code') !== 'good' || provided !== challenge) return { error: 'bad_verification_code' }
  return { access_token: token, token_type: 'bearer' }
}

function withToken(headers: Headers, token: string, response: object) {
  if (headers.get('authorization') !== `Bearer ${token}`) return { status: 401, body: '{}' }
  return response
}

const secrets = {
  GitHubClientSecret: 'gh-secret',
  LinuxDOClientSecret: 'ld-secret',
  WeChatServerToken: 'wechat-token',
  TelegramBotToken: botToken,
  'oidc.client_secret': 'oidc-secret',
} as const satisfies Partial<Record<SettingKey, string>>

async function site(
  settings: Readonly<Record<string, string>> = {},
  limits: NonNullable<FixtureOptions['limits']> = {},
) {
  const fixture = await consoleFixture({
    ownStore: true,
    limits,
    addresses: { github: { site: provider.url, api: provider.url }, linuxDo: provider.url },
    settings: {
      GitHubClientId: 'gh-client',
      GitHubOAuthEnabled: 'true',
      LinuxDOClientId: 'ld-client',
      LinuxDOOAuthEnabled: 'true',
      WeChatServerAddress: provider.url,
      WeChatAuthEnabled: 'true',
      TelegramOAuthEnabled: 'true',
      'oidc.client_id': 'oidc-client',
      'oidc.authorization_endpoint': `${provider.url}/oidc/authorize`,
      'oidc.token_endpoint': `${provider.url}/oidc/token`,
      'oidc.user_info_endpoint': `${provider.url}/oidc/userinfo`,
      'oidc.enabled': 'true',
      ServerAddress: 'https://console.example',
      ...settings,
    },
  })
  for (const [key, value] of Object.entries(secrets)) await fixture.settings.set(key as SettingKey, value)
  challenge = undefined
  Object.assign(github, { id: 4711, login: 'octo', name: 'Octo Cat', emails: [] })
  return { ...fixture, browser: () => openBrowser(fixture) }
}

type Site = Awaited<ReturnType<typeof site>>

async function stateOf(browser: TestBrowser, query = ''): Promise<string> {
  return (await browser.send('GET', `/api/oauth/state${query}`)).envelope.data as string
}

/** Returns to the callback page, as a browser does. */
async function comeBack(browser: TestBrowser, name: string, state: string, code = 'good') {
  return browser.send('GET', `/api/oauth/${name}?code=${code}&state=${state}`)
}

async function throughGitHub(browser: TestBrowser, query = '') {
  const response = await comeBack(browser, 'github', await stateOf(browser, query))
  const { id } = (response.envelope.data ?? {}) as { id?: number }
  if (id !== undefined) browser.userId = id
  return response
}

async function userOf({ store }: { store: Store }, response: { envelope: { data?: unknown } }) {
  const user = await store.users.find((response.envelope.data as { id: number }).id)
  if (user === undefined) throw new Error('nobody was logged in')
  return user
}

describe('sign-in through GitHub', () => {
  it('opens an account by the numeric id, and finds it again whatever the login name is now', async () => {
    const here = await site({ QuotaForNewUser: '500' })
    const first = await throughGitHub(here.browser())
    const user = await userOf(here, first)
    expect(user).toMatchObject({ githubId: '4711', displayName: 'Octo Cat', email: '', quota: 500 })
    expect(user.username).toMatch(/^github_\w{8}$/)
    github.login = 'renamed'
    expect((await userOf(here, await throughGitHub(here.browser()))).id).toBe(user.id)
    Object.assign(github, { id: 5, login: 'octo' })
    expect((await userOf(here, await throughGitHub(here.browser()))).id).not.toBe(user.id)
    const { form } = provider.last('/login/oauth/access_token') as SeenRequest
    expect(Object.fromEntries(form)).toEqual({
      grant_type: 'authorization_code',
      code: 'good',
      client_id: 'gh-client',
      client_secret: 'gh-secret',
    })
  })

  it('never takes a stored login name for the person who has it now; a bind replaces it', async () => {
    const here = await site()
    const old = await here.createUser({ githubId: 'octo' })
    const other = await userOf(here, await throughGitHub(here.browser()))
    expect(other.id).not.toBe(old.id)
    github.id = 12
    const browser = here.browser()
    browser.cookies.set('__Host-session', await here.sessionOf(old))
    const bound = await throughGitHub(browser)
    expect(bound.envelope).toEqual({ success: true, message: 'bind' })
    expect((await here.store.users.find(old.id))?.githubId).toBe('12')
  })

  it('stores an address that is primary, verified and not in use', async () => {
    const here = await site()
    github.emails = [
      { email: 'other@example.com', primary: false, verified: true },
      { email: 'octo@example.com', primary: true, verified: true },
    ]
    expect((await userOf(here, await throughGitHub(here.browser()))).email).toBe('octo@example.com')
    github.id = 2
    expect((await userOf(here, await throughGitHub(here.browser()))).email).toBe('')
    Object.assign(github, { id: 3, emails: [{ email: 'three@example.com', primary: true, verified: false }] })
    expect((await userOf(here, await throughGitHub(here.browser()))).email).toBe('')
  })

  it('rotates the session that the browser had', async () => {
    const here = await site()
    const browser = here.browser()
    browser.cookies.set('__Host-session', 'x'.repeat(43))
    await throughGitHub(browser)
    expect(browser.cookies.get('__Host-session')).not.toBe('x'.repeat(43))
    expect((await browser.send('GET', '/api/user/self')).envelope.success).toBe(true)
  })

  it('asks users with a second factor for it', async () => {
    const here = await site()
    const user = await userOf(here, await throughGitHub(here.browser()))
    await withAccount(here.store, user.id, (tx, account) =>
      tx.secondFactors.create(account, { secretSealed: 'sealed', lastStep: 0, createdAt: 0 }, []),
    )
    const browser = here.browser()
    expect((await throughGitHub(browser)).envelope.data).toEqual({ require_2fa: true })
    expect([...browser.cookies.keys()]).toEqual(['__Host-login_challenge'])
  })

  it('gives inviter and invitee their gifts', async () => {
    const here = await site({ QuotaForInviter: '30', QuotaForInvitee: '20' })
    const inviter = await here.createUser({ affCode: 'friend-1' })
    const invited = await userOf(here, await throughGitHub(here.browser(), '?aff=friend-1'))
    expect(invited).toMatchObject({ inviterId: inviter.id, quota: 20 })
    expect(await here.store.users.find(inviter.id)).toMatchObject({ affCount: 1, affQuota: 30 })
  })

  it('opens one account for a person who comes back twice at once', async () => {
    const here = await site()
    const responseBodies = await Promise.all(Array.from({ length: 5 }, () => throughGitHub(here.browser())))
    const ids = new Set(responseBodies.map(({ envelope }) => (envelope.data as { id: number }).id))
    expect(ids.size).toBe(1)
  })
})

describe('a proof by a provider', () => {
  const tenMinutes = 601_000
  const proving = (browser: TestBrowser, name: string, body: object) =>
    browser.send('POST', `/api/oauth/${name}/proof`, body)

  async function oldSession() {
    const here = await site()
    const browser = here.browser()
    const user = await userOf(here, await throughGitHub(browser))
    here.time.ms += tenMinutes
    const token = async () => (await browser.send('POST', '/api/user/token')).envelope.code ?? 'done'
    return { ...here, user, token, inBrowser: browser }
  }

  it('is that it knows the same person, and binds nothing', async () => {
    const { inBrowser: browser, token } = await oldSession()
    expect((await browser.send('GET', '/api/user/self/proof')).envelope.data).toMatchObject({
      password: false,
      providers: ['github'],
    })
    expect(await token()).toBe('recent_proof_required')
    const state = await stateOf(browser)
    expect((await proving(browser, 'github', { code: 'good', state })).envelope).toEqual({
      success: true,
      message: '',
    })
    expect(await token()).toBe('done')
  })

  it('fails when the provider names another person, and does not bind that person either', async () => {
    const { inBrowser: browser, token, user, store } = await oldSession()
    github.id = 666
    const state = await stateOf(browser)
    expect((await proving(browser, 'github', { code: 'good', state })).envelope.code).toBe(
      'identity_not_bound',
    )
    expect(await token()).toBe('recent_proof_required')
    expect((await store.users.find(user.id))?.githubId).toBe('4711')
  })

  it('is asked for before something is bound, and leaves the way back from the provider as it is', async () => {
    const { inBrowser: browser, user, store } = await oldSession()
    const state = await stateOf(browser)
    const bind = () => comeBack(browser, 'linuxdo', state)
    expect((await bind()).envelope.code).toBe('recent_proof_required')
    await proving(browser, 'github', { code: 'good', state: await stateOf(browser) })
    expect((await bind()).envelope.message).toBe('bind')
    expect((await store.users.find(user.id))?.linuxDoId).toBe('99')
  })

  it('is given by WeChat’s code and Telegram’s signature too', async () => {
    const here = await oldSession()
    const { inBrowser: browser, user, store, token, time } = here
    await store.users.update(user.id, { wechatId: 'wechat-openid-1', telegramId: '777' })
    const wechat = await browser.send('POST', '/api/user/self/proof/wechat', { code: 'a&b' })
    expect([wechat.envelope.success, await token()]).toEqual([true, 'done'])
    time.ms += tenMinutes
    const signed = Object.fromEntries(new URLSearchParams(widget(here)))
    const telegram = await browser.send('POST', '/api/user/self/proof/telegram', signed)
    expect([telegram.envelope.success, await token()]).toEqual([true, 'done'])
  })
})

describe('gifts', () => {
  const gifts = { QuotaForNewUser: '500', QuotaForInviter: '30', QuotaForInvitee: '20' }
  const aff = '?aff=friend-1'

  /** Signs in, and frees the identity again: it is replaced by a way in that nobody else has. */
  async function openAndUnbind(here: Site, round: number) {
    const browser = here.browser()
    const user = await userOf(here, await throughGitHub(browser, aff))
    await here.store.users.update(user.id, { wechatId: `wechat-${round}` })
    expect((await browser.send('DELETE', '/api/user/self/binding/github')).envelope.success).toBe(true)
    return user
  }

  it('are given once for an identity, however often it is unbound', async () => {
    const here = await site(gifts)
    const inviter = await here.createUser({ affCode: 'friend-1' })
    const opened = []
    for (let round = 0; round < 5; round += 1) opened.push(await openAndUnbind(here, round))
    expect(new Set(opened.map(({ id }) => id)).size).toBe(5)
    expect(opened.map(({ quota }) => quota)).toEqual([520, 0, 0, 0, 0])
    expect(await here.store.users.find(inviter.id)).toMatchObject({ affCount: 1, affQuota: 30 })
  })

  it('are not given for an identity that another was bound over, nor for that one', async () => {
    const here = await site(gifts)
    const browser = here.browser()
    const first = await userOf(here, await throughGitHub(browser))
    github.id = 4712
    expect((await throughGitHub(browser)).envelope.message).toBe('bind')
    github.id = 4711
    const second = await userOf(here, await throughGitHub(here.browser()))
    expect([first.quota, second.quota]).toEqual([500, 0])
    await here.store.users.update(first.id, { wechatId: 'wechat-1' })
    await browser.send('DELETE', '/api/user/self/binding/github')
    github.id = 4712
    expect((await userOf(here, await throughGitHub(here.browser()))).quota).toBe(0)
  })

  it('are given once for an inbox, also under an alias, by a provider, or when it is somebody’s', async () => {
    const here = await site({ ...gifts, EmailVerificationEnabled: 'true' })
    const register = async (username: string, email: string) => {
      const verification_code = await here.users.emailCodes.issue({ email, userId: undefined })
      const body = { username, password: 'correct horse', email, verification_code, aff_code: 'friend-1' }
      expect((await here.send('POST', '/api/user/register', { body })).envelope.success).toBe(true)
      return here.store.users.findByLogin(username)
    }
    const inviter = await here.createUser({ affCode: 'friend-1' })
    expect((await register('one', 'octo@example.com'))?.quota).toBe(520)
    expect((await register('two', 'O.cto+2@Example.com'))?.quota).toBe(0)
    github.emails = [{ email: 'octo@example.com', primary: true, verified: true }]
    const third = await userOf(here, await throughGitHub(here.browser()))
    expect([third.email, third.quota]).toEqual(['', 0])
    expect(await here.store.users.find(inviter.id)).toMatchObject({ affCount: 1, affQuota: 30 })
  })

  it('are not given for an address that was bound and taken back', async () => {
    const here = await site(gifts)
    const browser = here.browser()
    const { id: userId } = await userOf(here, await throughGitHub(browser))
    const email = 'bound@example.com'
    const code = await here.users.emailCodes.issue({ email, userId })
    await browser.send('POST', '/api/oauth/email/bind', { email, code })
    expect((await browser.send('DELETE', '/api/user/self/binding/email')).envelope.success).toBe(true)
    Object.assign(github, { id: 5, emails: [{ email, primary: true, verified: true }] })
    expect(await userOf(here, await throughGitHub(here.browser()))).toMatchObject({ email, quota: 0 })
  })

  it('are given once when accounts of one inbox open at once', async () => {
    const here = await site({ ...gifts, EmailVerificationEnabled: 'true' })
    await Promise.all(
      Array.from({ length: 6 }, async (_, each) => {
        const email = `octo+${each}@example.com`
        const verification_code = await here.users.emailCodes.issue({ email, userId: undefined })
        const body = { username: `octo-${each}`, password: 'correct horse', email, verification_code }
        return here.send('POST', '/api/user/register', { body })
      }),
    )
    const users = await here.store.users.page({}, { sort: 'id', descending: false, offset: 0, limit: 9 })
    expect(users.rows.map(({ quota }) => quota).toSorted((a, b) => b - a)).toEqual([500, 0, 0, 0, 0, 0])
  })

  it('leave nothing in the database that identifies a person', async () => {
    const here = await site(gifts)
    github.emails = [{ email: 'octo@example.com', primary: true, verified: true }]
    const noted: string[] = []
    const original = here.store.transaction
    here.store.transaction = (work) =>
      original((tx) => {
        const note = tx.knownIdentities.note
        const knownIdentities = {
          ...tx.knownIdentities,
          note: (hashes: readonly string[], at: number) => {
            noted.push(...hashes)
            return note(hashes, at)
          },
        }
        return work({ ...tx, knownIdentities })
      })
    await throughGitHub(here.browser())
    expect(noted).toHaveLength(2)
    for (const hash of noted) expect(hash).toMatch(/^[\da-f]{64}$/)
  })
})

describe('first accounts', () => {
  it('count against the limit of their address, and later sign-ins do not', async () => {
    const here = await site({}, { CRITICAL_RATE_LIMIT: 3 })
    const statuses = async (from: number) => {
      const seen: number[] = []
      for (let each = 0; each < 5; each += 1) {
        github.id = from + each
        seen.push((await throughGitHub(here.browser())).status)
      }
      return seen
    }
    expect(await statuses(1)).toEqual([200, 200, 200, 429, 429])
    here.time.ms += 3_600_000
    github.id = 1
    for (let each = 0; each < 6; each += 1) expect((await throughGitHub(here.browser())).status).toBe(200)
  })
})

describe('who may sign in', () => {
  it('is nobody who was banned or deleted, and nobody new while registration is closed', async () => {
    const here = await site()
    const user = await userOf(here, await throughGitHub(here.browser()))
    await here.store.users.update(user.id, { status: 'banned' })
    const browser = here.browser()
    expect((await throughGitHub(browser)).envelope.code).toBe('user_banned')
    await here.store.users.update(user.id, { status: 'enabled', deletedAt: 5 })
    expect((await throughGitHub(browser)).envelope.code).toBe('user_deleted')
    expect(browser.cookies.has('__Host-session')).toBe(false)
    const closed = await site({ RegisterEnabled: 'false' })
    expect((await throughGitHub(closed.browser())).envelope.code).toBe('new_users_closed')
  })

  it('is nobody through a provider that is switched off', async () => {
    const off = await site({ GitHubOAuthEnabled: 'false' })
    expect((await throughGitHub(off.browser())).envelope.code).toBe('provider_disabled')
    const { headers } = await off.browser().send('GET', '/api/oauth/github/start')
    expect(headers.get('location')).toBe('/login?error=provider_disabled')
  })

  it('is nobody new without a verified address of an admitted domain, where domains are', async () => {
    const admitting = {
      EmailDomainWhitelist: 'good.example,例子.中国',
      EmailDomainRestrictionEnabled: 'true',
    }
    const here = await site(admitting)
    const tried = async (email: string, verified = true, at = here) => {
      github.emails = [{ email, primary: true, verified }]
      return (await throughGitHub(at.browser())).envelope.code ?? 'in'
    }
    expect(await tried('octo@bad.example')).toBe('email_not_admitted')
    expect(await tried('octo@别的.中国')).toBe('email_not_admitted')
    expect(await tried('octo@good.example', false)).toBe('email_not_admitted')
    expect(await tried('octo@good.example')).toBe('in')
    expect(await tried('octo@例子.中国', true, await site(admitting))).toBe('in')
    const noAlias = await site({ EmailAliasRestrictionEnabled: 'true' })
    expect(await tried('octo+2@good.example', true, noAlias)).toBe('email_not_admitted')
  })
})

describe('the state of a flow', () => {
  it('is good once, in its browser, for ten minutes', async () => {
    const here = await site()
    const browser = here.browser()
    const state = await stateOf(browser)
    const thief = here.browser()
    const stolen = await comeBack(thief, 'github', state)
    expect([stolen.status, stolen.envelope.code]).toEqual([403, 'oauth_state_invalid'])
    expect((await comeBack(browser, 'github', state)).envelope.success).toBe(true)
    expect((await comeBack(browser, 'github', state)).status).toBe(403)
    for (const wrong of ['', 'x', 'A'.repeat(43)])
      expect((await comeBack(browser, 'github', wrong)).status).toBe(403)
    const late = await stateOf(browser)
    here.time.ms += 600_000
    expect((await comeBack(browser, 'github', late)).status).toBe(403)
  })

  it('belongs to the provider that a flow was started for', async () => {
    const here = await site()
    const browser = here.browser()
    const { headers } = await browser.send('GET', '/api/oauth/linuxdo/start')
    const state = new URL(headers.get('location') ?? '').searchParams.get('state') ?? ''
    expect((await comeBack(browser, 'github', state)).status).toBe(403)
  })

  it('is in the database as nothing that could be used', async () => {
    const here = await site()
    const browser = here.browser()
    const put: string[] = []
    const original = here.store.oneTimeSecrets.put
    here.store.oneTimeSecrets.put = (secret) => {
      put.push(JSON.stringify(secret))
      return original(secret)
    }
    const state = await stateOf(browser, '?pkce=true')
    expect(put).toHaveLength(1)
    const [cookie = ''] = browser.cookies.values()
    expect(put.join()).not.toContain(state)
    expect(put.join()).not.toContain(cookie)
  })

  it('is not given to a page of another site', async () => {
    const here = await site()
    const foreign = { 'sec-fetch-site': 'cross-site' }
    const response = await here.browser().send('GET', '/api/oauth/state', undefined, foreign)
    expect(response.envelope.code).toBe('foreign_origin')
  })

  it('has a cookie of its own that scripts cannot read, Secure behind https', async () => {
    const fixture = await consoleFixture({ trustedProxies: ['192.0.2.1'] })
    const { headers } = await fixture.send('GET', '/api/oauth/state', {
      headers: { 'x-forwarded-proto': 'https' },
    })
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-oauth_\w{16}=\w{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    )
  })
})

describe('a protected flow', () => {
  it('sends the browser to each provider with state, PKCE and nonce, and ends with the verifier', async () => {
    const here = await site()
    const started = async (browser: TestBrowser, name: string) => {
      const { status, headers } = await browser.send('GET', `/api/oauth/${name}/start`)
      expect(status).toBe(302)
      return new URL(headers.get('location') ?? '')
    }
    for (const [name, path] of [
      ['github', '/login/oauth/authorize'],
      ['linuxdo', '/oauth2/authorize'],
      ['oidc', '/oidc/authorize'],
    ] as const) {
      const browser = here.browser()
      const url = await started(browser, name)
      expect(url.origin + url.pathname).toBe(provider.url + path)
      const requested = url.searchParams
      challenge = requested.get('code_challenge') ?? undefined
      expect(requested.get('code_challenge_method')).toBe('S256')
      expect(requested.get('redirect_uri') ?? undefined).toBe(
        name === 'github' ? undefined : `https://console.example/oauth/${name}`,
      )
      const ended = await comeBack(browser, name, requested.get('state') ?? '')
      expect(ended.envelope.success).toBe(true)
    }
  })

  it('may be chosen by a page that redirects by itself', async () => {
    const here = await site()
    const browser = here.browser()
    const { envelope } = await browser.send('GET', '/api/oauth/state?pkce=true')
    expect(envelope).toMatchObject({ code_challenge_method: 'S256', nonce: expect.any(String) })
    challenge = String(envelope['code_challenge'])
    expect((await comeBack(browser, 'github', String(envelope.data))).envelope.success).toBe(true)
    // And is then not ended by a code that was asked for without it.
    const other = await browser.send('GET', '/api/oauth/state?pkce=true')
    challenge = undefined
    browser.cookies.delete('__Host-session')
    expect((await comeBack(browser, 'github', String(other.envelope.data))).envelope.code).toBe(
      'provider_refused',
    )
  })
})

describe('a provider', () => {
  it('that says no, or nothing that fits, is named with what it said', async () => {
    const here = await site()
    const browser = here.browser()
    const wrong = await comeBack(browser, 'github', await stateOf(browser), 'wrong')
    expect(wrong.envelope).toMatchObject({ success: false, code: 'provider_refused' })
    expect(wrong.envelope.message).toContain('bad_verification_code')
    const state = await stateOf(browser)
    const refused = await browser.send(
      'GET',
      `/api/oauth/linuxdo?error=access_denied&error_description=not+today&state=${state}`,
    )
    expect(refused.envelope.message).toContain('not today')
    Object.assign(github, { id: 'a text' })
    expect((await throughGitHub(browser)).envelope.code).toBe('provider_refused')
  })

  it('that cannot be reached leads to a refusal, and the response holds no secret', async () => {
    const fixture = await consoleFixture({
      addresses: {
        github: { site: 'http://127.0.0.1:9', api: 'http://127.0.0.1:9' },
        linuxDo: 'http://127.0.0.1:9',
      },
      settings: { GitHubClientId: 'id', GitHubOAuthEnabled: 'true' },
    })
    await fixture.settings.set('GitHubClientSecret', 'gh-secret')
    const { envelope } = await throughGitHub(openBrowser(fixture))
    expect(envelope.code).toBe('provider_unreachable')
    expect(JSON.stringify(envelope)).not.toContain('gh-secret')
  })
})

describe('LINUX DO', () => {
  it('is asked with HTTP Basic and the https address of the site, whatever proxy is before it', async () => {
    const here = await site()
    const browser = here.browser()
    const response = await comeBack(browser, 'linuxdo', await stateOf(browser))
    expect(await userOf(here, response)).toMatchObject({ linuxDoId: '99', displayName: 'Neo' })
    const { headers, form } = provider.last('/oauth2/token') as SeenRequest
    expect(headers.get('authorization')).toBe(`Basic ${btoa('ld-client:ld-secret')}`)
    expect(form.get('redirect_uri')).toBe('https://console.example/oauth/linuxdo')
    expect(form.has('client_secret')).toBe(false)
  })
})

describe('OIDC with three addresses and no description', () => {
  it('knows people by the user-info address, without an address that is not said to be verified', async () => {
    const here = await site()
    const browser = here.browser()
    const user = await userOf(here, await comeBack(browser, 'oidc', await stateOf(browser)))
    expect(user).toMatchObject({ oidcId: 'subject-1', email: '', displayName: 'ann lee' })
    // A space is nothing that registration takes.
    expect(user.username).toMatch(/^oidc_\w{8}$/)
  })

  it('takes its word where domains are limited when the operator trusts its addresses, and no “unverified”', async () => {
    const here = await site({
      EmailDomainWhitelist: 'example.com',
      EmailDomainRestrictionEnabled: 'true',
    })
    const enter = async (person: object = {}) => {
      Object.assign(oidcPerson, person)
      const browser = here.browser()
      return (await comeBack(browser, 'oidc', await stateOf(browser))).envelope.code ?? 'in'
    }
    expect(await enter()).toBe('email_not_admitted')
    await here.settings.set('oidc.email_trust_enabled', 'true')
    expect(await enter({ email_verified: false })).toBe('email_not_admitted')
    expect(await enter({ email_verified: undefined })).toBe('in')
  })

  it('needs the authorization address only to send the browser away', async () => {
    const here = await site()
    const browser = here.browser()
    const state = await stateOf(browser)
    await here.settings.set('oidc.authorization_endpoint', '')
    expect((await userOf(here, await comeBack(browser, 'oidc', state))).oidcId).toBe('subject-1')
  })
})

describe('OIDC of another issuer', () => {
  const addresses = (path: string) => ({
    'oidc.token_endpoint': `${provider.url}/${path}/token`,
    'oidc.user_info_endpoint': `${provider.url}/${path}/userinfo`,
  })

  it('is not believed about the people of the one before', async () => {
    const here = await site()
    const signIn = async () => {
      const browser = here.browser()
      return userOf(here, await comeBack(browser, 'oidc', await stateOf(browser)))
    }
    const first = await signIn()
    expect((await signIn()).id).toBe(first.id)
    for (const [key, value] of Object.entries(addresses('other')))
      await here.settings.set(key as SettingKey, value)
    const other = await signIn()
    expect(other.oidcId).toBe(first.oidcId)
    expect(other.id).not.toBe(first.id)
    for (const [key, value] of Object.entries(addresses('oidc')))
      await here.settings.set(key as SettingKey, value)
    expect((await signIn()).id).toBe(first.id)
  })
})

describe('WeChat', () => {
  it('logs in and binds by the code that its server knows, sent escaped', async () => {
    const here = await site()
    const browser = here.browser()
    const response = await browser.send('GET', '/api/oauth/wechat?code=a%26b')
    expect(await userOf(here, response)).toMatchObject({ wechatId: 'wechat-openid-1' })
    expect((await browser.send('POST', '/api/oauth/wechat', { code: 'old' })).envelope.code).toBe(
      'wechat_code_invalid',
    )
    const other = here.browser()
    const ann = await here.createUser()
    other.cookies.set('__Host-session', await here.sessionOf(ann))
    expect((await other.send('GET', '/api/oauth/wechat/bind?code=a%26b')).envelope.code).toBe(
      'identity_taken',
    )
    await here.store.users.update((await userOf(here, response)).id, { wechatId: '' })
    expect((await other.send('POST', '/api/oauth/wechat/bind', { code: 'a&b' })).envelope.success).toBe(true)
    expect((await here.store.users.find(ann.id))?.wechatId).toBe('wechat-openid-1')
  })
})

function widget(here: Site, fields: Readonly<Record<string, string>> = {}, token = botToken) {
  const signed: Record<string, string> = {
    id: '777',
    first_name: 'Tele',
    auth_date: String(Math.floor(here.time.ms / 1000)),
    ...fields,
  }
  const text = Object.keys(signed)
    .toSorted()
    .map((name) => `${name}=${signed[name]}`)
    .join('\n')
  const hash = createHmac('sha256', createHash('sha256').update(token).digest()).update(text).digest('hex')
  return new URLSearchParams({ ...signed, hash }).toString()
}

describe('Telegram', () => {
  it('logs in only the user it is bound to, once for each signature', async () => {
    const here = await site()
    const login = async (query: string) =>
      (await here.browser().send('GET', `/api/oauth/telegram/login?${query}`)).envelope
    expect((await login(widget(here))).code).toBe('telegram_unbound')
    const ann = await here.createUser({ telegramId: '777' })
    const signed = widget(here, { lang: 'en' })
    expect((await login(signed)).data).toMatchObject({ id: ann.id })
    expect((await login(signed)).code).toBe('telegram_invalid')
    await here.store.users.update(ann.id, { status: 'banned' })
    expect((await login(widget(here, { photo_url: 'x' }))).code).toBe('user_banned')
  })

  it('is not believed when the signature is old, from the future, of another bot, or not over all fields', async () => {
    const here = await site()
    await here.createUser({ telegramId: '777' })
    const now = Math.floor(here.time.ms / 1000)
    const wrong = [
      widget(here, { auth_date: String(now - 601) }),
      widget(here, { auth_date: String(now + 61) }),
      widget(here, { auth_date: 'soon' }),
      widget(here, {}, 'another:bot'),
      `${widget(here)}&last_name=Added`,
      widget(here).replace(/hash=.*/, 'hash=00'),
      'id=777',
    ]
    for (const query of wrong) {
      const { envelope } = await here.browser().send('GET', `/api/oauth/telegram/login?${query}`)
      expect(envelope.code).toBe('telegram_invalid')
    }
    const none = await site({ TelegramOAuthEnabled: 'true' })
    await none.settings.set('TelegramOAuthEnabled', 'false')
    const off = await none.browser().send('GET', `/api/oauth/telegram/login?${widget(none)}`)
    expect(off.envelope.code).toBe('provider_disabled')
  })

  it('is good once, whatever is appended to its hash or however that is written', async () => {
    const here = await site()
    await here.createUser({ telegramId: '777' })
    const login = async (query: string) =>
      (await here.browser().send('GET', `/api/oauth/telegram/login?${query}`)).envelope.code ?? 'in'
    const signed = widget(here)
    const inCapitals = signed.replace(/hash=.*/, (hash) => hash.toUpperCase().replace('HASH', 'hash'))
    for (const used of [inCapitals, `${signed}zz`, `${signed}0`, `${signed}%0A`])
      expect(await login(used)).toBe('telegram_invalid')
    expect(await login(signed)).toBe('in')
    for (const used of [signed, `${signed}zz`, `${signed}00`, inCapitals])
      expect(await login(used)).toBe('telegram_invalid')
  })

  it('is not believed with line ends in its fields, by which they could be cut in another way', async () => {
    const here = await site()
    await here.createUser({ telegramId: '777' })
    await here.createUser({ telegramId: '1' })
    const login = async (fields: Record<string, string>) =>
      (await here.browser().send('POST', '/api/oauth/telegram/login', fields)).envelope.code ?? 'in'
    const named = Object.fromEntries(new URLSearchParams(widget(here, { first_name: 'Tele\nid=777' })))
    // The same text, cut in another way: somebody else's id out of a name.
    const { first_name: _name, id: _id, ...rest } = named
    expect(await login({ ...rest, first_name: 'Tele', id: '777\nid=777' })).toBe('telegram_invalid')
    expect(await login(named)).toBe('telegram_invalid')
    for (const line of ['\n', '\r'])
      expect(
        await login(Object.fromEntries(new URLSearchParams(widget(here, { last_name: `A${line}B` })))),
      ).toBe('telegram_invalid')
    const inName = Object.fromEntries(new URLSearchParams(widget(here, { 'x\ny': 'z' })))
    expect(await login(inName)).toBe('telegram_invalid')
  })

  it('is bound by the user of this browser, who is sent to the settings', async () => {
    const here = await site()
    const ann = await here.createUser()
    const browser = here.browser()
    expect((await browser.send('GET', `/api/oauth/telegram/bind?${widget(here)}`)).status).toBe(401)
    browser.cookies.set('__Host-session', await here.sessionOf(ann))
    const foreign = await browser.send('GET', `/api/oauth/telegram/bind?${widget(here)}`, undefined, {
      'sec-fetch-site': 'cross-site',
    })
    expect(foreign.status).toBe(403)
    const bound = await browser.send('GET', `/api/oauth/telegram/bind?${widget(here)}`)
    expect([bound.status, bound.headers.get('location')]).toEqual([302, '/setting'])
    expect((await here.store.users.find(ann.id))?.telegramId).toBe('777')
  })
})

describe('a bind', () => {
  it('gives an identity to one user', async () => {
    const here = await site()
    await throughGitHub(here.browser())
    const ann = await here.createUser()
    const browser = here.browser()
    browser.cookies.set('__Host-session', await here.sessionOf(ann))
    expect((await throughGitHub(browser)).envelope).toMatchObject({
      success: false,
      code: 'identity_taken',
    })
    github.id = 8
    expect((await throughGitHub(browser)).envelope.message).toBe('bind')
    expect((await throughGitHub(browser)).envelope.message).toBe('bind')
    expect((await here.store.users.find(ann.id))?.githubId).toBe('8')
  })

  it('of an address needs the mailed code, five tries at most, and an address that is nobody’s', async () => {
    const here = await site()
    const ann = await here.createUser()
    const mail = (email: string) => here.users.emailCodes.issue({ email, userId: ann.id })
    const browser = here.browser()
    browser.cookies.set('__Host-session', await here.sessionOf(ann))
    const bind = async (email: string, code: string) =>
      (await browser.send('GET', `/api/oauth/email/bind?email=${encodeURIComponent(email)}&code=${code}`))
        .envelope.code ?? 'bound'
    const code = await mail('Ann@Example.com')
    expect(await bind('Ann@Example.com', 'zzzzzz')).toBe('verification_code_wrong')
    expect(await bind('Ann@Example.com', code)).toBe('bound')
    expect(await bind('Ann@Example.com', code)).toBe('verification_code_wrong')
    expect((await here.store.users.find(ann.id))?.email).toBe('Ann@example.com')
    const tried = await mail('tried@example.com')
    for (let tries = 0; tries < 5; tries += 1) await bind('tried@example.com', 'zzzzzz')
    expect(await bind('tried@example.com', tried)).toBe('verification_code_wrong')
    await here.createUser({ email: 'taken@example.com' })
    expect(await bind('TAKEN@example.com', await mail('TAKEN@example.com'))).toBe('email_taken')
  })

  it('can be taken back, unless it is the last way to sign in', async () => {
    const here = await site()
    const user = await userOf(here, await throughGitHub(here.browser()))
    const browser = here.browser()
    browser.userId = user.id
    browser.cookies.set('__Host-session', await here.sessionOf(user))
    const unbind = async (name: string) =>
      (await browser.send('DELETE', `/api/user/self/binding/${name}`)).envelope.code ?? 'done'
    expect(await unbind('github')).toBe('last_way_to_sign_in')
    expect(await unbind('oidc')).toBe('not_bound')
    expect(await unbind('nothing')).toBe('invalid_parameter')
    await here.store.users.update(user.id, { wechatId: 'wechat-1', email: 'a@b.example' })
    expect(await unbind('email')).toBe('done')
    expect(await unbind('github')).toBe('done')
    expect(await unbind('wechat')).toBe('last_way_to_sign_in')
    await here.store.users.update(user.id, { passwordHash: '$argon2id$' })
    await here.settings.set('PasswordLoginEnabled', 'false')
    expect(await unbind('wechat')).toBe('last_way_to_sign_in')
    await here.settings.set('PasswordLoginEnabled', 'true')
    expect(await unbind('wechat')).toBe('done')
  })
})
