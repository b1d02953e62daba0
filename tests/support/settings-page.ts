import type { Locator, Page } from 'playwright-core'
import { brokenRules, type Look, openConsole, switchUser } from './browser.ts'
import { type Credentials, type Operator, operate } from './operator.ts'
import { startTollgate, type Tollgate } from './server.ts'

const looks: readonly Look[] = [
  [1440, 'light'],
  [390, 'light'],
  [390, 'dark'],
]

/** An option change as the browser sent it, without what it was made on. */
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
  logIn(who: Credentials): Promise<void>
  /** Returns the rules of accessibility that the page breaks. */
  broken(): Promise<readonly string[]>
  stop(): Promise<void>
}

export async function startSettingsPage(): Promise<SettingsPage> {
  const gateway = await startTollgate()
  const operator = await operate(gateway.url)
  const { browser, page } = await openConsole(gateway.url)
  const sent: SentChange[] = []
  page.on('request', (request) => {
    if (request.method() !== 'PUT' || !request.url().endsWith('/api/option/')) return
    const { base: _, ...change } = request.postDataJSON()
    sent.push(change)
  })
  return {
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
    logIn: (who) => switchUser(page, gateway.url, who),
    broken: () => brokenRules(page, looks),
    async stop() {
      await browser.close()
      await gateway.stop()
    },
  }
}
