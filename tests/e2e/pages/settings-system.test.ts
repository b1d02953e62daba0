import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { hasChromium } from '../../support/chromium.ts'
import type { Operator } from '../../support/operator.ts'
import { startMailServer } from '../../support/services/mail-server.ts'
import { type SettingsPage, startSettingsPage } from '../../support/settings-page.ts'

setDefaultTimeout(deadline(30_000))

/** In the place of an OpenID provider and of a code host. */
let provider: Bun.Server<undefined>
let settings: SettingsPage
let operator: Operator
let page: Page

const open = (tab: string) => settings.open(tab)
const field = (name: string) => settings.field(name)
const save = () => settings.save()
const saved = () => settings.saved()
const stored = (key: string) => settings.stored(key)
const sent = () => settings.sent

describe.skipIf(!hasChromium())('the system settings', () => {
  beforeAll(async () => {
    provider = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      routes: {
        '/.well-known/openid-configuration': Response.json({
          authorization_endpoint: 'https://id.example/authorize',
          token_endpoint: 'https://id.example/token',
          userinfo_endpoint: 'https://id.example/userinfo',
        }),
        '/release': Response.json({
          tag_name: 'v99.0.0',
          body: '## News\n\n- Much **faster**\n- <img src=x onerror="document.title=1"><script>alert(1)</script>',
        }),
      },
      fetch: () => new Response('not found', { status: 404 }),
    })
    settings = await startSettingsPage()
    ;({ operator, page } = settings)
  })
  afterAll(async () => {
    await settings?.stop()
    await provider?.stop(true)
  })

  it('save the others and say which switch the server refused', async () => {
    await open('system')
    await page.getByRole('switch', { name: /^Log in with GitHub/ }).check()
    await field('Server address').fill('https://gate.example/')
    await save()
    await page.getByText('Some changes were not saved, please retry').waitFor()
    await page.getByText('Fill in GitHub client ID before turning on Log in with GitHub').waitFor()
    await page.getByText('1 unsaved change', { exact: true }).waitFor()
    expect(await stored('ServerAddress')).toBe('https://gate.example')
    expect(await stored('GitHubOAuthEnabled')).toBe('false')
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  it('switch a provider on together with what it needs', async () => {
    await open('system')
    const github = page.locator('[data-section=github]')
    await github.getByText('https://gate.example/oauth/github').waitFor()
    await field('GitHub client ID').fill('house')
    await page.getByRole('switch', { name: /^Log in with GitHub/ }).check()
    await save()
    await saved()
    expect(sent().map(({ key }) => key)).toEqual(['GitHubClientId', 'GitHubOAuthEnabled'])
    expect(await stored('GitHubOAuthEnabled')).toBe('true')
  })

  it('fill in the endpoints that an OIDC provider names', async () => {
    await operator.option('ServerAddress', 'https://gate.example')
    await open('system')
    const oidc = page.locator('[data-section=oidc]')
    await oidc.getByText('https://gate.example/oauth/oidc').waitFor()
    const fetchEndpoints = () => oidc.getByRole('button', { name: 'Fetch endpoints' }).click()
    await field('OIDC discovery address').fill('id.example/.well-known')
    await fetchEndpoints()
    await oidc.getByText('The well-known URL must start with http:// or https://').waitFor()
    await field('OIDC discovery address').fill(`${provider.url}missing`)
    await fetchEndpoints()
    await oidc.getByText('Failed to get OIDC config, check network and well-known URL').waitFor()
    await field('OIDC discovery address').fill(`${provider.url}.well-known/openid-configuration`)
    await fetchEndpoints()
    await page.getByText('Endpoints filled in').waitFor()
    expect(await field('OIDC token endpoint').inputValue()).toBe('https://id.example/token')
    await field('OIDC client ID').fill('tollgate')
    await save()
    await saved()
    expect(await stored('oidc.authorization_endpoint')).toBe('https://id.example/authorize')
    expect(await stored('oidc.user_info_endpoint')).toBe('https://id.example/userinfo')
  })

  it('ask for the server address before anything of payment', async () => {
    await open('system')
    await field('Server address').fill('')
    const payment = page.locator('[data-section=payment]')
    await payment.getByText('Payment notifications go to this gateway').waitFor()
    await field('Price of one dollar of balance').fill('6.999')
    await save()
    await payment.getByText('Set the server address first', { exact: true }).waitFor()
    expect(sent()).toEqual([])
    await field('Server address').fill('https://pay.example//')
    // The editor takes the place of the plain box when the box gets the focus.
    await field('Top-up ratios').click()
    await page.locator('.cm-focused').waitFor()
    await field('Top-up ratios').fill('{')
    await field('Top-up ratios').blur()
    await payment.getByText('Not a valid JSON string').waitFor()
    await page.getByRole('button', { name: 'Undo the change of Top-up ratios' }).click()
    await field('Payment address').fill('https://cashier.example/')
    await field('Payment address').blur()
    expect(await field('Payment address').inputValue()).toBe('https://cashier.example')
    expect(await field('Price of one dollar of balance').inputValue()).toBe('7')
    await save()
    await saved()
    expect(sent().toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
      { key: 'PayAddress', value: 'https://cashier.example' },
      { key: 'Price', value: '7' },
      { key: 'ServerAddress', value: 'https://pay.example' },
    ])
  })

  it('write secrets without showing them, and remove them', async () => {
    await open('system')
    await field('SMTP password').fill('hunter2-hunter2')
    await save()
    await saved()
    expect(sent()).toEqual([{ key: 'SMTPToken', value: 'hunter2-hunter2' }])
    expect(await field('SMTP password').inputValue()).toBe('')
    sent().length = 0
    await page.getByRole('button', { name: 'Remove SMTP password' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove SMTP password' }).waitFor({ state: 'detached' })
    expect(sent()).toEqual([{ key: 'SMTPToken', clear: true }])
  })

  it('ask before password login is switched off', async () => {
    await open('system')
    const login = page.getByRole('switch', { name: /^Log in with a password/ })
    await login.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await login.isChecked()).toBe(true)
    await login.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('1 unsaved change', { exact: true }).waitFor()
    expect(await login.isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  it('take mail domains one by one', async () => {
    await open('system')
    const domain = field('Email domains')
    const add = page.locator('[data-section=email-domain]').getByRole('button', { name: 'Add' })
    await domain.fill('not a domain')
    await add.click()
    await page.getByText(/not a domain is not a valid domain/).waitFor()
    await domain.fill('qq.com')
    await add.click()
    await page.getByText('This domain is already in the list').waitFor()
    await domain.fill('Gate.Example')
    await domain.press('Enter')
    await page.getByRole('button', { name: 'Remove yahoo.com' }).click()
    await save()
    await saved()
    expect((await stored('EmailDomainWhitelist')).split(',').slice(-2)).toEqual([
      'foxmail.com',
      'gate.example',
    ])
    expect(await stored('EmailDomainWhitelist')).not.toContain('yahoo.com')
  })

  it('leave the check for updates off while it has no address, and say why one failed', async () => {
    await open('other')
    await page.getByText('Update checks are off: no address is set for them.').waitFor()
    expect(await page.getByRole('button', { name: 'Check for updates' }).isDisabled()).toBe(true)
    await operator.option('ReleaseCheckUrl', `${provider.url}nowhere`)
    await open('other')
    await page.getByRole('button', { name: 'Check for updates' }).click()
    await page.getByText('Could not check for updates, try again later').waitFor()
  })

  it('send a test mail, and say why a mail was not sent', async () => {
    const [refusing, taking] = [
      await startMailServer({ refuses: 'no such mailbox here' }),
      await startMailServer(),
    ]
    try {
      await operator.option('SMTPServer', '127.0.0.1')
      await operator.option('SMTPFrom', 'gate@gate.example')
      await operator.option('SMTPPort', String(refusing.port))
      await open('system')
      const mail = page.locator('[data-section=smtp]')
      await mail.getByLabel('Send a test email to').fill('root@gate.example')
      await mail.getByRole('button', { name: 'Send test email' }).click()
      await mail.getByText(/The email was not sent: .*no such mailbox here/).waitFor()
      await open('system')
      await mail.getByText(/The last email was not sent/).waitFor()
      await operator.option('SMTPPort', String(taking.port))
      await mail.getByLabel('Send a test email to').fill('root@gate.example')
      await mail.getByRole('button', { name: 'Send test email' }).click()
      await mail.getByText('The mail server accepted the email').waitFor()
      expect((await taking.mailTo('root@gate.example')).headers['subject']).toContain('test mail')
      expect(await mail.getByText(/The last email was not sent/).count()).toBe(0)
    } finally {
      await refusing.stop()
      await taking.stop()
    }
  })

  it('show what a newer release says of itself, and run nothing in it', async () => {
    await operator.option('ReleaseCheckUrl', `${provider.url}release`)
    await open('other')
    await page.getByRole('button', { name: 'Check for updates' }).click()
    const notes = page.getByRole('region', { name: 'Release notes' })
    await notes.getByRole('heading', { name: 'News' }).waitFor()
    expect(await notes.locator('strong').textContent()).toBe('faster')
    expect(await notes.locator('script, [onerror]').count()).toBe(0)
    expect(await settings.broken()).toEqual([])
    await operator.option('ReleaseCheckUrl', '')
  })

  it('let root download everything in open formats', async () => {
    await open('other')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toEndWith('.zip')
    expect(
      readFileSync(await download.path())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK')
  })

  it('meet WCAG A and AA on their tabs', async () => {
    for (const tab of ['system', 'other']) {
      await open(tab)
      expect([tab, await settings.broken()]).toEqual([tab, []])
    }
  })
})
