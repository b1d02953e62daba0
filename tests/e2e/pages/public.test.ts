import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { brokenRules, everyLook, switchUser } from '../../support/browser.ts'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { logIn, type Operator, operate, rootAccount } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type MailServer, startMailServer } from '../../support/services/mail-server.ts'

setDefaultTimeout(deadline(60_000))

const ann = { username: 'ann', password: 'a long password', email: 'ann@example.com' }

let mail: MailServer
let gateway: Tollgate
let operator: Operator
let browser: Browser
let page: Page
/** Errors that the pages threw. */
const thrown: string[] = []

const box = (name: string | RegExp) => page.getByRole('textbox', { name, exact: typeof name === 'string' })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

async function asGuest(path: string): Promise<void> {
  await page.context().clearCookies()
  await page.goto(`${gateway.url}/docs`)
  await page.evaluate(() => localStorage.clear())
  await page.goto(gateway.url + path)
}

describe.skipIf(!hasChromium())('public pages', () => {
  beforeAll(async () => {
    mail = await startMailServer()
    gateway = await startTollgate({ env: { CRITICAL_RATE_LIMIT: '1000' } })
    operator = await operate(gateway.url)
    const options = {
      ServerAddress: gateway.url,
      SMTPServer: '127.0.0.1',
      SMTPPort: String(mail.port),
      SMTPFrom: 'gate@example.com',
      EmailVerificationEnabled: 'true',
      GroupRatio: '{"default":1,"vip":0.5}',
      UserUsableGroups: '{"default":"Standard","vip":"Half price"}',
      Chats:
        '[{"Web client":"https://chat.invalid/?key={key}&url={address}"},{"Native":"native://open?key={key}"}]',
    }
    for (const [key, value] of Object.entries(options)) await operator.option(key, value)
    await operator.addChannel({
      name: 'Main upstream',
      base_url: 'http://127.0.0.1:9',
      models: 'claude-3-5-haiku-20241022,gpt-4o,gpt-4o-mini,dall-e-3',
      group: 'default,vip',
    })
    await operator.addChannel({
      name: 'Pictures',
      base_url: 'http://127.0.0.1:9',
      models: 'dall-e-2,home-made',
      group: 'default',
    })
    browser = await launchChromium()
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    page = await context.newPage()
    page.setDefaultTimeout(deadline(10_000))
    page.on('pageerror', (error) => thrown.push(String(error)))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await mail?.stop()
  })

  it('registers with a mailed code and the invite code of the link', async () => {
    const invite = await operator.api<string>('GET', '/api/user/aff')
    await page.goto(`${gateway.url}/register?aff=${invite}`)
    await press('Create account')
    await page.getByText('Please enter a username').waitFor()
    await page.getByText('Password length must not be less than 8').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await box(/^Username/).fill(ann.username)
    await box(/^Password/).fill(ann.password)
    await box(/^Confirm password/).fill(`${ann.password}!`)
    await page.getByText('The two passwords entered are inconsistent').waitFor()
    await box(/^Confirm password/).fill(ann.password)
    await box(/^Email/).fill(ann.email)
    await press('Send code')
    await page.getByRole('button', { name: /Retry in (30|29) s/ }).waitFor()
    const { html } = await mail.mailTo(ann.email)
    await box(/^Verification code/).fill(/>([\da-f]{6})<\/strong>/.exec(html)?.[1] ?? '')
    const sent = page.waitForRequest('**/api/user/register*')
    await press('Create account')
    expect((await sent).postDataJSON()).toMatchObject({
      username: 'ann',
      password: ann.password,
      password2: ann.password,
      email: ann.email,
      aff_code: invite,
    })
    await page.waitForURL('**/token')
    await page.getByRole('button', { name: /^ann/ }).waitFor()
    await logIn(gateway.url, ann)
  })

  it('gives visitors base URLs and an example with a model that works', async () => {
    await asGuest('/')
    await page.getByRole('button', { name: 'Copy the base URL for OpenAI' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${gateway.url}/v1`)
    const example = page.locator('pre')
    await example.filter({ hasText: '"gpt-4o-mini"' }).waitFor()
    await page.getByRole('tab', { name: 'Gemini' }).click()
    await example.filter({ hasText: '/v1beta/models/gpt-4o-mini:generateContent' }).waitFor()
    await page.getByRole('tab', { name: 'Anthropic' }).click()
    await example.filter({ hasText: '/v1/messages' }).waitFor()
    await page.getByRole('link', { name: /^(All )?\d+ models?$/ }).waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  it('mails a link to a new password and shows the password once', async () => {
    await asGuest('/login')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await press('Send link')
    await page.getByText('Please enter your email address').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await box(/^Email/).fill(ann.email)
    await press('Send link')
    await page.getByText(/a link is on its way/).waitFor()
    await page.getByRole('button', { name: /Retry in/ }).waitFor()
    const { html } = await mail.mailTo(ann.email, 2)
    const link = /href="([^"]*\/user\/reset[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    await page.goto(link)
    expect(await box('Email').inputValue()).toBe(ann.email)
    await press('Get a new password')
    const password = await box('New password').inputValue()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password)
    expect(await brokenRules(page)).toEqual([])
    await logIn(gateway.url, { username: ann.username, password })
    await page.goto(`${gateway.url}/user/reset?email=a@b.de`)
    await page.getByText(/link is incomplete/).waitFor()
  })

  it('offers the providers that are switched on, and says when one cannot be asked', async () => {
    const options = {
      GitHubClientId: 'id',
      GitHubClientSecret: 'secret',
      GitHubOAuthEnabled: 'true',
      WeChatServerAddress: 'http://127.0.0.1:9',
      WeChatServerToken: 'token',
      WeChatAuthEnabled: 'true',
    }
    for (const [key, value] of Object.entries(options)) await operator.option(key, value)
    await asGuest('/login?aff=abcd')
    const github = page.getByRole('link', { name: 'Continue with GitHub' })
    expect(await github.getAttribute('href')).toBe('/api/oauth/github/start?aff=abcd')
    await press('Continue with WeChat')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Code' }).fill('123456')
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.goto(`${gateway.url}/login?error=oauth_provider_disabled`)
    await page.getByText(/oauth_provider_disabled/).waitFor()
  })

  it('logs in with a passkey', async () => {
    const local = gateway.url.replace('127.0.0.1', 'localhost')
    await operator.option('ServerAddress', local)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto(`${local}/login`)
    await page.evaluate(registerPasskey, rootAccount)
    await press('Log in with a passkey')
    await page.waitForURL('**/token')
    await devtools.send('WebAuthn.disable')
    await operator.option('ServerAddress', gateway.url)
  })

  it('shows the human check while it is on, from Cloudflare and only where it is needed', async () => {
    await operator.option('TurnstileSiteKey', 'site-key')
    await operator.option('TurnstileSecretKey', 'secret')
    await operator.option('TurnstileCheckEnabled', 'true')
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: fakeTurnstile }),
    )
    await asGuest('/about')
    const policy = async (path: string) =>
      (await fetch(gateway.url + path)).headers.get('content-security-policy') ?? ''
    expect(await policy('/about')).not.toContain('cloudflare')
    expect(await policy('/reset')).toContain('https://challenges.cloudflare.com/turnstile/v0/')
    await page.getByRole('link', { name: 'Log in' }).first().click()
    await page.getByText('widget of site-key').waitFor()
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByText('widget of site-key').waitFor()
    const requested = page.waitForRequest('**/api/reset_password*')
    await box(/^Email/).fill(ann.email)
    await press('Send link')
    expect(new URL((await requested).url()).searchParams.get('turnstile')).toBe('fake-answer')
    await operator.option('TurnstileCheckEnabled', 'false')
  })

  it('lists prices in currency, by group, found as people type', async () => {
    await asGuest('/pricing')
    const rows = page.getByRole('table').getByRole('row')
    await page.getByText('You are not logged in.').waitFor()
    await rows.nth(1).getByText('gpt-4o').first().waitFor()
    await rows.last().getByText('dall-e-3').first().waitFor()
    const gpt = rows.filter({ hasText: 'gpt-4o' }).first()
    // Input, output, input from a cache, context and vendor.
    expect(await gpt.textContent()).toMatch(/\$2\.50\$10\.00\$1\.25128kOpenAI/)
    // Nobody can call it for want of a price.
    expect(await rows.filter({ hasText: 'home-made' }).count()).toBe(0)
    expect(await page.getByText('$75').count()).toBe(0)
    expect(await brokenRules(page, everyLook)).toEqual([])
    await gpt.getByRole('button', { name: 'All prices of gpt-4o' }).click()
    const prices = page.getByRole('dialog', { name: 'All prices of gpt-4o' })
    await prices.getByText('web_search_preview').waitFor()
    expect(await prices.textContent()).toMatch(/Cached input\$1\.25.*file_search\$2\.50.*priority× 1\.7/)
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Escape')
    await gpt.getByRole('button', { name: '2 groups' }).click()
    await page.getByRole('button', { name: /vip/ }).click()
    await page.waitForURL('**/pricing?group=vip')
    await rows.filter({ hasText: 'dall-e-2' }).getByText('Not in vip').waitFor()
    await gpt.getByText('$5.00', { exact: true }).waitFor()
    await page.getByRole('searchbox', { name: 'Search models' }).fill('ＧＰＴ4o mini')
    await rows.filter({ hasText: 'dall-e-3' }).waitFor({ state: 'detached' })
    expect(await rows.count()).toBe(2)
    await page.getByRole('checkbox', { name: 'Select row gpt-4o-mini' }).click()
    await press('Copy selected names')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('gpt-4o-mini')
    await page.getByRole('searchbox').fill('4mini')
    await rows.filter({ hasText: 'gpt-4o-mini' }).getByText('gpt-4o-mini').click()
    await page.getByText('Copied to clipboard').first().waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('gpt-4o-mini')
    await page.getByRole('searchbox').fill('nothing like it')
    await page.getByText('No model matches “nothing like it”').waitFor()
    await page.goto(`${gateway.url}/pricing?vendor=OpenAI`)
    await rows.filter({ hasText: 'claude' }).waitFor({ state: 'detached' })
    await press('What a job costs')
    await box('Input tokens').fill('1000')
    await box('Output tokens').fill('500')
    // The cheapest first.
    await rows.nth(2).filter({ hasText: 'gpt-4o' }).getByText('$0.0075').waitFor()
    expect(await rows.nth(1).textContent()).toContain('gpt-4o-mini')
    expect(await brokenRules(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${gateway.url}/pricing?group=vip`)
    const cards = page.getByRole('list', { name: 'Pricing' }).getByRole('listitem')
    await cards.first().waitFor()
    const heights = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height))
    expect(Math.max(...heights)).toBeLessThanOrEqual(120)
    expect(await brokenRules(page)).toEqual([])
  })

  it("shows the operator's pages without running anything in them", async () => {
    await asGuest('/about')
    await page.getByText('Nothing here yet').waitFor()
    await operator.option(
      'About',
      '# Our gate\n\n<img src="x" onerror="document.title=\'taken\'"><script>document.title="taken"</script>\n\n[bad](javascript:alert(1)) **bold**',
    )
    await page.reload()
    await page.getByRole('heading', { name: 'Our gate' }).waitFor()
    expect(await page.title()).not.toContain('taken')
    expect(await page.locator('article script, article [onerror], a[href^="javascript:"]').count()).toBe(0)
    const hostile = [
      '<svg onload="document.title=\'taken\'"><script>document.title="taken"</script></svg>',
      '<iframe srcdoc="<script>parent.document.title=\'taken\'</script>"></iframe>',
      '<form action="/api/user/logout"><button>Go on</button></form>',
      '<style>body { display: none }</style>',
      '<p style="position: fixed; inset: 0">over</p> <a href="&#106;avascript:alert(1)">click</a>',
      'Plain <b>bold</b> <span style="color: rgb(255, 0, 0)">red</span>',
    ]
    await operator.option('About', hostile.join('\n\n'))
    await page.reload()
    await page.getByText('red', { exact: true }).waitFor()
    const inside = 'svg, script, iframe, form, button, style, [onload], [href^="javascript" i]'
    expect(await page.locator('article').locator(inside).count()).toBe(0)
    expect(await page.getByText('over', { exact: true }).evaluate((p) => getComputedStyle(p).position)).toBe(
      'static',
    )
    const red = page.getByText('red', { exact: true })
    expect(await red.evaluate((span) => getComputedStyle(span).color)).toBe('rgb(255, 0, 0)')
    expect(await page.title()).not.toContain('taken')
    await operator.option('HomePageContent', '<h1>Welcome, stranger</h1><p onclick="alert(1)">Hello</p>')
    await page.goto(gateway.url)
    await page.getByRole('heading', { name: 'Welcome, stranger' }).waitFor()
    expect(await page.locator('[onclick]').count()).toBe(0)
    await operator.option('HomePageContent', 'https://home.invalid/start')
    await page.reload()
    const frame = page.locator('iframe[src="https://home.invalid/start"]')
    await frame.waitFor()
    expect(await frame.getAttribute('sandbox')).not.toContain('allow-top-navigation')
    await operator.option('HomePageContent', '')
  })

  it('shows a notice once per change', async () => {
    await operator.option('Notice', 'Maintenance **tonight**')
    await asGuest('/')
    const dialog = page.getByRole('dialog', { name: 'Notice' })
    await dialog.getByText('tonight').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Got it' }).click()
    await page.reload()
    await page.getByRole('heading').first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await dialog.count()).toBe(0)
    await operator.option('Notice', 'All done')
    await page.reload()
    await dialog.getByText('All done').waitFor()
    await operator.option('Notice', '')
  })

  it('frames chat clients with the first enabled key, and asks for one when there is none', async () => {
    await asGuest('/login')
    await switchUser(page, gateway.url, rootAccount)
    await page.goto(`${gateway.url}/chat/0`)
    await page.getByText('No enabled key available').waitFor()
    await page.waitForURL('**/token')
    const { key } = await operator.addKey({ name: 'laptop' })
    await press('Chat')
    await page.getByRole('link', { name: 'Web client' }).click()
    await press('Send my key')
    const frame = page.locator('iframe[title="Web client"]')
    const link = `https://chat.invalid/?key=${key}&url=${encodeURIComponent(gateway.url)}`
    expect(await frame.getAttribute('src')).toBe(link)
    expect(await frame.getAttribute('allow')).toContain('microphone')
    await page.goto(`${gateway.url}/chat/1`)
    await press('Send my key')
    expect(await page.getByRole('link', { name: 'Open Native' }).getAttribute('href')).toBe(
      `native://open?key=${key}`,
    )
    await page.goto(`${gateway.url}/chat/7`)
    await page.getByText(/Chat link config error/).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.route('https://chat.invalid/**', (route) => route.fulfill({ body: 'chat client' }))
    await page.goto(`${gateway.url}/chat2link`)
    await page.waitForURL(link)
  })

  it('leaves the way to an account out in self-use mode', async () => {
    await operator.option('SelfUseModeEnabled', 'true')
    await asGuest('/login')
    await page.getByRole('link', { name: 'Forgot password?' }).waitFor()
    expect(await page.getByRole('link', { name: /Sign up|Create an account/ }).count()).toBe(0)
    await page.goto(`${gateway.url}/register`)
    await page.getByText(/Registration is closed/).waitFor()
    expect(thrown).toEqual([])
  })
})

const fakeTurnstile = `window.turnstile = {
  render(place, { sitekey, callback }) {
    place.textContent = 'widget of ' + sitekey
    callback('fake-answer')
    return 'widget'
  },
  remove() {},
}`

/** Runs in the page: logs in, makes a passkey on the device, and logs out again. */
async function registerPasskey(who: { username: string; password: string }): Promise<void> {
  let headers: Record<string, string> = { 'content-type': 'application/json' }
  const post = async (path: string, body: unknown) => {
    const reply = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
    const { success, message, data } = await reply.json()
    if (!success) throw new Error(message)
    return data
  }
  const { id } = await post('/api/user/login', who)
  headers = { ...headers, 'New-Api-User': String(id) }
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    await post('/api/user/self/passkeys/options', {}),
  )
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  await post('/api/user/self/passkeys', { name: 'device', credential: made.toJSON() })
  await fetch('/api/user/logout', { headers })
}
