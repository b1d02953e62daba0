import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { brokenRules, deskAndPhone, openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { expireRecentProofs } from '../../support/expire-recent-proofs.ts'
import { freePort } from '../../support/network/free-port.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type MailServer, startMailServer } from '../../support/services/mail-server.ts'
import { type OidcProvider, oidcClient, startOidcProvider } from '../../support/services/oidc-provider.ts'

setDefaultTimeout(deadline(60_000))

const ann = { username: 'ann', password: 'a-long-password' }
const person = {
  sub: 'subject-of-ann',
  preferred_username: 'ann.lee',
  name: 'Ann Lee',
  email: 'ann@example.com',
  email_verified: true,
}
const botToken = '110201543:the-token-of-the-bot'

interface WireUser {
  readonly email: string
  readonly oidc_id: string
  readonly wechat_id: string
  readonly telegram_id: string
}

let mail: MailServer
let provider: OidcProvider
let wechat: ReturnType<typeof Bun.serve>
let gateway: Tollgate
let operator: Operator
let browser: Browser
let page: Page
let site: string
let thrown: readonly string[]

const box = (name: string | RegExp) => page.getByRole('textbox', { name, exact: typeof name === 'string' })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const dialog = (name: string) => page.getByRole('dialog', { name })
const inDialog = (name: string, button: string) =>
  dialog(name).getByRole('button', { name: button, exact: true }).click()
const confirmBy = (button: string) =>
  page.getByRole('alertdialog').getByRole('button', { name: button, exact: true }).click()

/** Ann, as the server knows her. */
async function self(): Promise<WireUser> {
  const { data } = await page.evaluate(async () => {
    const { id } = JSON.parse(localStorage.getItem('user') ?? '{}')
    const reply = await fetch('/api/user/self', { headers: { 'New-Api-User': String(id) } })
    return await reply.json()
  })
  return data
}

async function settings(options: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(options)) await operator.option(key, value)
}

async function open(path = '/personal'): Promise<void> {
  await page.goto(site + path)
  await page.getByRole('heading', { name: 'Personal settings' }).waitFor()
}

async function enterAs(who: { username: string; password: string }): Promise<void> {
  await page.goto(`${site}/login?redirect=%2Fpersonal`)
  await box(/username/i).fill(who.username)
  await box('Password').fill(who.password)
  await page.keyboard.press('Enter')
}

/** The code in the newest mail to an address. */
async function mailedCode(address: string): Promise<string> {
  const { html } = await mail.mailTo(address)
  return />([\da-f]{6})<\/strong>/.exec(html)?.[1] ?? ''
}

describe.skipIf(!hasChromium())('accounts elsewhere, in a browser', () => {
  beforeAll(async () => {
    const port = await freePort()
    site = `http://localhost:${port}`
    mail = await startMailServer()
    provider = await startOidcProvider(`${site}/oauth/oidc`, [person])
    wechat = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) =>
        Response.json(
          new URL(request.url).searchParams.get('code') === '246810'
            ? { success: true, data: 'open-id-of-ann' }
            : { success: false },
        ),
    })
    gateway = await startTollgate({ port, env: { CRITICAL_RATE_LIMIT: '1000' } })
    operator = await operate(gateway.url)
    await settings({
      ServerAddress: site,
      SMTPServer: '127.0.0.1',
      SMTPPort: String(mail.port),
      SMTPFrom: 'gate@example.com',
    })
    await operator.api('POST', '/api/user/', { ...ann, display_name: 'Ann', quota: 0 })
    ;({ browser, page, thrown } = await openConsole(site, {
      as: ann,
      path: '/personal',
    }))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await provider?.stop()
    await mail?.stop()
    await wechat?.stop(true)
  })

  it('binds an address by the code that is mailed to it, and takes it back', async () => {
    await open()
    await press('Bind Email')
    await inDialog('Bind email address', 'Bind address')
    await page.getByText('Please enter your email address').waitFor()
    await page.getByText('Please enter the email verification code').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await box('Email address').fill('ann@example.com')
    await press('Send code')
    await page.getByRole('button', { name: /Send again in (30|29|28) s/ }).waitFor()
    await box('Verification code').fill('wrong')
    await inDialog('Bind email address', 'Bind address')
    await dialog('Bind email address').getByRole('alert').waitFor()
    await box('Verification code').fill(await mailedCode('ann@example.com'))
    await inDialog('Bind email address', 'Bind address')
    await page.getByText('Email address bound').waitFor()
    expect((await self()).email).toBe('ann@example.com')
    await press('Unbind Email')
    await confirmBy('Unbind Email')
    await page.getByText('Email is no longer bound to your account').waitFor()
    expect((await self()).email).toBe('')
  })

  it('binds an account at an OpenID provider by the state call, and comes back', async () => {
    const described = await (await fetch(provider.wellKnown)).json()
    await settings({
      'oidc.well_known': provider.wellKnown,
      'oidc.authorization_endpoint': described.authorization_endpoint,
      'oidc.client_id': oidcClient.id,
      'oidc.client_secret': oidcClient.secret,
      'oidc.enabled': 'true',
    })
    await open()
    const requested = page.waitForRequest('**/api/oauth/state?pkce=true')
    await press('Bind OIDC')
    await requested
    await page.getByPlaceholder('Enter any login').fill(person.sub)
    await page.getByPlaceholder('and password').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Bound to your account').waitFor()
    await page.waitForURL('**/setting')
    await open()
    await page.getByText(person.sub).waitFor()
    expect((await self()).oidc_id).toBe(person.sub)
    await press('Unbind OIDC')
    await confirmBy('Unbind OIDC')
    await page.getByText('OIDC is no longer bound to your account').waitFor()
    expect((await self()).oidc_id).toBe('')
  })

  it('leads to GitHub and LinuxDO with a state', async () => {
    await settings({
      GitHubClientId: 'github-id',
      GitHubClientSecret: 'secret',
      GitHubOAuthEnabled: 'true',
      LinuxDOClientId: 'linuxdo-id',
      LinuxDOClientSecret: 'secret',
      LinuxDOOAuthEnabled: 'true',
    })
    for (const [name, address] of [
      ['GitHub', 'https://github.com/login/oauth/authorize'],
      ['LinuxDO', 'https://connect.linux.do/oauth2/authorize'],
    ] as const) {
      await page.route(`${address}**`, (route) => route.fulfill({ body: 'the provider' }))
      await open()
      await press(`Bind ${name}`)
      await page.waitForURL(`${address}**`)
      const { searchParams } = new URL(page.url())
      expect(searchParams.get('client_id')).toBe(`${name.toLowerCase()}-id`)
      expect(searchParams.get('state')?.length).toBeGreaterThan(20)
    }
    // Back with a state that was never issued: the server refuses before any request to the provider.
    await page.goto(`${site}/oauth/linuxdo?code=one&state=forged`)
    await page.waitForURL(/\/(setting|personal)/)
  })

  it('binds WeChat by the code that its account gives', async () => {
    await settings({
      WeChatServerAddress: `http://127.0.0.1:${wechat.port}`,
      WeChatServerToken: 'token',
      WeChatAccountQRCodeImageURL: `${site}/logo.svg`,
      WeChatAuthEnabled: 'true',
    })
    await open()
    await press('Bind WeChat')
    await dialog('Bind WeChat').getByRole('img', { name: 'QR code of the WeChat account' }).waitFor()
    await inDialog('Bind WeChat', 'Bind WeChat')
    await page.getByText('Please enter the verification code').waitFor()
    await box('Verification code').fill('1')
    await inDialog('Bind WeChat', 'Bind WeChat')
    await page.getByText('The code is wrong or has expired').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await box('Verification code').fill('246810')
    await inDialog('Bind WeChat', 'Bind WeChat')
    await page.getByText('WeChat is bound to your account').waitFor()
    expect((await self()).wechat_id).toBe('open-id-of-ann')
  })

  it('binds Telegram by what its frame says, and by nothing that others say', async () => {
    await settings({
      TelegramBotName: 'gate_bot',
      TelegramBotToken: botToken,
      TelegramOAuthEnabled: 'true',
    })
    const frames: URL[] = []
    await page.route('https://oauth.telegram.org/**', (route) => {
      frames.push(new URL(route.request().url()))
      return route.fulfill({ contentType: 'text/html', body: telegramFrame(signedByBot(frames.length)) })
    })
    await open()
    await press('Bind Telegram')
    const frame = page.frameLocator('iframe[title="Telegram login button"]')
    await frame.getByRole('button').waitFor()
    const sent: string[] = []
    page.on('request', (request) => request.url().includes('/telegram/') && sent.push(request.url()))
    await page.evaluate((text) => window.postMessage(text, '*'), telegramMessage(signedByBot(0)))
    await frame.getByRole('button', { name: 'Log in with Telegram' }).click()
    await page.getByText('Telegram is bound to your account').waitFor()
    expect(sent).toHaveLength(1)
    expect((await self()).telegram_id).toBe('4711')
    const [requested] = frames
    expect(requested?.pathname).toBe('/embed/gate_bot')
    expect(requested?.searchParams.get('origin')).toBe(site)
    expect(requested?.searchParams.get('request_access')).toBe('write')
    expect(requested?.searchParams.get('return_to')).toBe(`${site}/personal`)
  })

  it('confirms who one is by WeChat’s code and by Telegram’s frame', async () => {
    const stepUp = 'Confirm that it’s you'
    await expireRecentProofs(gateway)
    await open()
    await press('Generate token')
    await confirmBy('Generate token')
    await dialog(stepUp).getByRole('button', { name: 'Use WeChat instead' }).click()
    await box('Code').fill('1')
    await inDialog(stepUp, 'Confirm')
    await page.getByText('The code is wrong or has expired').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await box('Code').fill('246810')
    await inDialog(stepUp, 'Confirm')
    await inDialog('System access token', 'Done')
    await expireRecentProofs(gateway)
    await open()
    await press('Generate token')
    await confirmBy('Generate token')
    const frame = dialog(stepUp).frameLocator('iframe[title="Telegram login button"]')
    await frame.getByRole('button', { name: 'Log in with Telegram' }).click()
    await inDialog('System access token', 'Done')
  })

  it('has the human check before a code is mailed, while the site asks for it', async () => {
    // The log-in is the recent proof that these options ask for.
    operator = await operate(gateway.url)
    await settings({ TurnstileSiteKey: 'key', TurnstileSecretKey: 'secret', TurnstileCheckEnabled: 'true' })
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: fakeTurnstile }),
    )
    await page.goto(`${site}/token`)
    await page.getByRole('link', { name: 'Personal settings' }).click()
    await press('Bind Email')
    await dialog('Bind email address').getByText('widget of key').waitFor()
    await box('Email address').fill('ann@example.com')
    const requested = page.waitForRequest('**/api/verification*')
    await press('Send code')
    expect(new URL((await requested).url()).searchParams.get('turnstile')).toBe('fake-answer')
    await inDialog('Bind email address', 'Cancel')
    await settings({ TurnstileCheckEnabled: 'false' })
  })

  it('logs in by Telegram, and says why it cannot', async () => {
    await page.evaluate(() => localStorage.clear())
    await page.context().clearCookies()
    await page.goto(`${site}/login`)
    const button = page.frameLocator('iframe[title="Telegram login button"]').getByRole('button')
    const reply = (identity: Record<string, string | number>) =>
      page.route('https://oauth.telegram.org/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: telegramFrame(identity) }),
      )
    await reply({ ...signedByBot(90), id: 4712 })
    await press('Continue with Telegram')
    await button.click()
    await dialog('Log in with Telegram').getByRole('alert').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await inDialog('Log in with Telegram', 'Close')
    await reply(signedByBot(91))
    await press('Continue with Telegram')
    await button.click()
    await page.waitForURL(`${site}/`)
    expect((await self()).telegram_id).toBe('4711')
    expect(thrown).toEqual([])
  })

  it('warns of the password that installations of this kind were once delivered with', async () => {
    // No account can have it any more. A second factor is asked for, so that no page opens whose calls the gateway refuses.
    await page.route('**/api/user/login*', (route) =>
      route.fulfill({ json: { success: true, message: '', data: { require_2fa: true } } }),
    )
    // Not on the console's own page: it would store the user of a late response again.
    await page.goto(`${site}/api/status`)
    await page.evaluate(() => localStorage.clear())
    await enterAs({ username: 'root', password: '123456' })
    await page.getByText('You are using the default password, change it immediately').waitFor()
  })
})

/** Returns the fields that Telegram's server signs for Ann. */
function signedByBot(salt: number): Record<string, string | number> {
  const fields = { id: 4711, first_name: `Ann ${salt}`, auth_date: Math.floor(Date.now() / 1000) }
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join('\n')
  const key = createHash('sha256').update(botToken).digest()
  return { ...fields, hash: createHmac('sha256', key).update(text).digest('hex') }
}

function telegramMessage(identity: Record<string, string | number>): string {
  return JSON.stringify({ event: 'auth_user', auth_data: identity })
}

/** Plays the page in Telegram's frame: its button says at once who is there. */
function telegramFrame(identity: Record<string, string | number>): string {
  return `<!doctype html><html lang="en"><title>Telegram</title><button>Log in with Telegram</button><script>
    parent.postMessage(JSON.stringify({ event: 'resize', width: 200, height: 44 }), '*')
    document.querySelector('button').onclick = () =>
      parent.postMessage(${JSON.stringify(telegramMessage(identity))}, '*')
  </script></html>`
}

const fakeTurnstile = `window.turnstile = {
  render(place, { sitekey, callback }) {
    place.textContent = 'widget of ' + sitekey
    callback('fake-answer')
    return 'widget'
  },
  remove() {},
}`
