import { afterAll, describe, expect, it } from 'bun:test'
import { createSignIn } from '../../../accounts/users/login/identity-providers/sign-in.ts'
import { refusePrivilegedLookalike } from '../../../accounts/users/privileged-names.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { type ConsoleFixture, consoleFixture } from '../test-support/console-fixture.ts'

afterAll(closeTestStores)

const password = 'correct horse'
/** Names that people take for `root`, and for the administrator `Mallory`. */
const lookalikes = [
  'Root',
  'ROOT',
  'ｒｏｏｔ',
  'rооt',
  'гооt',
  'r00t',
  'mallory',
  'MALLORY',
  'Mаllory',
  'Ma11ory',
  'MaIIory',
]

interface Site extends ConsoleFixture {
  readonly ann: { readonly id: number }
  readonly asRoot: Record<string, string>
  readonly asAnn: Record<string, string>
}

/** Every way to a name: what it answers, and whose name it would be. */
const doors: Readonly<Record<string, (site: Site, username: string) => Promise<string | undefined>>> = {
  registration: async ({ send }, username) =>
    (await send('POST', '/api/user/register', { body: { username, password } })).envelope.code,
  'an account by an administrator': async ({ send, asRoot }, username) =>
    (await send('POST', '/api/user/', { headers: asRoot, body: { username, password } })).envelope.code,
  'a new name by an administrator': async ({ send, asRoot, ann }, username) =>
    (await send('PUT', '/api/user/', { headers: asRoot, body: { id: ann.id, username } })).envelope.code,
  "a new name of one's own": async ({ send, asAnn }, username) =>
    (await send('PUT', '/api/user/self', { headers: asAnn, body: { username } })).envelope.code,
}

async function site(): Promise<Site> {
  const fixture = await consoleFixture({ ownStore: true })
  const root = await fixture.createUser({ username: 'root', role: 'root' })
  await fixture.createUser({ username: 'Mallory', role: 'admin' })
  const ann = await fixture.createUser({ username: 'ann' })
  const asRoot = await fixture.loggedIn(root)
  return { ...fixture, ann, asRoot, asAnn: await fixture.loggedIn(ann) }
}

describe('a name that looks like that of an administrator', () => {
  for (const [door, name] of Object.entries(doors))
    it(`is refused to ${door}`, async () => {
      const at = await site()
      for (const username of lookalikes)
        expect([username, await name(at, username)]).toEqual([username, 'username_like_administrator'])
      expect(await name(at, 'root')).toBe('username_taken')
      expect(await name(at, 'Mallory')).toBe('username_taken')
      expect((await at.store.users.listPrivileged()).map(({ username }) => username)).toEqual([
        'root',
        'Mallory',
      ])
      expect(await name(at, 'rooter')).toBeUndefined()
    })

  it('is not taken over from a provider, whose user gets another one', async () => {
    const { store, settings } = await site()
    const opened: string[] = []
    const signIn = createSignIn({
      store,
      settings,
      credentials: {
        writeOwn: async () => {
          throw new Error('nobody is logged in')
        },
      },
      knownIdentities: { note: async () => true },
      createAccount: async (account) => {
        await refusePrivilegedLookalike(store, { role: 'common', ...account })
        opened.push(account.username)
        return { id: 1, deletedAt: null, status: 'enabled', ...account } as never
      },
      openLogin: async () => ({ challenge: '' }),
    })
    const identity = { provider: 'oidc', subject: 's', issuers: ['i'], displayName: 'R', email: '' } as const
    await signIn.signIn({ ...identity, preferredUsername: 'Root' }, '', { sessionId: undefined } as never)
    expect(opened).toHaveLength(1)
    expect(opened[0]).toMatch(/^Root_\w{4}$/)
  })

  it('may be an administrator’s own, and root’s own', async () => {
    const { send, asRoot, store } = await site()
    const mallory = await store.users.findByLogin('Mallory')
    const body = { id: mallory?.id, username: 'MALLORY' }
    expect((await send('PUT', '/api/user/', { headers: asRoot, body })).envelope.success).toBe(true)
    const own = await send('PUT', '/api/user/self', { headers: asRoot, body: { username: 'Root' } })
    expect(own.envelope.success).toBe(true)
    const taken = await send('POST', '/api/user/', { headers: asRoot, body: { username: 'root', password } })
    expect(taken.envelope.code).toBe('username_like_administrator')
  })
})
