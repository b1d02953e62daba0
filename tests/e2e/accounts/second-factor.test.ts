import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { deadline, slowness } from '../../../scripts/deadline/deadline.mjs'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(60_000))

let gateway: Tollgate
let root: Operator
let browser: Browser
let page: Page
/** Address as people open it: passkeys are for names, not for addresses. */
let site: string

/** A call of the console, made by the page. */
function callHere(method: string, path: string, body?: unknown) {
  return page.evaluate(
    async ([method, path, body]) => {
      const { id } = JSON.parse(localStorage.getItem('user') ?? '{}')
      const reply = await fetch(path, {
        method,
        headers: { 'New-Api-User': String(id), 'content-type': 'application/json' },
        ...(body === null ? {} : { body: JSON.stringify(body) }),
      })
      return await reply.json()
    },
    [method, path, body ?? null] as const,
  )
}

/** Runs in the page: has the device make a passkey for the person who is logged in. */
async function makePasskey(name: string) {
  const { id } = JSON.parse(localStorage.getItem('user') ?? '{}')
  const post = async (path: string, body: object) => {
    const headers = { 'New-Api-User': String(id), 'content-type': 'application/json' }
    return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const { data } = await post('/api/user/self/passkeys/options', {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data)
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  return post('/api/user/self/passkeys', { name, credential: made.toJSON() })
}

/** Runs in the page: lets the device log in with its passkey. `times` sends the same response more than once. */
async function logInByPasskey(times: number) {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const { data } = await post('/api/user/login/passkey/options', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data)
  const got = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  const replies: unknown[] = []
  for (let time = 0; time < times; time += 1)
    replies.push(await post('/api/user/login/passkey', { credential: got.toJSON() }))
  return replies
}

async function logInByPassword(): Promise<void> {
  await page.goto(`${site}/login`)
  await page.getByRole('textbox', { name: /username/i }).fill('root')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('correct-horse-battery')
  await page.keyboard.press('Enter')
}

async function logOut(): Promise<void> {
  await callHere('GET', '/api/user/logout')
  await page.evaluate(() => localStorage.removeItem('user'))
}

describe.skipIf(!hasChromium())('more than a password, in a browser', () => {
  beforeAll(async () => {
    gateway = await startTollgate()
    site = gateway.url.replace('127.0.0.1', 'localhost')
    root = await operate(gateway.url)
    browser = await launchChromium()
    page = await browser.newPage({ locale: 'en-US' })
    page.setDefaultTimeout(deadline(15_000))
    const devices = await page.context().newCDPSession(page)
    await devices.send('WebAuthn.enable')
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    })
    await logInByPassword()
    await page.waitForURL('**/token')
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
  })

  it('makes a passkey that logs in without a name, once for each challenge', async () => {
    const made = await page.evaluate(makePasskey, 'Laptop')
    expect(made).toMatchObject({ success: true, data: { name: 'Laptop', last_used_at: 0 } })
    await logOut()
    const [first, second] = await page.evaluate(logInByPasskey, 2)
    expect(first).toMatchObject({ success: true, data: { id: root.userId, username: 'root' } })
    expect(second).toMatchObject({ success: false, code: 'passkey_invalid' })
    await page.evaluate((user) => localStorage.setItem('user', JSON.stringify(user)), {
      id: root.userId,
      role: 100,
    })
    const { data } = await callHere('GET', '/api/user/self/passkeys')
    expect(data[0].last_used_at).toBeGreaterThan(0)
  })

  it('asks for the code of the authenticator after the password, and not after a passkey', async () => {
    const setup = await callHere('POST', '/api/user/self/2fa/begin', {})
    const totp = new TOTP({ secret: Secret.fromBase32(setup.data.secret) })
    const confirmed = await callHere('POST', '/api/user/self/2fa/confirm', { code: totp.generate() })
    await logOut()
    await logInByPassword()
    const code = page.getByRole('textbox', { name: 'Code' })
    await code.fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('The code is wrong').waitFor()
    await code.fill(confirmed.data.recovery_codes[0])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/token')
    await logOut()
    const [reply] = await page.evaluate(logInByPasskey, 1)
    expect(reply).toMatchObject({ success: true, data: { username: 'root' } })
  })

  it('ends the sessions of other browsers within two seconds', async () => {
    await page.evaluate((user) => localStorage.setItem('user', JSON.stringify(user)), {
      id: root.userId,
      role: 100,
    })
    expect((await root.call('GET', '/api/user/self')).success).toBe(true)
    const { data } = await callHere('GET', '/api/user/self/sessions')
    expect(data.some(({ user_agent }: { user_agent: string }) => user_agent.includes('Chrome'))).toBe(true)
    const began = performance.now()
    await callHere('DELETE', '/api/user/self/sessions')
    expect((await root.call('GET', '/api/user/self')).code).toBe('not_logged_in')
    expect(performance.now() - began).toBeLessThan(2000 * slowness())
    expect((await callHere('GET', '/api/user/self/sessions')).data).toHaveLength(1)
  })
})
