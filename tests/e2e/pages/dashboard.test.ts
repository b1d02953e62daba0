import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { brokenRules, openConsole, switchUser } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

let gateway: Tollgate
let upstream: Upstream
let browser: Browser
let page: Page
let root: Operator
let key: string
/** Paths and queries of the calls that pages made. */
const asked: URL[] = []
let thrown: readonly string[]

function call(model: string): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  })
}

/** The newest call to this path. */
function lastAsked(path: string): URLSearchParams | undefined {
  return asked.findLast(({ pathname }) => pathname === path)?.searchParams
}

const now = Date.now()

/** Nothing creates tasks yet, so the test writes them into the gateway's store. */
function writeTasks(userId: number): void {
  const database = new Database(join(gateway.dataDir, 'tollgate.db'))
  const insert = database.prepare(
    `insert into tasks (platform, action, upstream_id, user_id, token_id, channel_id, "group", model, hold_id, quota,
      status, progress, submitted_ms, started_ms, finished_ms, updated_ms, prompt, fail_reason, result, properties,
      reference, upstream_model, key_hash, charge)
     values (?, ?, ?, ?, 1, 1, 'default', 'm', '', 10, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, '', '', '', '')`,
  )
  const at = now - 90_000
  const image = JSON.stringify({ image_url: '/logo.png' })
  insert.run('mj', 'IMAGINE', 'mj-1', userId, 'SUCCESS', 100, at, at, at + 30_000, at, 'a red fox', '', image)
  insert.run('mj', 'UPSCALE', 'mj-2', userId, 'FAILURE', 40, at, at, at + 80_000, at, '', 'banned prompt', '')
  insert.run('suno', 'MUSIC', 'suno-1', userId, 'IN_PROGRESS', 50, at, at, 0, at, 'a slow waltz', '', '')
  insert.run('suno', 'LYRICS', 'suno-2', userId, 'SUCCESS', 100, at, at, at + 20_000, at, 'rain', '', '')
  database.close()
}

describe.skipIf(!hasChromium())('dashboard and task lists', () => {
  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.on('gpt-4o', respond({ text: 'Hello.', usage: { promptTokens: 1000, completionTokens: 200 } }))
    upstream.on('gpt-4o-mini', respond({ text: 'Hi.', usage: { promptTokens: 100, completionTokens: 20 } }))
    gateway = await startTollgate()
    root = await operate(gateway.url)
    await root.option('DrawingEnabled', 'true')
    await root.option('MjForwardUrlEnabled', 'false')
    await root.option('TaskEnabled', 'true')
    await root.option('DataExportEnabled', 'true')
    ;({ browser, page, thrown } = await openConsole(gateway.url))
    page.on('request', (request) => asked.push(new URL(request.url())))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream?.stop()
  })

  it('is where the site’s address leads who is logged in, and shows an empty gateway the way to its first call', async () => {
    await page.goto(gateway.url)
    await page.waitForURL('**/detail')
    const steps = page.getByRole('list').filter({ hasText: 'Price your models' })
    await steps.waitFor()
    expect(await steps.getByRole('link').allTextContents()).toHaveLength(4)
    await steps.getByRole('link', { name: /Add a channel/ }).click()
    await page.waitForURL('**/channel/add')
  })

  it('says what is wrong, why, and leads to it', async () => {
    upstream.on('broken-model', refuse(401, { message: 'bad key' }))
    await root.addChannel({ name: 'Main upstream', base_url: upstream.url, models: 'gpt-4o,gpt-4o-mini' })
    const sick = await root.addChannel({
      name: 'Sick upstream',
      base_url: upstream.url,
      models: 'broken-model',
    })
    await root.option(
      'ModelRatio',
      JSON.stringify({ 'gpt-4o': 1.25, 'gpt-4o-mini': 0.075, 'broken-model': 1 }),
    )
    ;({ key } = await root.addKey({ name: 'laptop' }))
    for (const model of ['gpt-4o', 'gpt-4o', 'gpt-4o-mini', 'broken-model']) await call(model)
    await root.consumption(3)
    await page.goto(`${gateway.url}/detail`)
    const row = page.getByRole('listitem').filter({ hasText: 'Sick upstream' }).first()
    await row.getByText('never responded').waitFor()
    expect(await row.textContent()).toContain('Key refused (status 401)')
    await row.getByRole('link', { name: 'Open channel' }).click()
    await page.waitForURL(`**/channel/edit/${sick.id}`)
  })

  it('charts what was spent, in figures that add up with the log', async () => {
    await page.goto(`${gateway.url}/detail`)
    const spent = await root.api<{ quota: number }>('GET', '/api/log/stat?type=2')
    await page.getByRole('button', { name: 'Show as table' }).click()
    const table = page.getByRole('region', { name: 'Cost over time' })
    await table.waitFor()
    const total = `$${(spent.quota / 500_000).toFixed(4)}`
    const cells = await table.getByRole('cell').allTextContents()
    expect(Number(cells[0]?.slice(1))).toBeCloseTo(Number(total.slice(1)), 3)
    await page.getByRole('button', { name: 'Calls', exact: true }).click()
    await page.waitForURL('**/detail?show=calls')
    await page.getByRole('button', { name: 'Day', exact: true }).click()
    await page.waitForURL(/by=day/)
    await page.getByRole('region', { name: 'Calls over time' }).getByRole('button').click()
    await page.waitForURL(/range=custom/)
    expect(lastAsked('/api/data/')?.get('granularity')).toBe('hour')
    expect(lastAsked('/api/data/')?.has('utc_offset')).toBe(true)
  })

  it('shows the last hour by the minute, and leads from its failed calls to why they failed', async () => {
    await page.goto(`${gateway.url}/detail`)
    await page.getByRole('button', { name: /^Time/ }).click()
    await page.getByRole('radio', { name: 'Last hour' }).click()
    await page.waitForURL(/range=1h/)
    const chart = page.getByRole('slider', { name: /Choose a period/ })
    await chart.press('End')
    const usage = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Usage' }) })
      .last()
    expect(await usage.textContent()).toContain('Calls3Failed calls1')
    expect(await brokenRules(page)).toEqual([])
    await usage.getByRole('link', { name: '1', exact: true }).click()
    await page.waitForURL(/\/log\?.*range=1h.*why=true/)
    await page.getByRole('dialog', { name: 'Why calls failed' }).getByText('Channel key refused').waitFor()
  })

  it('shows one person’s figures, and leads from a model to its calls', async () => {
    await page.goto(`${gateway.url}/detail?user=nobody`)
    await page.getByText('nobody made no calls.').waitFor()
    expect(lastAsked('/api/data/')?.get('username')).toBe('nobody')
    await page.getByRole('button', { name: 'Clear filter User' }).click()
    await page.getByTitle('gpt-4o-mini').click()
    await page.waitForURL(/\/log\?.*model=gpt-4o-mini/)
    await page.getByRole('row', { name: /gpt-4o-mini/ }).waitFor()
  })

  it('meets WCAG A and AA, as chart and as table', async () => {
    await page.goto(`${gateway.url}/detail`)
    await page.locator('[data-bar]').first().waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Show as table' }).click()
    expect(await brokenRules(page)).toEqual([])
  })

  it('shows drawings with their progress, image and row, and narrows them', async () => {
    writeTasks(root.userId)
    await page.goto(`${gateway.url}/midjourney`)
    await page.getByText('Callbacks for drawings are off').waitFor()
    const row = page.getByRole('row', { name: /mj-1/ })
    expect(await row.textContent()).toContain('30 s')
    await row.getByText('Imagine').click()
    await page.getByRole('dialog').getByRole('img', { name: 'a red fox' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('banned prompt').click()
    await page.getByRole('dialog').getByText('"fail_reason": "banned prompt"').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('mj-2')
    await page.waitForURL('**/midjourney?id=mj-2')
    await page.getByText('mj-1').waitFor({ state: 'detached' })
    const query = lastAsked('/api/mj/')
    expect(query?.get('mj_id')).toBe('mj-2')
    expect(Number(query?.get('start_timestamp'))).toBeGreaterThan(10 ** 12)
    expect(await brokenRules(page)).toEqual([])
  })

  it('shows tasks, and narrows them by type and state', async () => {
    await page.goto(`${gateway.url}/task?range=24h`)
    await page.getByText('suno-1').waitFor()
    expect(await page.getByRole('progressbar').first().getAttribute('aria-valuenow')).toBe('100')
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Status' }).first().click()
    await page.getByRole('dialog', { name: 'Status' }).getByRole('button', { name: 'In progress' }).click()
    await page.waitForURL(/status=IN_PROGRESS/)
    await page.getByText('suno-2').waitFor({ state: 'detached' })
    expect(lastAsked('/api/task/')?.get('status')).toBe('IN_PROGRESS')
    expect(Number(lastAsked('/api/task/')?.get('start_timestamp'))).toBeLessThan(10 ** 11)
    await page.getByRole('cell', { name: 'In progress' }).click()
    await page.getByRole('dialog').getByText('"task_id": "suno-1"').waitFor()
  })

  it('tells people of their own keys and balance, and nothing of the gateway', async () => {
    const ada = await addUser(gateway, 'ada', 0)
    const { id } = await ada.addKey({ name: 'old laptop', expired_time: Math.floor(Date.now() / 1000) + 1 })
    await until(async () =>
      (await ada.api<unknown[]>('GET', '/api/token/?status=3')).length > 0 ? true : undefined,
    )
    await ada.addKey({ name: 'new laptop', expired_time: Math.floor(Date.now() / 1000) + 3 * 86_400 })
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.removeItem('user'))
    await switchUser(page, gateway.url, { username: 'ada', password: 'a-long-password' })
    asked.length = 0
    await page.goto(`${gateway.url}/detail`)
    await page.getByText('Your balance is used up').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'old laptop' }).getByText('Expired').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'new laptop' }).getByText('Expires soon').waitFor()
    expect(asked.filter(({ pathname }) => pathname.startsWith('/api/channel'))).toEqual([])
    expect(lastAsked('/api/data/self')).toBeDefined()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('link', { name: 'Edit key' }).first().click()
    await page.waitForURL(`**/token/edit/${id}`)
    await page.goto(`${gateway.url}/midjourney`)
    await page.getByText('No drawings in this period').waitFor()
    expect(lastAsked('/api/mj/self')).toBeDefined()
    await page.goto(`${gateway.url}/task`)
    await page.getByText('No tasks in this period').waitFor()
    expect(lastAsked('/api/task/self')).toBeDefined()
  })

  it('is in the menu only while the installation has it', async () => {
    const menu = page.getByRole('navigation', { name: 'Pages' })
    await menu.getByRole('link', { name: 'Dashboard' }).waitFor()
    await root.option('DataExportEnabled', 'false')
    await root.option('DrawingEnabled', 'false')
    await root.option('TaskEnabled', 'false')
    await page.reload()
    await menu.getByRole('link', { name: 'Wallet' }).waitFor()
    for (const name of ['Dashboard', 'Drawings', 'Tasks'])
      await menu.getByRole('link', { name }).waitFor({ state: 'detached' })
    expect(await menu.getByRole('link').allTextContents()).toEqual([
      'Playground',
      'API keys',
      'Usage log',
      'Wallet',
      'Personal settings',
    ])
    expect(thrown).toEqual([])
  })
})
