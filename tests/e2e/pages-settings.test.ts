import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Locator, Page } from 'playwright-core'
import { hasChromium, launchChromium } from '../support/chromium.ts'
import { type Operator, operate } from '../support/operator.ts'
import { startTollgate, type Tollgate } from '../support/server.ts'

setDefaultTimeout(30_000)

const account = { username: 'root', password: 'correct-horse-battery' }
const conformance = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The other theme is other colours and nothing else. */
const looks = [
  [1440, 'light'],
  [390, 'light'],
  [390, 'dark'],
] as const

let gateway: Tollgate
/** In the place of an OpenID provider and of a code host. */
let provider: Bun.Server<undefined>
let operator: Operator
let browser: Browser
let page: Page
/** Option changes as the browser sent them. */
let sent: { key: string; value?: string; clear?: boolean }[] = []

async function stored(key: string): Promise<string> {
  const options = await operator.api<{ key: string; value: string }[]>('GET', '/api/option/')
  return options.find((option) => option.key === key)?.value ?? ''
}

async function open(tab: string): Promise<void> {
  await page.goto(`${gateway.url}/setting?tab=${tab}`)
  await page.getByRole('button', { name: 'Save changes' }).waitFor()
  sent = []
}

const save = () => page.getByRole('button', { name: 'Save changes' }).click()
const saved = () => page.getByText('No unsaved changes').waitFor()
const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true })

async function logIn(username: string, password: string): Promise<void> {
  await page.goto(`${gateway.url}/login`)
  await page.getByRole('textbox', { name: /username/i }).fill(username)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname !== '/login')
}

/** What breaks the rules on the page as it stands, at both widths and in both themes. */
async function broken(): Promise<readonly string[]> {
  const found: string[] = []
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForFunction(
      (theme) => document.documentElement.dataset['theme'] === theme && document.getAnimations().length === 0,
      colorScheme,
    )
    const axe = new AxeBuilder({ page }).setLegacyMode()
    const rules = colorScheme === 'light' ? axe.withTags(conformance) : axe.withRules('color-contrast')
    const { violations } = await rules.analyze()
    for (const { id, nodes } of violations)
      found.push(...nodes.map(({ html }) => `${id}, ${width} px, ${colorScheme}: ${html}`))
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  return found
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
    gateway = await startTollgate()
    operator = await operate(gateway.url)
    await operator.addChannel({ name: 'Main', base_url: 'http://127.0.0.1:9', models: 'house-a,house-b' })
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
    page.setDefaultTimeout(8000)
    page.on('request', (request) => {
      if (request.method() === 'PUT' && request.url().endsWith('/api/option/'))
        sent.push(request.postDataJSON())
    })
    await logIn(account.username, account.password)
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await provider?.stop(true)
  })

  it('send only what was changed, what is switched on last', async () => {
    await open('operation')
    await save()
    await page.getByText('You don’t seem to have changed anything').waitFor()
    expect(sent).toEqual([])
    await field('Retries').fill('4')
    await page.getByRole('switch', { name: /^Demo site/ }).check()
    await page.getByText('2 unsaved changes').waitFor()
    await save()
    await saved()
    expect(sent).toEqual([
      { key: 'RetryTimes', value: '4' },
      { key: 'DemoSiteEnabled', value: 'true' },
    ])
    expect(await stored('RetryTimes')).toBe('4')
    expect(await stored('DemoSiteEnabled')).toBe('true')
  })

  it('take a change back, and keep changes while tabs are turned', async () => {
    await open('operation')
    const before = await field('Retries').inputValue()
    await field('Retries').fill('9')
    await page.getByRole('button', { name: 'Undo the change of Retries' }).click()
    expect(await field('Retries').inputValue()).toBe(before)
    await field('Retries').fill('8')
    await page.getByRole('tab', { name: 'Rate limit' }).click()
    await field('Period').fill('3')
    await page.getByText('2 unsaved changes').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await saved()
    expect(await field('Period').inputValue()).toBe('1')
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
    expect(sent).toEqual([])
    await page.getByRole('button', { name: 'Discard' }).click()
    await open('ratelimit')
    await field('Successful requests per period').fill('0')
    await field('Successful requests per period').blur()
    await page.getByText(/^Enter a whole number from 1 to/).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  it('save the others and say which switch the server refused', async () => {
    await open('system')
    await page.getByRole('switch', { name: /^Sign in with GitHub/ }).check()
    await field('Server address').fill('https://gate.example/')
    await save()
    await page.getByText('Some changes were not saved, please retry').waitFor()
    await page.getByText('Fill in GitHub client ID before switching on Sign in with GitHub').waitFor()
    await page.getByText('1 unsaved change', { exact: true }).waitFor()
    expect(await stored('ServerAddress')).toBe('https://gate.example')
    expect(await stored('GitHubOAuthEnabled')).toBe('false')
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  it('switch a provider on together with what it needs', async () => {
    await open('system')
    const github = page.locator('[data-section=github]')
    expect(await github.textContent()).toContain('https://gate.example/oauth/github')
    await field('GitHub client ID').fill('house')
    await page.getByRole('switch', { name: /^Sign in with GitHub/ }).check()
    await save()
    await saved()
    expect(sent.map(({ key }) => key)).toEqual(['GitHubClientId', 'GitHubOAuthEnabled'])
    expect(await stored('GitHubOAuthEnabled')).toBe('true')
  })

  it('fill in the endpoints that an OIDC provider names', async () => {
    await open('system')
    const oidc = page.locator('[data-section=oidc]')
    expect(await oidc.textContent()).toContain('https://gate.example/oauth/oidc')
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
    await payment.getByText('Payments are reported back to this gateway').waitFor()
    await field('Price of one dollar of balance').fill('6.999')
    await save()
    await payment.getByText('Set the server address first', { exact: true }).waitFor()
    expect(sent).toEqual([])
    await field('Server address').fill('https://pay.example//')
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
    expect(sent.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
      { key: 'PayAddress', value: 'https://cashier.example' },
      { key: 'Price', value: '7' },
      { key: 'ServerAddress', value: 'https://pay.example' },
    ])
  })

  it('leave the ping interval alone while nothing is pinged', async () => {
    await open('models')
    expect(await field('Ping interval').isDisabled()).toBe(true)
    await page.getByRole('switch', { name: /^Keep silent streams alive/ }).check()
    await field('Ping interval').fill('0')
    await field('Ping interval').blur()
    await page.getByText(/^Enter a whole number from 1 to 3600/).waitFor()
    await field('Share for thinking').fill('0.05')
    await field('Share for thinking').blur()
    await page.getByText(/^Enter a number from 0.1 to 1/).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  it('write secrets without showing them, and remove them', async () => {
    await open('system')
    await field('SMTP password').fill('hunter2-hunter2')
    await save()
    await saved()
    expect(sent).toEqual([{ key: 'SMTPToken', value: 'hunter2-hunter2' }])
    expect(await field('SMTP password').inputValue()).toBe('')
    sent = []
    await page.getByRole('button', { name: 'Remove SMTP password' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove SMTP password' }).waitFor({ state: 'detached' })
    expect(sent).toEqual([{ key: 'SMTPToken', clear: true }])
  })

  it('ask before password login is switched off', async () => {
    await open('system')
    const login = page.getByRole('switch', { name: /^Log in with a password/ })
    await login.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await login.isChecked()).toBe(true)
    await login.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('1 unsaved change', { exact: true }).waitFor()
    expect(await login.isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  it('take mail domains one by one', async () => {
    await open('system')
    const domain = field('Mail domains')
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

  it('price one model by ratios, by prices and by the call', async () => {
    await open('operation')
    await page.getByRole('button', { name: 'Add model' }).click()
    const sheet = page.getByRole('dialog', { name: 'Add model' })
    const apply = () => page.getByRole('button', { name: /^Apply/ }).click()
    await sheet.getByRole('textbox', { name: 'Model' }).first().fill('gpt-4o')
    await sheet.getByRole('textbox', { name: 'Model ratio' }).fill('cheap')
    await apply()
    await sheet.getByText('The model name already exists').waitFor()
    await sheet.getByText('Enter a number').waitFor()
    await sheet.getByRole('textbox', { name: 'Model' }).first().fill('house-c')
    await sheet.getByRole('radio', { name: 'Prices' }).check()
    await sheet.getByRole('textbox', { name: 'Input price' }).fill('3')
    await sheet.getByRole('textbox', { name: 'Output price' }).fill('12')
    await apply()
    await sheet.waitFor({ state: 'detached' })
    await page.getByRole('searchbox', { name: 'Search models' }).fill('gpt-4o-mini-2024')
    await page.getByRole('button', { name: 'Edit the price of gpt-4o-mini-2024-07-18' }).click()
    await page.getByRole('radio', { name: 'By the call' }).check()
    await page.getByRole('textbox', { name: 'Price per call' }).fill('0.02')
    await apply()
    await page.getByText('$0.02 per call').waitFor()
    await page.getByRole('searchbox', { name: 'Search models' }).fill('babbage-002')
    await page.getByRole('button', { name: 'Remove the price of babbage-002' }).click()
    await save()
    await saved()
    const ratios = JSON.parse(await stored('ModelRatio'))
    expect([ratios['house-c'], ratios['gpt-4o-mini-2024-07-18'], ratios['babbage-002']]).toEqual([
      1.5,
      undefined,
      undefined,
    ])
    expect(JSON.parse(await stored('CompletionRatio'))['house-c']).toBe(4)
    expect(JSON.parse(await stored('ModelPrice'))['gpt-4o-mini-2024-07-18']).toBe(0.02)
  })

  it('price several models that have no price', async () => {
    await open('operation')
    await page.getByRole('tab', { name: 'Models without a price' }).click()
    const apply = page.getByRole('button', { name: /^Set the price of/ })
    await apply.click()
    await page.getByText('Select models first').waitFor()
    await page.getByRole('checkbox', { name: 'All 2' }).check()
    await apply.click()
    await page.getByText('Enter a number').waitFor()
    await field('Model ratio').fill('2')
    await field('Completion ratio').fill('3')
    await apply.click()
    await page.getByText('Every enabled model has a price').waitFor()
    await save()
    await saved()
    expect(JSON.parse(await stored('ModelRatio'))).toMatchObject({ 'house-a': 2, 'house-b': 2 })
    expect(JSON.parse(await stored('CompletionRatio'))).toMatchObject({ 'house-a': 3, 'house-b': 3 })
  })

  it('reset the model ratios after a question', async () => {
    await open('operation')
    await page.getByRole('button', { name: 'Reset model ratios' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset model ratios' }).click()
    await page.getByText('Model ratios reset', { exact: true }).waitFor()
    expect(JSON.parse(await stored('ModelRatio'))['house-a']).toBeUndefined()
  })

  it('change groups and chat links in tables', async () => {
    await open('operation')
    await field('New group').fill('staff')
    await page.getByRole('button', { name: 'Add group' }).click()
    await field('Ratio of staff').fill('0.5')
    await page.getByRole('checkbox', { name: 'Offer staff to everyone' }).check()
    await field('Description of staff').fill('People of the house')
    await page.getByRole('button', { name: 'Remove svip' }).click()
    await page.getByRole('button', { name: 'Add link' }).click()
    await field('Name of link 6').fill('House chat')
    await field('Address of link 6').fill('https://chat.example/?key={key}')
    await page.getByRole('button', { name: 'Move House chat up' }).click()
    await page.getByRole('button', { name: 'Remove OpenCat' }).click()
    await save()
    await saved()
    expect(JSON.parse(await stored('GroupRatio'))).toEqual({ default: 1, vip: 1, staff: 0.5 })
    expect(JSON.parse(await stored('UserUsableGroups'))).toMatchObject({ staff: 'People of the house' })
    expect(JSON.parse(await stored('Chats')).at(-1)).toEqual({
      'House chat': 'https://chat.example/?key={key}',
    })
  })

  it('clear the log after a question', async () => {
    await open('operation')
    const before = page.getByLabel('Clear the log before')
    await before.fill('')
    await page.getByRole('button', { name: 'Clear log' }).click()
    await page.getByText('Choose a time').waitFor()
    await before.fill('2020-01-01T00:00:00')
    await page.getByRole('button', { name: 'Clear log' }).click()
    const asked = page.waitForRequest((request) => request.method() === 'DELETE')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Clear log' }).click()
    expect((await asked).url()).toMatch(/\/api\/log\/\?target_timestamp=15778\d+$/)
    await page.getByText('0 rows deleted', { exact: true }).waitFor()
  })

  it('are found by name, sentence and key across all tabs', async () => {
    await open('other')
    await page.getByRole('searchbox', { name: 'Search all settings' }).fill('SMTPPort')
    await page.getByText('1 setting found').waitFor()
    await field('SMTP port').fill('465')
    await save()
    await saved()
    expect(await stored('SMTPPort')).toBe('465')
    await page.getByRole('searchbox', { name: 'Search all settings' }).fill('nothing like this')
    await page.getByText('No setting matches').waitFor()
  })

  it('say why no release could be looked up', async () => {
    await open('other')
    await page.getByRole('button', { name: 'Check for updates' }).click()
    await page.getByText('Could not check for updates, try again later').waitFor()
  })

  it('show what a newer release says of itself, and run nothing in it', async () => {
    await operator.option('ReleaseCheckUrl', `${provider.url}release`)
    await open('other')
    await page.getByRole('button', { name: 'Check for updates' }).click()
    const notes = page.getByRole('region', { name: 'Release notes' })
    await notes.getByRole('heading', { name: 'News' }).waitFor()
    expect(await notes.locator('strong').textContent()).toBe('faster')
    expect(await notes.locator('script, [onerror]').count()).toBe(0)
    expect(await broken()).toEqual([])
    await operator.option('ReleaseCheckUrl', '')
  })

  it('keep WCAG A and AA on every tab', async () => {
    for (const tab of ['operation', 'ratelimit', 'models', 'system', 'other']) {
      await open(tab)
      expect([tab, await broken()]).toEqual([tab, []])
    }
  })

  it('show administrators their sections, without the tab list', async () => {
    await operator.api('POST', '/api/user/', {
      username: 'mia',
      password: 'mia-has-a-password',
      display_name: 'Mia',
    })
    const { items } = await operator.api<{ items: { id: number; username: string }[] }>(
      'GET',
      '/api/user/?p=1',
    )
    const mia = items.find(({ username }) => username === 'mia')
    await operator.api('POST', '/api/user/manage', { id: mia?.id, action: 'promote' })
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    await logIn('mia', 'mia-has-a-password')
    await page.goto(`${gateway.url}/setting?tab=system`)
    const menu = page.getByRole('navigation', { name: 'Pages' })
    await menu.getByRole('link', { name: 'Operation settings' }).waitFor()
    expect(await menu.getByRole('link', { name: 'Settings', exact: true }).count()).toBe(0)
    await field('Top-up link').waitFor()
    expect(await page.getByRole('tab', { name: 'Operation' }).count()).toBe(0)
    expect(await field('Top-up link').isDisabled()).toBe(true)
    expect(await field('SMTP server').count()).toBe(0)
    await menu.getByRole('link', { name: 'Rate limit' }).click()
    await field('Period').waitFor()
    await menu.getByRole('link', { name: 'Model settings' }).click()
    await field('Safety settings').waitFor()
    await menu.getByRole('link', { name: 'Other settings' }).click()
    await page.getByRole('heading', { name: 'Other settings', level: 1 }).waitFor()
    sent = []
    await field('System name').fill('House gate')
    await save()
    await saved()
    expect(await stored('SystemName')).toBe('House gate')
  })
})
