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

setDefaultTimeout(deadline(60_000))

const ann = { username: 'ann', password: 'a-long-password' }
const stepUp = 'Confirm that it’s you'

let mail: MailServer
let gateway: Tollgate
let operator: Operator
let browser: Browser
let context: BrowserContext
let page: Page
/** Address as people open it: passkeys are for names, not for addresses. */
let site: string
let thrown: readonly string[]

const box = (name: string | RegExp) => page.getByRole('textbox', { name, exact: typeof name === 'string' })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const dialog = (name: string) => page.getByRole('dialog', { name })
const inDialog = (name: string, button: string) =>
  dialog(name).getByRole('button', { name: button, exact: true }).click()
const confirmBy = (button: string) =>
  page.getByRole('alertdialog').getByRole('button', { name: button, exact: true }).click()

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
    })
    await operator.api('POST', '/api/user/', { ...ann, display_name: 'Ann', quota: 0 })
    ;({ browser, context, page, thrown } = await openConsole(site, {
      as: ann,
      path: '/personal',
      permissions: ['clipboard-read', 'clipboard-write'],
    }))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await mail?.stop()
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
    await box('Password').fill(ann.password)
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
    expect(html).toContain(ann.username)
    await press('Generate token')
    await confirmBy('Generate token')
    expect((await mail.mailTo('ann.lee@example.com', 2)).html).toContain('A new system access token was made')
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
    await box('Password').fill(ann.password)
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

  it('deletes the account by its name, and logs out', async () => {
    await open()
    await press('Delete account')
    await box(/Enter your account name/).fill('an')
    await inDialog('Delete your account?', 'Delete my account')
    await page.getByText('Please enter your account name to confirm deletion').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await box(/Enter your account name/).fill(ann.username)
    await inDialog('Delete your account?', 'Delete my account')
    await page.waitForURL('**/login')
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
    await expect(logIn(gateway.url, { ...ann })).rejects.toThrow()
    expect(thrown).toEqual([])
  })
})
