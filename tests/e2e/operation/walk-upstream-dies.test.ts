import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

/** The one key that the upstream accepts; it refuses every other one. */
let accepted = 'sk-good-key-00000001'
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch({ headers }) {
    if (headers.get('authorization') !== `Bearer ${accepted}`)
      return Response.json({ error: { message: 'wrong key' } }, { status: 401 })
    const message = { role: 'assistant', content: 'hi' }
    return Response.json({
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
    })
  },
})
const base_url = `http://127.0.0.1:${upstream.port}`

let gateway: Tollgate
let root: Operator
let browser: Browser
let page: Page

describe.skipIf(!hasChromium())('an upstream dies', () => {
  beforeAll(async () => {
    gateway = await startTollgate()
    root = await operate(gateway.url)
    await root.option('AutomaticDisableChannelEnabled', 'true')
    await root.addChannel({
      name: 'Main',
      base_url,
      type: 43,
      models: 'm-small',
      key: 'sk-good-key-00000001',
    })
    await root.option('ModelRatio', JSON.stringify({ 'm-small': 1 }))
    ;({ browser, page } = await openConsole(gateway.url))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream.stop(true)
  })

  const status = async () => (await root.api<{ status: number }>('GET', '/api/channel/1')).status

  it('and its operator sees it, learns why and puts it right, from the first page', async () => {
    const { key } = await root.addKey({ name: 'laptop' })
    const call = () =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'm-small', messages: [{ role: 'user', content: 'Hi' }] }),
      })
    expect((await call()).status).toBe(200)
    await page.goto(`${gateway.url}/detail`)
    await page.getByText('Nothing needs you', { exact: false }).waitFor()
    accepted = 'sk-fresh-key-0000001'
    expect((await call()).status).toBeGreaterThanOrEqual(400)
    await until(async () => ((await status()) === 3 ? true : undefined))
    await page.reload()
    const row = page.getByRole('listitem').filter({ hasText: 'Main' }).first()
    await row.getByText(/key was refused \(status 401\): wrong key/).waitFor()
    await row.getByRole('link', { name: 'Open channel' }).click()
    const form = page.getByRole('dialog', { name: 'Main' })
    await form
      .getByText(/Since .*key was refused/)
      .first()
      .waitFor()
    await form.getByRole('textbox', { name: /^New key/ }).fill('sk-fresh-key-0000001')
    await form.getByRole('button', { name: /^Save channel/ }).click()
    await page.getByText('Channel updated').waitFor()
    await page.getByRole('button', { name: 'Enable Main' }).click()
    await until(async () => ((await status()) === 1 ? true : undefined))
    await page.getByRole('button', { name: 'Test Main' }).click()
    await page.getByText(/Main passed the test/).waitFor()
    expect((await call()).status).toBe(200)
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await page.getByText('Nothing needs you', { exact: false }).waitFor()
  })
})
