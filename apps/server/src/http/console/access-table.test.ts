import { afterAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { type Role, roles } from '@tollgate/api'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { closeTestStores } from '../../accounts/users/test-support/test-store.ts'
import type { ConsoleRoute } from './route.ts'
import { accessFindings, allCalls, type Visitor, type Walk } from './test-support/access-walk.ts'
import { consoleFixture } from './test-support/console-fixture.ts'
import { kindCall, kindRoutes, signed, standIn } from './test-support/kind-routes.ts'

// Thousands of calls, beside other files on the same cores.
setDefaultTimeout(deadline(30_000))

afterAll(closeTestStores)

/** Calls that this folder serves with what the fixture builds; the whole server is walked where it is composed. */
async function consoleWith(others: (served: ReadonlySet<unknown>) => ConsoleRoute[]) {
  const { routes } = await consoleFixture()
  return consoleFixture({ routes: others(new Set(routes.map(({ call }) => call))) })
}

async function walkOf(fixture: Awaited<ReturnType<typeof consoleFixture>>): Promise<Walk> {
  // Each call has a user of its own, because one call deletes its caller.
  const someone = async (role: Role) => fixture.loggedIn(await fixture.createUser({ role }))
  const key = await fixture.createKey(await fixture.createUser())
  const proofs: Readonly<Record<Visitor, () => Promise<Record<string, string>>>> = {
    anonymous: async () => ({}),
    common: () => someone('common'),
    admin: () => someone('admin'),
    root: () => someone('root'),
    'wrong-signature': async () => signed('something else'),
    signature: async () => signed(''),
    'wrong-relay-key': async () => ({ authorization: `Bearer sk-${'z'.repeat(48)}` }),
    'relay-key': async () => ({ authorization: `Bearer ${key}` }),
  }
  return { send: fixture.send, headersOf: (visitor) => proofs[visitor]() }
}

describe('the access table', () => {
  it('holds for every call of the contract and every kind of visitor', async () => {
    const fixture = await consoleWith((served) => allCalls.filter((call) => !served.has(call)).map(standIn))
    expect(await accessFindings(await walkOf(fixture))).toEqual([])
  })

  it('holds for every kind of response under every access word', async () => {
    const fixture = await consoleFixture({ routes: kindRoutes })
    const kinds = kindRoutes.map(({ call }) => call)
    expect(kinds).toHaveLength(42)
    expect(await accessFindings(await walkOf(fixture), kinds)).toEqual([])
  })

  it('is found broken when a call is open to more than it says', async () => {
    const wide = kindRoutes.map((each) => ({ ...each, verify: () => true }))
    const fixture = await consoleFixture({ routes: wide.filter(({ call }) => call.access === 'signature') })
    const found = await accessFindings(await walkOf(fixture), [kindCall('signature', 'text')])
    expect(found).toContain('GET /api/kind/signature/text as root: admitted instead of not-identified')
  })

  it('is found broken when a call is not mounted', async () => {
    const missing = allCalls.find(({ path }) => path === '/api/option/')
    const fixture = await consoleWith((served) =>
      allCalls.filter((call) => !served.has(call) && call !== missing).map(standIn),
    )
    expect(await accessFindings(await walkOf(fixture))).toContain(
      'GET /api/option/ as root: not-mounted instead of admitted',
    )
  })

  it('refuses every guarded call whose user header is missing or names another user', async () => {
    const fixture = await consoleWith((served) => allCalls.filter((call) => !served.has(call)).map(standIn))
    const root = await fixture.createUser({ role: 'root' })
    const { cookie = '' } = await fixture.loggedIn(root)
    for (const { method, path, cookieOnly } of allCalls.filter(({ access }) => access !== 'public')) {
      const target = path.replace(/:\w+/g, '1')
      const foreign = { cookie, 'new-api-user': String(root.id + 1) }
      for (const headers of cookieOnly ? [foreign] : [{ cookie }, foreign]) {
        expect((await fixture.send(method, target, { headers })).status).toBe(401)
      }
    }
  })

  it('refuses other sites where the session cookie alone says who calls', async () => {
    const fixture = await consoleWith((served) => allCalls.filter((call) => !served.has(call)).map(standIn))
    const { cookie = '' } = await fixture.loggedIn(await fixture.createUser({ role: 'root' }))
    for (const { method, path } of allCalls.filter(({ cookieOnly }) => cookieOnly)) {
      const headers = { cookie, 'sec-fetch-site': 'cross-site' }
      const response = await fixture.raw(method, path, { headers })
      expect(await response.text()).toContain('Another site started')
    }
  })

  it('counts every call that tests a secret as critical', () => {
    const critical = allCalls.filter((call) => call.critical).map(({ method, path }) => `${method} ${path}`)
    const byOthers = ['email/bind', 'github', 'linuxdo', 'oidc', 'telegram/bind', 'telegram/login']
    expect(new Set(critical)).toEqual(
      new Set([
        'GET /api/charge/:token',
        'GET /api/reset_password',
        'GET /api/verification',
        'POST /api/setup',
        'POST /api/user/register',
        'POST /api/user/reset',
        'POST /api/user/topup',
        'POST /api/key/find',
        'POST /api/token/find',
        'POST /api/invitation/look',
        'POST /api/invitation/accept',
        'PUT /api/user/self',
        'POST /api/user/login',
        'POST /api/user/login/2fa',
        'POST /api/user/login/passkey',
        'POST /api/user/self/2fa/confirm',
        'POST /api/user/self/2fa/disable',
        'POST /api/user/self/2fa/recovery_codes',
        'POST /api/user/self/passkeys',
        ...['code', 'passkey', 'password', 'telegram', 'wechat'].map(
          (way) => `POST /api/user/self/proof/${way}`,
        ),
        'POST /api/oauth/:provider/proof',
        ...[...byOthers, 'wechat', 'wechat/bind'].flatMap((each) => [
          `GET /api/oauth/${each}`,
          `POST /api/oauth/${each}`,
        ]),
      ]),
    )
  })

  it('knows no other roles than those of the guard', () => {
    expect(Object.keys(roles)).toEqual(['common', 'admin', 'root'])
  })
})
