import type { Browser, BrowserContext } from 'playwright-core'
import { defaults } from '../../packages/api/src/settings/index.ts'
import { ensureConsole } from '../../scripts/lib/console.mjs'
import { type Operator, operate } from '../support/operator.ts'
import { startTollgate } from '../support/server.ts'
import { respond } from '../support/upstream/behaviours.ts'
import { startUpstream } from '../support/upstream/upstream.ts'

/** A running Tollgate with something to show on every page. */
export interface SampleConsole {
  readonly url: string
  /** A browser context of a visitor, or of root, at a desk unless another width is asked for. */
  context(loggedIn: boolean, width?: number): Promise<BrowserContext>
  stop(): Promise<void>
}

const password = 'correct-horse-battery'

export interface SampleOptions {
  /** Fills the pages with channels, models, users and calls; else there are a few. */
  readonly busy?: boolean
}

export async function startSampleConsole(
  browser: Browser,
  { busy = false }: SampleOptions = {},
): Promise<SampleConsole> {
  await ensureConsole(() => undefined)
  const upstream = await startUpstream()
  upstream.otherwise(respond({ text: 'Hello.', usage: { promptTokens: 1200, completionTokens: 300 } }))
  const gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  const root = await operate(gateway.url)
  await root.addChannel({ name: 'Main', base_url: upstream.url, models: 'gpt-4o,gpt-4o-mini' })
  if (busy) await fillPages(root, upstream.url)
  else await makeCalls(root, 3)
  const nobody = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
  const storageState = await loggedInState(nobody, gateway.url)

  return {
    url: gateway.url,
    context: (loggedIn, width = 1440) =>
      browser.newContext({
        locale: 'en-US',
        viewport: { width, height: 900 },
        ...(loggedIn && { storageState }),
      }),
    async stop() {
      await gateway.stop()
      await upstream.stop()
    },
  }
}

async function makeCalls(root: Operator, count: number): Promise<void> {
  const before = await root.consumed()
  const { key } = await root.addKey({ name: 'laptop' })
  for (let call = 0; call < count; call++)
    await (
      await fetch(`${root.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] }),
      })
    ).text()
  await root.consumption(before + count)
}

/** Two hundred models over a dozen channels, people with keys, and calls. */
export async function fillPages(root: Operator, upstreamUrl: string): Promise<void> {
  const names = Object.keys(defaults.ModelRatio).slice(0, 180)
  const own = Array.from({ length: 20 }, (_, index) => `own-model-${index + 1}`)
  const models = [...names, ...own]
  for (let channel = 0; channel < 12; channel++)
    await root.addChannel({
      name: `Channel ${channel + 1}`,
      base_url: upstreamUrl,
      models: models.filter((_, index) => index % 12 === channel || index % 7 === channel).join(','),
    })
  for (let user = 0; user < 15; user++) {
    await root.api('POST', '/api/user/', { username: `person${user + 1}`, password: 'a long password' })
    await root.addKey({ name: `Key ${user + 1}` })
  }
  await root.option('StatusPageEnabled', 'true')
  await root.api('POST', '/api/status_page/incident', {
    title: 'Some calls fail',
    models: models.slice(0, 12),
    text: 'Calls to some models fail.\nWe are looking into it.',
  })
  await makeCalls(root, 60)
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
