import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addAdministrator, addUser } from '../../support/add-user.ts'
import { hasChromium } from '../../support/chromium.ts'
import { expireRecentProofs } from '../../support/expire-recent-proofs.ts'
import { type Credentials, type Operator, rootAccount } from '../../support/operator.ts'
import { startMailServer } from '../../support/services/mail-server.ts'
import { type SettingsPage, startSettingsPage } from '../../support/settings-page.ts'

setDefaultTimeout(deadline(60_000))

/** Fake of an OpenID provider and of a code host. */
let provider: Bun.Server<undefined>
let settings: SettingsPage
let operator: Operator
let page: Page
let ann: number
let mia: Credentials

const open = (tab: string) => settings.open(tab)
const field = (name: string) => settings.field(name)
const save = () => settings.save()
const saved = () => settings.saved()
const stored = (key: string) => settings.stored(key)
const sent = () => settings.sent

const dialog = (name: string) => page.getByRole('dialog', { name })
/** Waits for the dialog that asks who it is, and answers it. */
async function prove(): Promise<void> {
  const requested = dialog('Confirm that it’s you')
  await requested.getByRole('textbox', { name: 'Password' }).fill(rootAccount.password)
  await requested.getByRole('button', { name: 'Confirm' }).click()
}

describe.skipIf(!hasChromium())('the settings', () => {
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
    await operator.addChannel({ name: 'Main', base_url: 'http://127.0.0.1:9', models: 'house-a,house-b' })
    await operator.addChannel({
      name: 'alpha',
      base_url: 'http://127.0.0.1:9',
      models: 'm',
      key: 'sk-shown',
    } as never)
    ann = (await addUser(settings.gateway, 'ann', 0)).userId
    mia = await addAdministrator(settings.gateway, 'mia')
  })
  afterAll(async () => {
    await settings?.stop()
    await provider?.stop(true)
  })

  it('show what somebody else has changed meanwhile, and let the person choose', async () => {
    await open('operation')
    await operator.option('RetryTimes', '7')
    await field('Retries').fill('8')
    await save()
    const conflict = page.getByRole('alert').filter({ hasText: 'Changed by someone else' })
    await conflict.waitFor()
    expect(await conflict.locator('dd').allTextContents()).toEqual(['7', '8'])
    expect(await settings.broken()).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await conflict.getByRole('button', { name: 'Save my version' }).click()
    await saved()
    expect(await stored('RetryTimes')).toBe('8')
    await operator.option('RetryTimes', '5')
    await field('Retries').fill('6')
    await save()
    await conflict.getByRole('button', { name: 'Use saved version' }).click()
    await saved()
    expect(await field('Retries').inputValue()).toBe('5')
    expect(await stored('RetryTimes')).toBe('5')
    await operator.option('RetryTimes', '4')
  })

  it('say what is wrong beside the field, JSON when it is left', async () => {
    await open('models')
    const json = field('Safety settings')
    await json.fill('{')
    await json.blur()
    await page.getByText('Not a valid JSON string').waitFor()
    await page.getByRole('tab', { name: 'Rate limit' }).click()
    await save()
    await page.getByText('Check what you entered').waitFor()
    await page.waitForURL('**tab=models')
    expect(sent()).toEqual([])
    await page.getByRole('button', { name: 'Discard' }).click()
    await open('ratelimit')
    await field('Successful requests per period').fill('0')
    await field('Successful requests per period').blur()
    await page.getByText(/^Enter a whole number from 1 to/).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  it('leave the ping interval alone while nothing is pinged', async () => {
    await open('models')
    expect(await field('Ping interval').isDisabled()).toBe(true)
    await page.getByRole('switch', { name: /^Keep silent streams alive/ }).check()
    await field('Ping interval').fill('0')
    await field('Ping interval').blur()
    await page.getByText(/^Enter a whole number from 1 to 3600/).waitFor()
    const share = page.getByRole('textbox', { name: 'Share for thinking', description: /from 0.1 to 1/ })
    await share.fill('0.05')
    await share.blur()
    await page.getByText(/^Enter a number from 0.1 to 1/).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  it('clear the log after a question', async () => {
    await open('operation')
    const before = page.getByLabel('Clear entries before')
    await before.fill('')
    await page.getByRole('button', { name: 'Clear log' }).click()
    await page.getByText('Choose a time').waitFor()
    await before.fill('2020-01-01T00:00:00')
    await page.getByRole('button', { name: 'Clear log' }).click()
    const requested = page.waitForRequest((request) => request.method() === 'DELETE')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Clear log' }).click()
    // In the zone of the browser, which is another one each hour.
    const seconds = await page.evaluate(() => Date.parse('2020-01-01T00:00:00') / 1000)
    expect((await requested).url()).toEndWith(`/api/log/?target_timestamp=${seconds}`)
    await page.getByText('0 entries deleted', { exact: true }).waitFor()
  })

  it('meet WCAG A and AA on every tab', async () => {
    for (const tab of ['operation', 'ratelimit', 'models']) {
      await open(tab)
      expect([tab, await settings.broken()]).toEqual([tab, []])
    }
  })

  describe('of the system', () => {
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
      await payment.getByRole('textbox', { name: 'vip: Ratio', exact: true }).waitFor()
      await payment.getByRole('button', { name: 'Edit as JSON' }).click()
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

  describe('of a person who proved nothing lately', () => {
    it('saves what runs the gateway at once, and what carries accounts after one proof', async () => {
      await expireRecentProofs(settings.gateway)
      await settings.open('other')
      await settings.field('System name').fill('Gate')
      await settings.save()
      await settings.saved()
      await settings.open('system')
      await settings.field('Server address').fill('https://gate.example')
      await settings.field('GitHub client ID').fill('house')
      await settings.save()
      await prove()
      await settings.saved()
      expect(await settings.stored('ServerAddress')).toBe('https://gate.example')
      expect(await settings.stored('GitHubClientId')).toBe('house')
    })

    it('promotes a user after a proof', async () => {
      await expireRecentProofs(settings.gateway)
      await page.goto(`${settings.gateway.url}/user`)
      await page.getByRole('button', { name: /ctions for ann/ }).click()
      await page.getByRole('menuitem', { name: 'Promote to administrator' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Promote' }).click()
      await prove()
      await page.getByRole('row', { name: /ann/ }).getByText('Administrator').waitFor()
      expect((await operator.api<{ role: number }>('GET', `/api/user/${ann}`)).role).toBe(10)
    })

    it('exports everything after a proof, as a file that the browser downloads by itself', async () => {
      await expireRecentProofs(settings.gateway)
      await settings.open('other')
      await page.getByRole('checkbox', { name: 'With keys in plain text' }).check()
      const begun = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download', exact: true }).click()
      await prove()
      const file = await begun
      expect(file.suggestedFilename()).toBe('tollgate-export.zip')
      expect(await file.failure()).toBeNull()
      await page.getByText('The file has every key in plain text').waitFor()
    })

    it('shows a channel’s keys after a proof', async () => {
      await expireRecentProofs(settings.gateway)
      await page.goto(`${settings.gateway.url}/channel`)
      await page.getByRole('button', { name: 'More actions for alpha' }).click()
      await page.getByRole('menuitem', { name: 'Show keys' }).click()
      await dialog('Keys of alpha').getByRole('button', { name: 'Show keys' }).click()
      await prove()
      await page.getByText('sk-shown').waitFor()
    })
  })

  it('show administrators their sections, without the tab list', async () => {
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    await settings.logIn(mia)
    await page.goto(`${settings.gateway.url}/setting?tab=system`)
    const menu = page.getByRole('navigation', { name: 'Pages' })
    await menu.getByRole('link', { name: 'Operation settings' }).waitFor()
    expect(await menu.getByRole('link', { name: 'Settings', exact: true }).count()).toBe(0)
    await field('Top-up link').waitFor()
    expect(await page.getByRole('tab', { name: 'Operation' }).count()).toBe(0)
    expect(await field('Top-up link').isDisabled()).toBe(true)
    for (const label of ['Quota per dollar', 'Reward for the inviter', 'Ratio of default'])
      expect([label, await field(label).isDisabled()]).toEqual([label, true])
    expect(await page.getByText('It moves money, so only the root administrator').count()).toBeGreaterThan(3)
    expect(await page.getByRole('button', { name: 'Add model' }).count()).toBe(0)
    expect(await field('Retries').isDisabled()).toBe(false)
    expect(await field('SMTP server').count()).toBe(0)
    await menu.getByRole('link', { name: 'Rate limit' }).click()
    await field('Period').waitFor()
    await menu.getByRole('link', { name: 'Model settings' }).click()
    await field('Safety settings').waitFor()
    await menu.getByRole('link', { name: 'Other settings' }).click()
    await page.getByRole('heading', { name: 'Other settings', level: 1 }).waitFor()
    sent().length = 0
    await field('System name').fill('House gate')
    await save()
    await saved()
    expect(await stored('SystemName')).toBe('House gate')
  })
})
