import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { brokenRules, deskAndPhone, openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { expireRecentProofs } from '../../support/expire-recent-proofs.ts'
import { freePort } from '../../support/network/free-port.ts'
import { logIn, type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type MailServer, startMailServer } from '../../support/services/mail-server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

const ann = { username: 'ann', password: 'a-long-password' }
const changed = 'another-long-password'
const stepUp = 'Confirm that it’s you'
const unit = 500_000

interface WireUser {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly quota: number
  readonly aff_quota: number
  readonly setting: string
}

let mail: MailServer
/** All of them have a price: nobody can call one without. */
const models = Array.from({ length: 12 }, (_, index) => `model-${index + 10}`)

let gateway: Tollgate
let operator: Operator
let browser: Browser
let context: BrowserContext
let page: Page
/** As people open it: passkeys are for names, not for addresses. */
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

/** The code in the newest mail to an address. */
async function mailedCode(address: string): Promise<string> {
  const { html } = await mail.mailTo(address)
  return />([\da-f]{6})<\/strong>/.exec(html)?.[1] ?? ''
}

describe.skipIf(!hasChromium())('personal settings in a browser', () => {
  beforeAll(async () => {
    const port = await freePort()
    site = `http://localhost:${port}`
    mail = await startMailServer()
    gateway = await startTollgate({ port, env: { CRITICAL_RATE_LIMIT: '1000' } })
    operator = await operate(gateway.url)
    await settings({
      ServerAddress: site,
      SMTPServer: '127.0.0.1',
      SMTPPort: String(mail.port),
      SMTPFrom: 'gate@example.com',
      QuotaForInviter: String(3 * unit),
      GroupRatio: '{"default":1,"vip":6}',
      UserUsableGroups: '{"default":"Standard","vip":"First come"}',
      ModelRatio: JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))),
    })
    await operator.addChannel({
      name: 'Main upstream',
      base_url: 'http://127.0.0.1:9',
      models: models.join(','),
    })
    await operator.api('POST', '/api/user/', { ...ann, display_name: 'Ann', quota: 0 })
    ;({ browser, context, page, thrown } = await openConsole(site, {
      as: ann,
      path: '/personal',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    }))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await mail?.stop()
  })

  it('shows who one is and which models one can call, ten of them until asked for more', async () => {
    await page.getByText('Group default').waitFor()
    const copies = page.getByRole('button', { name: /^Copy model-/ })
    await copies.first().waitFor()
    expect(await copies.count()).toBe(10)
    await press('Show 2 more')
    expect(await copies.count()).toBe(12)
    expect(await page.evaluate(() => localStorage.getItem('modelsExpanded'))).toBe('true')
    await press('Copy model-13')
    await page.getByText('model-13 copied to clipboard').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('model-13')
    await page.getByText('No passkeys yet.').waitFor()
    await page.getByText('Not offered on this site: GitHub, OIDC, LinuxDO, WeChat, Telegram').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
  })

  it('is found by its key, the account menu and the palette, and from /setting', async () => {
    await page.goto(`${site}/token`)
    await page.getByRole('button', { name: /account menu/ }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.waitForURL('**/personal')
    await page.goto(`${site}/setting?tab=models`)
    await page.getByText('Only administrators can change the settings of the site').waitFor()
    expect(await page.getByRole('tab').count()).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'Personal settings' }).click()
    await page.waitForURL('**/personal')
    await page.goto(`${site}/token`)
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Personal settings' }).click()
    await page.waitForURL('**/personal')
    await page.goto(`${site}/token`)
    await page.getByRole('button', { name: /account menu/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command palette' }).fill('password')
    await page.getByRole('option', { name: /Personal settings/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/personal')
  })

  it('saves the own names', async () => {
    await open()
    await press('Edit profile')
    await dialog('Edit profile').getByRole('textbox', { name: 'Username' }).fill('root')
    await inDialog('Edit profile', 'Save profile')
    await dialog('Edit profile').getByRole('alert').waitFor()
    await dialog('Edit profile').getByRole('textbox', { name: 'Username' }).fill('annie')
    await dialog('Edit profile').getByRole('textbox', { name: 'Display name' }).fill('Annie Lee')
    await inDialog('Edit profile', 'Save profile')
    await page.getByRole('heading', { name: 'Annie Lee' }).waitFor()
    expect(await self()).toMatchObject({ username: 'annie', display_name: 'Annie Lee' })
    await page.getByRole('button', { name: /Annie Lee ?, account menu/ }).waitFor()
  })

  it('invites others, and moves what that earns to the balance', async () => {
    await open()
    const link = (await page.getByText('/register?aff=').textContent()) ?? ''
    expect(link).toStartWith(`${site}/register?aff=`)
    const guest = { username: 'bob', password: 'a-long-password', password2: 'a-long-password' }
    const reply = await fetch(`${gateway.url}/api/user/register`, {
      method: 'POST',
      body: JSON.stringify({ ...guest, aff_code: new URL(link).searchParams.get('aff') }),
    })
    expect((await reply.json()).success).toBe(true)
    await open()
    await page.getByText('$3.00').first().waitFor()
    const before = await self()
    await press('Transfer')
    const amount = dialog('Transfer earnings').getByRole('textbox', { name: 'Amount in dollars' })
    expect(await amount.inputValue()).toBe('1')
    await amount.fill('0.5')
    await inDialog('Transfer earnings', 'Transfer to balance')
    await page.getByText('Minimum transfer amount is $1.00').waitFor()
    await amount.fill('4')
    await page.getByText('You have earned $3.00 that can be transferred').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await amount.fill('2')
    const sent = page.waitForRequest('**/api/user/aff_transfer')
    await inDialog('Transfer earnings', 'Transfer to balance')
    expect((await sent).postDataJSON()).toEqual({ quota: 2 * unit })
    await page.getByText('Transferred to your balance').waitFor()
    expect(await self()).toMatchObject({ quota: before.quota + 2 * unit, aff_quota: unit })
  })

  it('changes the password, which asks for the one before', async () => {
    await open()
    await press('Change password')
    const fields = dialog('Change password').getByRole('textbox')
    await fields.nth(1).fill('short')
    await fields.nth(2).fill('other')
    await inDialog('Change password', 'Change password')
    await page.getByText('Password length must not be less than 8').waitFor()
    await page.getByText('The two passwords entered are inconsistent').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await fields.nth(0).fill('not the one before')
    await fields.nth(1).fill(changed)
    await fields.nth(2).fill(changed)
    await inDialog('Change password', 'Change password')
    await page.getByText('The current password is missing or wrong').waitFor()
    await fields.nth(0).fill(ann.password)
    await inDialog('Change password', 'Change password')
    await page.getByText('Password changed').waitFor()
    await logIn(gateway.url, { username: 'annie', password: changed })
  })

  it('asks who one is once ten minutes have passed since the log-in, and then goes on', async () => {
    await expireRecentProofs(gateway)
    await open()
    await press('Generate token')
    await confirmBy('Generate token')
    await dialog(stepUp).waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByText('Confirm that it’s you').waitFor()
    await press('Generate token')
    await confirmBy('Generate token')
    await box('Password').fill('not my password')
    await inDialog(stepUp, 'Confirm')
    await page.getByText('The password is wrong').waitFor()
    await box('Password').fill(changed)
    await inDialog(stepUp, 'Confirm')
    await dialog('System access token').waitFor()
    await inDialog('System access token', 'Done')
    await press('Generate token')
    await confirmBy('Generate token')
    await dialog('System access token').waitFor()
  })

  it('tells the address from before of each change', async () => {
    await open()
    const change = async (address: string) => {
      await page.getByRole('button', { name: /^(Bind|Change) Email/ }).click()
      const form = page.getByRole('dialog')
      await form.getByRole('textbox', { name: 'Email' }).fill(address)
      await press('Send code')
      await form.getByRole('textbox', { name: /code/i }).fill(await mailedCode(address))
      await form.getByRole('button', { name: /^Bind/ }).click()
      await form.waitFor({ state: 'detached' })
    }
    await change('annie@example.com')
    await change('ann.lee@example.com')
    const { html } = await mail.mailTo('annie@example.com', 2)
    expect(html).toContain('The e-mail address was changed')
    expect(html).toContain('annie')
    await press('Generate token')
    await confirmBy('Generate token')
    expect((await mail.mailTo('ann.lee@example.com', 2)).html).toContain('A new system access token was made')
  })

  it('makes a system access token, copies it and shows it once', async () => {
    await open()
    await press('Generate token')
    await confirmBy('Generate token')
    await page.getByText('Token generated and copied').waitFor()
    const shown = await dialog('System access token').locator('pre').textContent()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown ?? '')
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    const { id } = await self()
    const reply = await fetch(`${gateway.url}/api/user/self`, {
      headers: { authorization: shown ?? '', 'New-Api-User': String(id) },
    })
    expect((await reply.json()).data.username).toBe('annie')
    await inDialog('System access token', 'Done')
    await page.getByText(shown ?? '').waitFor({ state: 'detached' })
  })

  it('sets the authenticator up by a QR code, renews recovery codes, and switches it off', async () => {
    await open()
    await press('Set up')
    const setUp = dialog('Set up two-factor authentication')
    await setUp.getByRole('img', { name: /QR code/ }).waitFor()
    const secret = (await setUp.locator('pre').textContent()) ?? ''
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    await setUp.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Please enter the code').waitFor()
    await box('Code').fill('000000')
    await setUp.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('The code is wrong').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await box('Code').fill(totp.generate())
    await setUp.getByRole('button', { name: 'Turn on' }).click()
    const codes = dialog('Recovery codes').getByRole('listitem')
    await codes.first().waitFor()
    const [first = ''] = await codes.allTextContents()
    await inDialog('Recovery codes', 'Copy codes')
    expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n')[0]).toBe(first)
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await inDialog('Recovery codes', 'I have stored them')
    await press('New recovery codes')
    await box('Code').fill(first)
    await inDialog('New recovery codes', 'Generate codes')
    await codes.first().waitFor()
    const [renewed = '', second = ''] = await codes.allTextContents()
    expect(renewed).not.toBe(first)
    await inDialog('Recovery codes', 'I have stored them')
    await expireRecentProofs(gateway)
    await open()
    await press('Generate token')
    await confirmBy('Generate token')
    await dialog(stepUp).getByRole('button', { name: 'Use a code instead' }).click()
    await box('Code').fill(second)
    await inDialog(stepUp, 'Confirm')
    await inDialog('System access token', 'Done')
    await press('Turn off')
    await box('Code').fill(renewed)
    await inDialog('Turn off two-factor authentication?', 'Turn off')
    await page.getByRole('button', { name: 'Set up' }).waitFor()
  })

  it('adds, renames and deletes a passkey', async () => {
    const devices = await context.newCDPSession(page)
    await devices.send('WebAuthn.enable')
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await expireRecentProofs(gateway)
    await open()
    await press('Add passkey')
    await inDialog('Add a passkey', 'Create passkey')
    await page.getByText('Please enter a name').waitFor()
    await box('Name').fill('Work laptop')
    await inDialog('Add a passkey', 'Create passkey')
    await box('Password').fill(changed)
    await inDialog(stepUp, 'Confirm')
    await page.getByText('Passkey added').waitFor()
    await press('Add passkey')
    await box('Name').fill('The same again')
    await inDialog('Add a passkey', 'Create passkey')
    await page.getByText(/No passkey was created/).waitFor()
    await inDialog('Add a passkey', 'Cancel')
    await press('Rename Work laptop')
    await box('Name').fill('Old laptop')
    await inDialog('Rename passkey', 'Rename')
    await page.getByRole('button', { name: 'Rename Old laptop' }).waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await expireRecentProofs(gateway)
    await open()
    await press('Generate token')
    await confirmBy('Generate token')
    await inDialog(stepUp, 'Use a passkey')
    await inDialog('System access token', 'Done')
    await press('Delete Old laptop')
    await confirmBy('Delete passkey')
    await page.getByText('Deleted “Old laptop”').waitFor()
    await page.getByText('No passkeys yet.').waitFor()
  })

  it('adds an access token that only reads, shows when it was used, and removes it', async () => {
    await open()
    await page.getByRole('tab', { name: 'Access tokens' }).click()
    await press('Add token')
    await inDialog('Add an access token', 'Add token')
    await page.getByText('Please enter a name').waitFor()
    await box('Name').fill('Deploy script')
    await page.getByRole('radio', { name: 'Read only' }).check()
    await page.getByRole('button', { name: '30 days' }).click()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await inDialog('Add an access token', 'Add token')
    const token = (await dialog('Access token added').locator('pre').textContent()) ?? ''
    await inDialog('Access token added', 'Done')
    const { id } = await self()
    const call = async (method: string) => {
      const headers = { authorization: token, 'New-Api-User': String(id) }
      const body = method === 'GET' ? {} : { body: '{}' }
      const reply = await fetch(`${gateway.url}/api/user/self`, { method, headers, ...body })
      return (await reply.json()).code
    }
    expect([await call('GET'), await call('PUT')]).toEqual([undefined, 'access_token_read_only'])
    await open()
    await page.getByRole('tab', { name: 'Access tokens' }).click()
    const card = page.getByRole('tabpanel', { name: 'Access tokens' })
    await card.getByText('last used').waitFor()
    await card.getByText('Read only').waitFor()
    await press('Remove Deploy script')
    await confirmBy('Remove')
    await page.getByText('Removed “Deploy script”').waitFor()
    expect(await call('GET')).toBe('access_token_invalid')
  })

  it('lists what happened to the account, the newest first', async () => {
    await open()
    await page.getByRole('tab', { name: 'Recent activity' }).click()
    const card = page.getByRole('tabpanel', { name: 'Recent activity' })
    await card.getByText('Access token removed').first().waitFor()
    const shown = async () => (await card.getByText('127.0.0.1').all()).length
    expect(await shown()).toBe(5)
    await card.getByRole('button', { name: 'Show more' }).click()
    await card.getByText('127.0.0.1').nth(5).waitFor()
    await card.getByText('Passkey deleted').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
  })

  it('ends the session of another browser, and of all others', async () => {
    const others: Operator[] = []
    for (let count = 0; count < 3; count += 1)
      others.push(await logIn(gateway.url, { username: 'annie', password: changed }))
    await open()
    const ends = page.getByRole('button', { name: /^Log out Unknown program at/ })
    await ends.first().waitFor()
    const before = await ends.count()
    await ends.first().click()
    await page.getByText('Session ended').waitFor()
    await page.waitForFunction(
      (count) => document.querySelectorAll('[aria-label^="Log out Unknown program"]').length === count,
      before - 1,
    )
    await press('Log out all others')
    await confirmBy('Log out all others')
    await page.getByText('All other sessions ended').waitFor()
    await page.getByText('This browser').waitFor()
    for (const other of others) expect((await other.call('GET', '/api/user/self')).code).toBe('not_logged_in')
  })

  it('saves how to be warned, with an address that is proven', async () => {
    await open()
    await press('Save settings')
    await page.getByText('You don’t seem to have changed anything').waitFor()
    expect(await box('Low balance warning').inputValue()).toBe('0.2')
    await press('$10')
    await box('Notification email').fill('alerts@example.com')
    await press('Save settings')
    await page.getByText('Please enter the email verification code').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await press('Send code')
    await box('Verification code').fill(await mailedCode('alerts@example.com'))
    const sent = page.waitForRequest('**/api/user/setting')
    await press('Save settings')
    expect((await sent).postDataJSON()).toEqual({
      notify_type: 'email',
      quota_warning_threshold: 5_000_000,
      notification_email: 'alerts@example.com',
      verification_code: expect.any(String),
      accept_unset_model_ratio_model: false,
      base: {},
    })
    await page.getByText('Settings saved').waitFor()
    expect(JSON.parse((await self()).setting)).toMatchObject({ notification_email: 'alerts@example.com' })
  })

  it('sends the secrets of a webhook only when they were typed, and never shows them', async () => {
    await open()
    await page.getByRole('radio', { name: 'Webhook' }).check()
    await box('Webhook URL').fill('http://hooks.example/gate')
    await press('Save settings')
    await page.getByText('Please enter an https address').waitFor()
    await box('Webhook URL').fill('https://hooks.example/gate')
    await page.getByLabel('Webhook secret').fill('a secret')
    await press('Save settings')
    await page.getByText('Settings saved').waitFor()
    await page.getByText('Stored and never shown.').first().waitFor()
    expect(await box('Webhook URL').inputValue()).toBe('')
    await page.getByText('What is sent').click()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await page.getByRole('tab', { name: 'Price settings' }).click()
    await page.waitForURL('**/personal?tab=price')
    await page.getByText('6×').waitFor()
    await page.getByRole('checkbox', { name: /Accept models without a price/ }).check()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    const sent = page.waitForRequest('**/api/user/setting')
    await press('Save settings')
    const body = (await sent).postDataJSON()
    expect(body).toMatchObject({ notify_type: 'webhook', accept_unset_model_ratio_model: true })
    expect(body).not.toHaveProperty('webhook_url')
    expect(body).not.toHaveProperty('webhook_secret')
    const stored = await until(async () => {
      const setting = JSON.parse((await self()).setting)
      return setting.accept_unset_model_ratio_model ? setting : undefined
    })
    expect(stored).toMatchObject({ accept_unset_model_ratio_model: true, webhook_url_set: true })
  })

  it('shows the refusal and leaves the typed text', async () => {
    await open()
    await page.route('**/api/user/setting', (route) =>
      route.fulfill({ json: { success: false, message: 'The disk is full', code: 'unknown' } }),
    )
    await press('$0.20')
    await press('Save settings')
    await page.getByText('Could not update notification settings').waitFor()
    await page.getByText('The disk is full').waitFor()
    expect(await box('Low balance warning').inputValue()).toBe('0.2')
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('link', { name: 'Wallet' }).click()
    await page.getByRole('alertdialog', { name: 'Discard unsaved changes?' }).waitFor()
    await confirmBy('Cancel')
    expect(await box('Low balance warning').inputValue()).toBe('0.2')
    await press('Save settings')
    await page.getByText('Settings saved').waitFor()
  })

  it('deletes the account by its name, and logs out', async () => {
    await open()
    await press('Delete account')
    await box(/Enter your account name/).fill('ann')
    await inDialog('Delete your account?', 'Delete my account')
    await page.getByText('Please enter your account name to confirm deletion').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await box(/Enter your account name/).fill('annie')
    await inDialog('Delete your account?', 'Delete my account')
    await page.waitForURL('**/login')
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
    await expect(logIn(gateway.url, { username: 'annie', password: changed })).rejects.toThrow()
    expect(thrown).toEqual([])
  })
})
