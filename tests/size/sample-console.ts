import type { Browser, BrowserContext } from 'playwright-core'
import { ensureConsole } from '../../scripts/lib/console.mjs'
import { operate } from '../support/operator.ts'
import { startTollgate } from '../support/server.ts'
import { respond } from '../support/upstream/behaviours.ts'
import { startUpstream } from '../support/upstream/upstream.ts'

/** A running Tollgate with something to show on every page. */
export interface SampleConsole {
  readonly url: string
  /** A browser context of a visitor, or of root. */
  context(loggedIn: boolean): Promise<BrowserContext>
  stop(): Promise<void>
}

const password = 'correct-horse-battery'

export async function startSampleConsole(browser: Browser): Promise<SampleConsole> {
  await ensureConsole(() => undefined)
  const upstream = await startUpstream()
  upstream.on('gpt-4o', respond({ text: 'Hello.', usage: { promptTokens: 1200, completionTokens: 300 } }))
  const gateway = await startTollgate()
  const root = await operate(gateway.url)
  await root.addChannel({ name: 'Main', base_url: upstream.url, models: 'gpt-4o,gpt-4o-mini' })
  const { key } = await root.addKey({ name: 'laptop' })
  for (let call = 0; call < 3; call++)
    await (
      await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] }),
      })
    ).text()
  await root.consumption(3)
  const nobody = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
  const storageState = await loggedInState(nobody, gateway.url)

  return {
    url: gateway.url,
    context: (loggedIn) =>
      browser.newContext({
        locale: 'en-US',
        viewport: { width: 1440, height: 900 },
        ...(loggedIn && { storageState }),
      }),
    async stop() {
      await gateway.stop()
      await upstream.stop()
    },
  }
}

/** The browser's storage after a login. */
async function loggedInState(context: BrowserContext, url: string) {
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await page.getByRole('textbox', { name: /username/i }).fill('root')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL((address) => address.pathname !== '/login')
  await page.waitForLoadState('networkidle')
  const state = await context.storageState()
  await context.close()
  return state
}
