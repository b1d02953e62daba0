import { createHash, createHmac } from 'node:crypto'
import type { Envelope } from '@tollgate/api'
import { Secret, TOTP } from 'otpauth'
import { quickPasswords } from '../../../accounts/users/test-support/quick-passwords.ts'
import { createSoftwareAuthenticator } from '../../../accounts/users/test-support/software-authenticator.ts'
import type { User } from '../../../store/accounts/users.ts'
import { unique } from '../../../store/contract/samples.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type ConsoleFixture, consoleFixture } from './console-fixture.ts'

const botToken = '123456:a-bot-token'
const page = { origin: 'https://console.example', rpId: 'console.example' }
const password = 'the old password'

/** A console with all roads open. */
export async function roadFixture(): Promise<ConsoleFixture> {
  const settings = { TelegramOAuthEnabled: 'true', ServerAddress: page.origin }
  const fixture = await consoleFixture({ settings })
  await fixture.settings.set('TelegramBotToken', botToken)
  return fixture
}

/** A user with two browsers that are logged in, one that is not, and everything by which an account can be opened. */
export async function openScene(fixture: ConsoleFixture, { hash, hasFactor }: RoadNeeds = {}) {
  const { store, users, time } = fixture
  const admin = await fixture.createUser({ username: unique('root'), role: 'root' })
  const ann = await fixture.createUser({
    username: unique('ann'),
    email: `${unique('ann')}@example.com`,
    telegramId: unique('77').replace(/\D/g, ''),
    passwordHash: await (hash ?? quickPasswords.hash)(password),
  })
  const loggedIn = async (user: User) => {
    const browser = openBrowser(fixture)
    browser.userId = user.id
    browser.cookies.set('__Host-session', await fixture.sessionOf(user))
    return browser
  }
  const [here, elsewhere, root] = [await loggedIn(ann), await loggedIn(ann), await loggedIn(admin)]
  const device = createSoftwareAuthenticator()
  const secret = hasFactor ? await enableFactor(elsewhere, time) : ''
  const sent = async (browser: TestBrowser, method: string, path: string, body?: unknown) =>
    (await browser.send(method, path, body)).envelope
  const scene = {
    ...fixture,
    ann,
    here,
    elsewhere,
    root,
    newcomer: openBrowser(fixture),
    device,
    sent,
    code: () => codeOf(secret, time.ms),
    async credential(browser: TestBrowser, path: string, kind: 'create' | 'get') {
      const { challenge } = (await sent(browser, 'POST', path)).data as { challenge: string }
      return device[kind]({ challenge, ...page })
    },
    telegram: (id: string) => signedByTelegram({ id, auth_date: String(Math.floor(time.ms / 1000)) }),
    /** The token of the last mailed link. */
    async resetToken() {
      await users.passwordReset.request(ann.email, 'en')
      for (let turn = 0; turn < 200 && !fixture.mails.some(({ to }) => to === ann.email); turn += 1)
        await Bun.sleep(1)
      const text = JSON.stringify(fixture.mails.findLast(({ to }) => to === ann.email))
      return /token=([\w-]+)/.exec(text)?.[1] ?? ''
    },
    stored: async () => (await store.users.find(ann.id)) ?? ann,
  }
  return scene
}

/** Needs of a road on the user. */
export interface RoadNeeds {
  /** The kind of the stored hash; today's by default. */
  readonly hash?: (password: string) => Promise<string>
  readonly hasFactor?: boolean
}

export type Scene = Awaited<ReturnType<typeof openScene>>

/** A way to open an account, or to change how it is opened: everything up to the call, and the call. */
interface Road extends RoadNeeds {
  readonly prepare: (scene: Scene) => Promise<() => Promise<Envelope>>
}

/** The road of a call whose body is ready beforehand. */
function call(
  browser: 'here' | 'newcomer',
  method: string,
  path: string | ((scene: Scene) => string),
  body: (scene: Scene) => unknown = () => ({}),
  needs: RoadNeeds = {},
): Road {
  return {
    ...needs,
    async prepare(scene) {
      const ready = await body(scene)
      const target = typeof path === 'string' ? path : path(scene)
      return () => scene.sent(scene[browser], method, target, ready)
    },
  }
}

const factor = { hasFactor: true } as const
const newPassword = 'another password'

/** Log-ins: what they open is a session. */
export const logIns: Readonly<Record<string, Road>> = {
  'by password': call('newcomer', 'POST', '/api/user/login', ({ ann }) => ({
    username: ann.username,
    password,
  })),
  'by the password of an imported account': call(
    'newcomer',
    'POST',
    '/api/user/login',
    ({ ann }) => ({ username: ann.username, password }),
    { hash: (text) => Bun.password.hash(text, { algorithm: 'bcrypt', cost: 4 }) },
  ),
  'by the second step': {
    ...factor,
    async prepare({ sent, newcomer, ann, code, time }) {
      await sent(newcomer, 'POST', '/api/user/login', { username: ann.username, password })
      time.ms += 30_000
      return () => sent(newcomer, 'POST', '/api/user/login/2fa', { code: code() })
    },
  },
  'by passkey': {
    async prepare(scene) {
      await registerPasskey(scene)
      const options = '/api/user/login/passkey/options'
      const credential = await scene.credential(scene.newcomer, options, 'get')
      return () => scene.sent(scene.newcomer, 'POST', '/api/user/login/passkey', { credential })
    },
  },
  'by Telegram': call('newcomer', 'POST', '/api/oauth/telegram/login', ({ telegram, ann }) =>
    telegram(ann.telegramId),
  ),
}

/** Writes that change how an account is opened. */
export const credentialWrites: Readonly<Record<string, Road>> = {
  'a mailed link': call('newcomer', 'POST', '/api/user/reset', async ({ ann, resetToken }) => ({
    email: ann.email,
    token: await resetToken(),
    password: newPassword,
  })),
  'a proof by password': call('here', 'POST', '/api/user/self/proof/password', () => ({ password })),
  'a proof by code': call(
    'here',
    'POST',
    '/api/user/self/proof/code',
    ({ time, code }) => {
      time.ms += 30_000
      return { code: code() }
    },
    factor,
  ),
  'a proof by passkey': {
    async prepare(scene) {
      await registerPasskey(scene)
      const options = '/api/user/self/proof/passkey/options'
      const credential = await scene.credential(scene.here, options, 'get')
      return () => scene.sent(scene.here, 'POST', '/api/user/self/proof/passkey', { credential })
    },
  },
  'a proof by Telegram': call('here', 'POST', '/api/user/self/proof/telegram', ({ telegram, ann }) =>
    telegram(ann.telegramId),
  ),
  'a system token': call('here', 'POST', '/api/user/token'),
  'an access token': call('here', 'POST', '/api/user/self/access_tokens', () => ({ name: 'laptop' })),
  'a second factor, begun': call('here', 'POST', '/api/user/self/2fa/begin'),
  'a second factor, confirmed': {
    async prepare({ sent, here, time }) {
      const { data } = await sent(here, 'POST', '/api/user/self/2fa/begin')
      const { secret } = data as { secret: string }
      return () => sent(here, 'POST', '/api/user/self/2fa/confirm', { code: codeOf(secret, time.ms) })
    },
  },
  'no second factor': call('here', 'POST', '/api/user/self/2fa/disable', nextCode, factor),
  'recovery codes': call('here', 'POST', '/api/user/self/2fa/recovery_codes', nextCode, factor),
  'a passkey': {
    async prepare(scene) {
      const credential = await scene.credential(scene.here, '/api/user/self/passkeys/options', 'create')
      return () => scene.sent(scene.here, 'POST', '/api/user/self/passkeys', { credential })
    },
  },
  'an identity': call('here', 'POST', '/api/oauth/telegram/bind', ({ telegram }) =>
    telegram(unique('88').replace(/\D/g, '')),
  ),
  'an address': {
    async prepare({ sent, here, users, ann }) {
      const email = `${unique('new')}@example.com`
      const code = await users.emailCodes.issue({ email, userId: ann.id })
      return () => sent(here, 'POST', '/api/oauth/email/bind', { email, code })
    },
  },
  'a password by the old one': call('here', 'PUT', '/api/user/self', () => ({
    password: newPassword,
    original_password: password,
  })),
  'a password by a recent proof': call('here', 'PUT', '/api/user/self', () => ({ password: newPassword })),
  'no account any more': call('here', 'DELETE', '/api/user/self'),
}

/** Ways in that are taken away: they open nothing, and need a session that goes on. */
export const withdrawals: Readonly<Record<string, Road>> = {
  'a passkey': {
    async prepare(scene) {
      const { id } = await registerPasskey(scene)
      return () => scene.sent(scene.here, 'DELETE', `/api/user/self/passkeys/${id}`)
    },
  },
  'an identity': call('here', 'DELETE', '/api/user/self/binding/telegram'),
}

/** Changes that end the proofs and log-ins in flight. */
export const meanwhile: Readonly<Record<string, (scene: Scene) => Promise<Envelope>>> = {
  'a new password': ({ sent, elsewhere }) =>
    sent(elsewhere, 'PUT', '/api/user/self', { password: 'the new password' }),
  'an administrator’s password': ({ sent, root, ann }) =>
    sent(root, 'PUT', '/api/user/', { id: ann.id, password: 'the new password' }),
  'a ban': ({ sent, root, ann }) => sent(root, 'POST', '/api/user/manage', { id: ann.id, action: 'disable' }),
  async 'a ban and its end'({ sent, root, ann }) {
    await sent(root, 'POST', '/api/user/manage', { id: ann.id, action: 'disable' })
    return sent(root, 'POST', '/api/user/manage', { id: ann.id, action: 'enable' })
  },
  'the end of other sessions': ({ sent, elsewhere }) => sent(elsewhere, 'DELETE', '/api/user/self/sessions'),
  async 'another second factor'({ sent, root, elsewhere, ann, store, time }) {
    if ((await store.secondFactors.find(ann.id)) !== undefined)
      return sent(root, 'DELETE', `/api/user/${ann.id}/2fa`)
    await enableFactor(elsewhere, time)
    return { success: true, message: '' }
  },
  'a closed account': ({ sent, elsewhere }) => sent(elsewhere, 'DELETE', '/api/user/self'),
}

function nextCode({ time, code }: Scene) {
  time.ms += 30_000
  return { code: code() }
}

async function enableFactor(browser: TestBrowser, time: { ms: number }): Promise<string> {
  const begun = await browser.send('POST', '/api/user/self/2fa/begin')
  const { secret } = begun.envelope.data as { secret: string }
  await browser.send('POST', '/api/user/self/2fa/confirm', { code: codeOf(secret, time.ms) })
  return secret
}

function codeOf(secret: string, timestamp: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

async function registerPasskey(scene: Scene): Promise<{ readonly id: number }> {
  const credential = await scene.credential(scene.here, '/api/user/self/passkeys/options', 'create')
  const { data } = await scene.sent(scene.here, 'POST', '/api/user/self/passkeys', { credential })
  return data as { id: number }
}

/** https://core.telegram.org/widgets/login#checking-authorization */
function signedByTelegram(fields: Readonly<Record<string, string>>) {
  const text = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('\n')
  const key = createHash('sha256').update(botToken).digest()
  return { ...fields, hash: createHmac('sha256', key).update(text).digest('hex') }
}
