import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { type Operator, operate } from './operator.ts'
import { startTollgate, type Tollgate } from './server.ts'

const account = { username: 'root', password: 'correct-horse-battery' }
const conformance = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The other theme is other colours and nothing else. */
const looks = [
  [1440, 'light'],
  [390, 'light'],
  [390, 'dark'],
] as const

/** An option change as the browser sent it. */
export interface SentChange {
  readonly key: string
  readonly value?: string
  readonly clear?: boolean
}

/** The settings of a gateway of its own, open in a browser in which root is logged in. */
export interface SettingsPage {
  readonly gateway: Tollgate
  readonly operator: Operator
  readonly page: Page
  /** Since the last `open`. */
  readonly sent: SentChange[]
  stored(key: string): Promise<string>
  open(tab: string): Promise<void>
  field(name: string): Locator
  save(): Promise<void>
  /** Waits until nothing is unsaved. */
  saved(): Promise<void>
  logIn(username: string, password: string): Promise<void>
  /** What breaks the rules of accessibility on the page as it stands, at both widths and in both themes. */
  broken(): Promise<readonly string[]>
  stop(): Promise<void>
}

export async function startSettingsPage(): Promise<SettingsPage> {
  const gateway = await startTollgate()
  const operator = await operate(gateway.url)
  const browser: Browser = await launchChromium()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  page.setDefaultTimeout(8000)
  const sent: SentChange[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/api/option/'))
      sent.push(request.postDataJSON())
  })
  const settings: SettingsPage = {
    gateway,
    operator,
    page,
    sent,
    async stored(key) {
      const options = await operator.api<{ key: string; value: string }[]>('GET', '/api/option/')
      return options.find((option) => option.key === key)?.value ?? ''
    },
    async open(tab) {
      await page.goto(`${gateway.url}/setting?tab=${tab}`)
      await page.getByRole('button', { name: 'Save changes' }).waitFor()
      sent.length = 0
    },
    field: (name) => page.getByRole('textbox', { name, exact: true }),
    save: () => page.getByRole('button', { name: 'Save changes' }).click(),
    saved: () => page.getByText('No unsaved changes').waitFor(),
    async logIn(username, password) {
      await page.goto(`${gateway.url}/login`)
      await page.getByRole('textbox', { name: /username/i }).fill(username)
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname !== '/login')
    },
    broken: () => brokenRules(page),
    async stop() {
      await browser.close()
      await gateway.stop()
    },
  }
  await settings.logIn(account.username, account.password)
  return settings
}

async function brokenRules(page: Page): Promise<readonly string[]> {
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
