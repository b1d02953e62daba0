import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { brokenRules, openConsole, openWithin, switchUser } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { openBeside } from '../../support/processes/open-beside.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

let gateway: Tollgate
let upstream: Upstream
let sick: Upstream
let browser: Browser
let page: Page
let root: Operator
/** Request ids: of a call that a second channel served, of one that no channel served, of one for no model. */
let retried: string
let failed: string
let unknown: string
const requested: URL[] = []
let thrown: readonly string[]

async function call(key: string, model: string, more: object = {}): Promise<string> {
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...more }),
  })
  await reply.text()
  return reply.headers.get('x-request-id') ?? ''
}

/** The newest call to this path. */
function lastRequested(path: string): URLSearchParams | undefined {
  return requested.findLast(({ pathname }) => pathname === path)?.searchParams
}

/** Charged and failed calls of some seconds, as the log's rows have them. */
async function rowsBetween(from: number, to: number): Promise<readonly number[]> {
  const counts = [2, 5].map(async (type) => {
    const query = `type=${type}&start_timestamp=${from}&end_timestamp=${to}`
    return (await root.api<{ total: number }>('GET', `/api/log/?p=1&page_size=1&${query}`)).total
  })
  return Promise.all(counts)
}

/** Lists the cells of a table that lie outside its box, are cut though they are figures, or cover their neighbours. */
function unreadable(table: Element): readonly string[] {
  const box = table.parentElement ?? table
  const cells = [...table.querySelectorAll<HTMLElement>('th, td')]
  const cut = cells.filter((cell) => cell.matches('th, .figures') && cell.scrollWidth > cell.clientWidth)
  const outside = cells.filter((cell) =>
    [...cell.querySelectorAll('*')].some(
      (part) => part.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1,
    ),
  )
  return [
    ...(box.scrollWidth > box.clientWidth ? ['the table is wider than its box'] : []),
    ...[...cut, ...outside].map(({ textContent }) => textContent ?? ''),
  ]
}

/** Decides whether any text of an element is cut. */
function cutText(element: Element): boolean {
  return [...element.querySelectorAll('*')].some(
    (part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0,
  )
}

/** Nothing creates images yet, so the test writes them into the gateway's store. */
function writeDrawings(userId: number): void {
  const database = openBeside(gateway.dataDir)
  const insert = database.prepare(
    `insert into tasks (platform, action, upstream_id, user_id, token_id, channel_id, "group", model, hold_id, quota,
      status, progress, submitted_ms, started_ms, finished_ms, updated_ms, prompt, fail_reason, result, properties,
      reference, upstream_model, key_hash, charge)
     values ('mj', 'IMAGINE', ?, ?, 1, 1, 'default', 'm', '', 10, 'SUCCESS', 100, ?, ?, ?, ?, 'a red fox', '', '', ?,
      '', '', '', '')`,
  )
  const image = JSON.stringify({ image_url: '/logo.png' })
  const now = Date.now()
  insert.run('mj-new', userId, now, now, now + 30_000, now, image)
  const longAgo = now - 60 * 86_400_000
  insert.run('mj-old', userId, longAgo, longAgo, longAgo + 30_000, longAgo, image)
  database.close()
}

/** A little more than the list counts a response as fresh. */
const listStaysFreshMs = 2500

describe.skipIf(!hasChromium())('usage log and requests', () => {
  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'Hello.', usage: { promptTokens: 1000, completionTokens: 200 } }))
    sick = await startUpstream()
    sick.otherwise(refuse(500, { message: 'out of order' }))
    gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
    root = await operate(gateway.url)
    await root.option('DrawingEnabled', 'true')
    await root.option('MjForwardUrlEnabled', 'false')
    await root.option('ModelRatio', JSON.stringify({ 'gpt-4o': 1.25, 'sick-model': 1 }))
    await root.addChannel({ name: 'Sick one', base_url: sick.url, models: 'gpt-4o,sick-model', priority: 9 })
    await root.addChannel({ name: 'Good one', base_url: upstream.url, models: 'gpt-4o' })
    const { key } = await root.addKey({ name: 'laptop' })
    retried = await call(key, 'gpt-4o', { stream: true })
    await call(key, 'gpt-4o')
    failed = await call(key, 'sick-model')
    unknown = await call(key, 'no-such-model')
    await root.consumption(2)
    await until(async () => {
      const { total } = await root.api<{ total: number }>('GET', '/api/log/?p=1&page_size=1&type=5')
      return total === 2 || undefined
    })
    writeDrawings(root.userId)
    ;({ browser, page, thrown } = await openConsole(gateway.url))
    page.on('request', (request) => requested.push(new URL(request.url())))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream?.stop()
    await sick?.stop()
  })

  it('shows charged and failed calls alike, with names and reasons in the row', async () => {
    await openWithin(page, '/log')
    const row = (text: string) => page.getByRole('row').filter({ hasText: text })
    await row('no-such-model').getByText('The model no-such-model does not exist').waitFor()
    await row('sick-model').getByRole('cell', { name: 'Sick one' }).waitFor()
    await row('2 attempts').getByText('Good one').first().waitFor()
    expect(
      await row('gpt-4o')
        .first()
        .getByText(/^\d+ ms$/)
        .count(),
    ).toBeGreaterThan(0)
    expect(await brokenRules(page)).toEqual([])
  })

  it('fits twelve rows, and cards of at most 120 px on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await openWithin(page, '/log')
    const cards = page.getByRole('list', { name: 'Usage log' }).getByRole('listitem')
    await cards.first().waitFor()
    const heights = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height))
    expect(heights).toHaveLength(4)
    expect(Math.max(...heights)).toBeLessThanOrEqual(120)
    await page.setViewportSize({ width: 1280, height: 800 })
    const table = page.getByRole('table', { name: 'Usage log' })
    const box = await table.locator('xpath=..').boundingBox()
    const rowHeight = (await table.getByRole('row').nth(1).boundingBox())?.height ?? 0
    expect(((box?.height ?? 0) - 32) / rowHeight).toBeGreaterThanOrEqual(12)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('keeps every column in its box at every width, and reasons in full', async () => {
    const columns: Readonly<Record<number, string>> = {
      1920: 'Time,Model,User,Channel,Key,Group,Duration,First token,Prompt,Completion,Cost,Details',
      1440: 'Time,Model,User,Channel,Key,Duration,First token,Tokens in → out,Cost,Details',
      1280: 'Time,Model,User,Channel,Duration,Tokens in → out,Cost,Details',
      1024: 'Time,Model,User,Duration,Cost,Details',
      820: 'Time,Model,User,Duration,Cost,Details',
      620: 'Time,Model,Duration,Cost,Details',
    }
    await openWithin(page, '/log')
    const table = page.getByRole('table', { name: 'Usage log' })
    for (const [width, names] of Object.entries(columns)) {
      await page.setViewportSize({ width: Number(width), height: 800 })
      await until(
        async () => (await table.getByRole('columnheader').allInnerTexts()).join() === names || undefined,
      )
      expect(await table.evaluate(unreadable), `${width} px`).toEqual([])
      const reason = table.getByText(
        'The model no-such-model does not exist, or the group default cannot use it.',
      )
      expect(await reason.evaluate((text) => text.scrollHeight - text.clientHeight)).toBe(0)
      const texts = await table.getByRole('row').filter({ hasText: '2 attempts' }).last().textContent()
      for (const text of ['gpt-4o', 'root', 'Good one']) expect(texts).toContain(text)
    }
    expect(await brokenRules(page, [[820, 'light']])).toEqual([])
  })

  it('goes from row to row by keyboard, in the table and in the sheet', async () => {
    await openWithin(page, '/log')
    const rows = page.getByRole('table', { name: 'Usage log' }).getByRole('row')
    await rows.filter({ hasText: 'sick-model' }).waitFor()
    const focused = () => rows.evaluateAll((all) => all.indexOf(document.activeElement as HTMLElement))
    await page.getByRole('button', { name: 'Skip to the rows' }).focus()
    await page.keyboard.press('Enter')
    expect(await focused()).toBe(1)
    for (const key of ['j', 'ArrowDown', 'j', 'k', 'ArrowUp']) await page.keyboard.press(key)
    expect(await focused()).toBe(2)
    await page.keyboard.press('Enter')
    const title = page.getByRole('dialog').getByRole('heading', { level: 2 })
    await title.filter({ hasText: 'sick-model' }).waitFor()
    await page.keyboard.press('k')
    await title.filter({ hasText: 'no-such-model' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await title.filter({ hasText: 'sick-model' }).waitFor()
    await page.keyboard.press('j')
    await title.filter({ hasText: 'gpt-4o' }).waitFor()
  })

  it('has its filters in a readable address', async () => {
    await openWithin(page, '/log')
    await page.getByRole('searchbox').fill('4o')
    await page.waitForURL('**/log?model=*4o*')
    await page.getByText('no-such-model', { exact: true }).waitFor({ state: 'detached' })
    expect(lastRequested('/api/log/')?.get('model_name')).toBe('%4o%')
    await openWithin(page, '/log?type=5&range=7d')
    await page.getByText('sick-model').first().waitFor()
    expect(lastRequested('/api/log/')?.get('type')).toBe('5')
    expect(lastRequested('/api/log/stat')?.get('type')).toBe('5')
    await page.getByRole('button', { name: 'Channel' }).first().click()
    await page
      .getByRole('dialog', { name: 'Channel' })
      .getByRole('button', { name: /Sick one/ })
      .click()
    await page.waitForURL('**/log?type=5&range=7d&channel=1')
    await page.getByText('no-such-model', { exact: true }).waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('%22')
  })

  it('narrows the log to a quarter of an hour or an hour', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const [name, range, seconds] of [
      ['Last 15 minutes', '15m', 900],
      ['Last hour', '1h', 3600],
    ] as const) {
      await openWithin(page, '/log')
      await page.getByRole('button', { name: 'Time: Today' }).click()
      await page.getByRole('dialog').getByRole('radio', { name }).click()
      await page.waitForURL(`**/log?range=${range}`)
      await page.getByText('no-such-model', { exact: true }).waitFor()
      const from = Number(lastRequested('/api/log/')?.get('start_timestamp'))
      expect(Math.abs(now - seconds - from)).toBeLessThan(60)
      expect(Number(lastRequested('/api/log/histogram')?.get('start_timestamp')) - from).toBeLessThan(5)
    }
  })

  it('draws the calls of its filter over time, and shows the piece that is drawn over or chosen by keys', async () => {
    await openWithin(page, '/log?range=1h')
    const chart = page.getByRole('slider', { name: 'Choose a period' })
    await page.getByText('2 calls').waitFor()
    await page.getByRole('button', { name: '2 errors' }).waitFor()
    const { steps } = await root.api<{ steps: { at: number; calls: number; errors: number }[] }>(
      'GET',
      `/api/log/histogram?start_timestamp=${lastRequested('/api/log/histogram')?.get('start_timestamp')}&utc_offset=0`,
    )
    for (const step of steps.filter(({ calls, errors }) => calls + errors > 0)) {
      const counted = await rowsBetween(step.at, step.at + 59)
      expect(counted).toEqual([step.calls, step.errors])
    }
    const box = await chart.boundingBox()
    if (box === null) throw new Error('the chart is not drawn')
    await page.mouse.move(box.x + box.width - 1, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + 20, { steps: 3 })
    await page.getByText(/ · 2 calls · 2 errors$/).waitFor()
    await page.mouse.up()
    await page.waitForURL(/range=custom/)
    const { searchParams } = new URL(page.url())
    const length = Number(searchParams.get('to')) + 1 - Number(searchParams.get('from'))
    expect([length % 60, Math.abs(length - 1800) <= 120]).toEqual([0, true])
    await page.getByRole('row').filter({ hasText: 'no-such-model' }).waitFor()
    await page.goBack()
    await page.waitForURL(/range=1h/)
    await chart.focus()
    for (const key of ['Home', 'Shift+ArrowRight', 'Enter']) await page.keyboard.press(key)
    await page.waitForURL(/range=custom/)
    await page.getByText('0 calls').waitFor()
    expect(
      await brokenRules(page, [
        [1440, 'light'],
        [390, 'dark'],
      ]),
    ).toEqual([])
  })

  it('says why calls failed and with what, each a filter with one click', async () => {
    await openWithin(page, '/log')
    await page.getByRole('button', { name: '2 errors' }).click()
    const panel = page.getByRole('dialog', { name: 'Why calls failed' })
    const causes = panel.getByRole('listitem')
    await causes.first().waitFor()
    expect((await causes.allInnerTexts()).sort()).toEqual([
      expect.stringMatching(/^Model not found · no-such-model\s+1$/),
      expect.stringMatching(/^Upstream error · Sick one\s+1\s+Open channel$/),
    ])
    expect(
      await brokenRules(page, [
        [1440, 'light'],
        [390, 'dark'],
      ]),
    ).toEqual([])
    for (const [dimension, cause, address] of [
      ['Model', /^sick-model · Upstream error/, 'type=5&model=sick-model'],
      ['User', /^root/, 'type=5&user=root'],
      ['Channel', /^Sick one · Upstream error/, 'type=5&channel=1'],
      ['Reason', /^Upstream error/, 'reason=upstream_error'],
    ] as const) {
      await openWithin(page, '/log')
      await page.getByRole('button', { name: '2 errors' }).click()
      await panel.getByRole('button', { name: dimension, exact: true }).click()
      await panel.getByRole('button', { name: cause }).click()
      await page.waitForURL(`**/log?${address}`)
      await page.getByText('0 calls').waitFor()
    }
    expect(lastRequested('/api/log/')?.get('reason')).toBe('upstream_error')
    await page.getByRole('button', { name: '1 error' }).click()
    expect(await panel.getByRole('link', { name: 'Open channel' }).getAttribute('href')).toBe(
      '/channel/edit/1',
    )
    await page.keyboard.press('Escape')
    const rows = page.getByRole('table', { name: 'Usage log' }).getByRole('row')
    await until(async () => ((await rows.count()) === 2 ? true : undefined))
    await rows.filter({ hasText: 'sick-model' }).waitFor()
    await page.getByRole('button', { name: 'Clear filter Reason' }).click()
    await page.waitForURL('**/log')
  })

  it('remembers which columns are shown', async () => {
    await openWithin(page, '/log')
    await page.getByRole('columnheader', { name: 'Key' }).waitFor()
    await page.getByRole('button', { name: 'Columns and row height' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Key' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Key' }).waitFor({ state: 'detached' })
    const stored = await page.evaluate(() => localStorage.getItem('logs-table-columns'))
    expect(JSON.parse(stored ?? '{}')).toMatchObject({ token: false, model: true })
    await page.evaluate(() => localStorage.removeItem('logs-table-columns'))
  })

  it('exports what the filter shows', async () => {
    await openWithin(page, '/log?type=5')
    await page.getByText('sick-model').first().waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const file = await downloading
    expect(file.suggestedFilename()).toMatch(/^tollgate-log-\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv$/)
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines.join()).toContain(failed)
    expect(lines.join()).not.toContain(retried)
    expect(lastRequested('/api/log/export')?.has('utc_offset')).toBe(true)
    await page.getByText('The log was exported').waitFor()
  })

  it('leads from a row over its details to the page of its request', async () => {
    await openWithin(page, '/log')
    const row = page.getByRole('row').filter({ hasText: '2 attempts' }).last()
    await row.waitFor()
    await Bun.sleep(listStaysFreshMs)
    requested.length = 0
    await row.getByRole('cell').first().click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('Channels tried').first().waitFor()
    expect(await brokenRules(page)).toEqual([])
    // Opening a row does not read the rows again.
    expect(lastRequested('/api/log/')).toBeUndefined()
    await sheet.getByRole('link', { name: 'Open request page' }).click()
    await page.waitForURL(`**/log/request/${retried}`)
    await page.getByRole('heading', { name: 'gpt-4o', level: 1 }).waitFor()
    expect(lastRequested('/api/log/')?.get('request_id')).toBe(retried)
    const tries = page.getByRole('table', { name: 'Channels tried' }).getByRole('row')
    expect(await tries.allInnerTexts()).toEqual([
      expect.stringContaining('Upstream response'),
      expect.stringMatching(/1\s+Sick one\s+upstream failed\s*500\s+Retried on another channel/),
      expect.stringMatching(/2\s+Good one\s+Succeeded\s*200\s+Returned to caller/),
    ])
    const bill = page.getByRole('table', { name: 'Charge' })
    await bill.getByRole('row', { name: /Input.*1,000.*\$0\.002500/ }).waitFor()
    await bill.getByRole('row', { name: /Charged.*\$0\.004500/ }).waitFor()
    await page.getByRole('heading', { name: 'Timing' }).waitFor()
    await page.getByText('Stored details (JSON)').click()
    await page.getByText('"use_channel"').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  it('leads from a call to its channel and user, and from these to their calls', async () => {
    const sheet = page.getByRole('dialog')
    const openFailed = async () => {
      await openWithin(page, '/log')
      await page.getByRole('row').filter({ hasText: 'sick-model' }).getByRole('cell').first().click()
    }
    await openFailed()
    await sheet.getByRole('link', { name: 'Sick one #1' }).click()
    await page.waitForURL('**/channel/edit/1')
    const usage = sheet.getByRole('link', { name: 'Usage log' })
    expect(await usage.getAttribute('href')).toBe('/log?channel=1&range=24h')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More actions for Sick one' }).click()
    await page.getByRole('menuitem', { name: 'Usage log' }).click()
    await page.waitForURL('**/log?channel=1&range=24h')
    await openFailed()
    await sheet.getByRole('link', { name: /^root #\d+$/ }).click()
    await page.waitForURL('**/user/edit/*')
    await sheet
      .getByRole('region', { name: 'Results' })
      .getByRole('link', { name: /failed/ })
      .click()
    await page.waitForURL('**/log?*user=root*')
    await page.getByRole('row').filter({ hasText: 'sick-model' }).waitFor()
    await openWithin(page, '/pricing')
    await page.getByRole('link', { name: 'Usage log of sick-model' }).click()
    await page.waitForURL('**/log?model=sick-model&range=24h')
    await page.getByRole('row').filter({ hasText: 'sick-model' }).waitFor()
  })

  it('tells in either language why a request failed, and that it cost nothing', async () => {
    await openWithin(page, `/log/request/${failed}`)
    await page.getByText('The upstream returned status 500').waitFor()
    await page.getByText('out of order').first().waitFor()
    await page.getByText('Nothing was charged for this call.').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await openWithin(page, `/log/request/${unknown}`)
    await page.getByText('No channel was tried').waitFor()
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.reload()
    await page.getByText('模型 no-such-model 不存在').waitFor()
    await openWithin(page, '/log')
    await page.getByText('上游返回状态码 500').first().waitFor()
    expect(await page.getByText(/The model|The upstream/).count()).toBe(0)
    await page.evaluate(() => localStorage.setItem('language', 'en'))
  })

  it('reads rows that are no calls in the language that is chosen, without loading the page anew', async () => {
    const code = { name: 'gift', count: 1, quota: 250_000 }
    const [key = ''] = await root.api<string[]>('POST', '/api/redemption/', code)
    await root.api('POST', '/api/user/topup', { key })
    await page.goto(`${gateway.url}/log?type=1`)
    const row = page.getByRole('row').filter({ hasText: 'Redeemed ＄0.500000 of quota' })
    await row.waitFor()
    expect(await row.getByRole('cell').last().evaluate(cutText)).toBe(false)
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('menuitemradio', { name: '简体中文' }).click()
    await page.getByText('兑换了 ＄0.500000 额度').waitFor()
    expect(await page.getByText('Redeemed').count()).toBe(0)
    await page.evaluate(() => localStorage.setItem('language', 'en'))
  })

  it('shows a drawing, or its image, that an address names, whatever its age', async () => {
    await page.goto(`${gateway.url}/midjourney?open=mj-old`)
    await page.getByRole('dialog').getByText('"mj_id": "mj-old"').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/midjourney')
    await page.getByRole('row', { name: /mj-new/ }).click({ position: { x: 4, y: 4 } })
    await page.waitForURL('**/midjourney?open=mj-new')
    await page.reload()
    await page.getByRole('dialog').getByRole('img', { name: 'a red fox' }).waitFor()
    await openWithin(page, '/midjourney?open=nothing')
    await page.getByRole('dialog').getByText('This entry does not exist').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  it('narrows the time to days chosen from a calendar, by keyboard and in both languages', async () => {
    await openWithin(page, '/log')
    await page.getByRole('button', { name: 'Time: Today' }).focus()
    await page.keyboard.press('Enter')
    const editor = page.getByRole('dialog')
    await editor.getByRole('radio', { name: 'Custom range' }).focus()
    await page.keyboard.press('Space')
    await editor.getByRole('button', { name: /^Today, / }).focus()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    const today = await focused()
    await page.keyboard.press('PageUp')
    await until(async () => ((await focused()) === today ? undefined : true))
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await editor.getByRole('button', { name: 'Apply range' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/range=custom/)
    const { searchParams } = new URL(page.url())
    const days = (Number(searchParams.get('to')) + 1 - Number(searchParams.get('from'))) / 86_400
    expect(Math.round(days)).toBe(2)

    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.goto(`${gateway.url}/log`)
    await page.getByRole('button', { name: '时间：今天' }).focus()
    await page.keyboard.press('Enter')
    await editor.getByRole('radio', { name: '自定义时间' }).focus()
    await page.keyboard.press('Space')
    await editor.getByRole('grid', { name: /月/ }).waitFor()
    await editor.getByRole('button', { name: '应用' }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.evaluate(() => localStorage.setItem('language', 'en'))
  })

  it('shows people their own requests without the channels, and no one else’s', async () => {
    const ada = await addUser(gateway, 'ada', 5_000_000)
    const { key } = await ada.addKey({ name: 'phone' })
    const own = await call(key, 'gpt-4o')
    await call(key, 'sick-model')
    await root.consumption(3)
    await switchUser(page, gateway.url, { username: 'ada', password: 'a-long-password' })
    requested.length = 0
    await openWithin(page, `/log/request/${own}`)
    await page.getByRole('heading', { name: 'Charge' }).waitFor()
    expect(lastRequested('/api/log/self')?.get('request_id')).toBe(own)
    for (const text of ['Channels tried', 'Good one', 'Stored details (JSON)'])
      expect(await page.getByText(text).count()).toBe(0)
    await openWithin(page, `/log/request/${retried}`)
    await page.getByText('Request not found').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('link', { name: 'Go to the usage log' }).click()
    await page.getByRole('row').filter({ hasText: 'gpt-4o' }).first().waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    expect(readFileSync(await (await downloading).path(), 'utf8')).not.toContain(retried)
    expect(lastRequested('/api/log/self/export')).toBeDefined()
    await page.getByRole('button', { name: '1 error' }).click()
    const panel = page.getByRole('dialog', { name: 'Why calls failed' })
    expect(await panel.getByRole('listitem').first().textContent()).toBe('Upstream error1')
    for (const dimension of ['User', 'Channel'])
      expect(await panel.getByRole('button', { name: dimension }).count()).toBe(0)
    expect(lastRequested('/api/log/self/failures')).toBeDefined()
    await page.keyboard.press('Escape')
    for (const column of ['Channel', 'User', 'Tried'])
      expect(await page.getByRole('columnheader', { name: column, exact: true }).count()).toBe(0)
    const sent = requested.filter(({ pathname }) => pathname.startsWith('/api/'))
    expect(sent.filter(({ pathname }) => /^\/api\/(channel|user\/\d|log\/$)/.test(pathname))).toEqual([])
    expect(thrown).toEqual([])
  })
})
