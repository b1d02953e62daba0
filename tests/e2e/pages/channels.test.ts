import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { brokenRules, openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(60_000)

interface Row {
  readonly id: number
  readonly name: string
  readonly status: number
  readonly tag: string
  readonly priority: number
  readonly weight: number
  readonly balance: number
  readonly models: string
}

/** Responds to chats after a pause that the test sets, reports its balance, and refuses one of its keys. */
const pause = { ms: 0 }
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch({ url, headers }) {
    if (url.endsWith('/user/balance'))
      return Response.json({ balance_infos: [{ currency: 'CNY', total_balance: '42.00' }] })
    await Bun.sleep(pause.ms)
    if (headers.get('authorization')?.includes('refused'))
      return Response.json({ error: { message: 'wrong key' } }, { status: 401 })
    const message = { role: 'assistant', content: 'hi' }
    return Response.json({
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    })
  },
})
const base_url = `http://127.0.0.1:${upstream.port}`

let gateway: Tollgate
let root: Operator
let browser: Browser
let page: Page
/** What the pages complained about in their console. */
let thrown: readonly string[]

const rows = (query = '') => root.api<Row[]>('GET', `/api/channel/?page_size=100&${query}`)
const named = async (name: string) => (await rows()).find((row) => row.name === name)
const row = (name: string) => page.getByRole('row').filter({ hasText: name }).first()
const open = async (path: string) => {
  await page.goto(gateway.url + path)
  await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor()
}
/** Ticks these rows and waits for the bar under the table. */
async function choose(...names: readonly string[]): Promise<void> {
  for (const name of names) await row(name).getByRole('checkbox').click()
  await page.getByRole('toolbar', { name: `${names.length} selected` }).waitFor()
}
const bar = (action: string) => page.getByRole('toolbar').getByRole('button', { name: action, exact: true })
async function fromMenu(menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
describe.skipIf(!hasChromium())('the channels page', () => {
  beforeAll(async () => {
    gateway = await startTollgate()
    root = await operate(gateway.url)
    const common = { base_url, models: 'gpt-4o-mini', type: 43 }
    for (const name of ['alpha', 'beta', 'gamma', 'delta'])
      await root.addChannel({ ...common, name, tag: name < 'c' ? 'eu' : '' })
    await root.addChannel({ ...common, name: 'broken', key: 'sk-refused' })
    await root.option('AutomaticDisableChannelEnabled', 'true')
    ;({ browser, page, thrown } = await openConsole(gateway.url))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream.stop(true)
  })

  it('never shows a channel as healthy before its first response', async () => {
    await open('/channel')
    await row('alpha').getByText('Untested').first().waitFor()
  })

  it('tests all with progress, and ends a test that is cancelled', async () => {
    pause.ms = 2000
    await page.getByRole('button', { name: 'Test all' }).click()
    await page.getByRole('progressbar', { name: 'Testing all enabled channels' }).waitFor()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByText(/Test cancelled after/).waitFor()
    pause.ms = 0
    await page.getByRole('button', { name: 'Test all' }).click()
    await page.getByText('1 of 5 channels failed the test').waitFor()
    await row('alpha').getByText('Healthy').waitFor()
  })

  it('says in the row why a channel is off, and puts it first', async () => {
    await row('broken').getByText('Auto-disabled').waitFor()
    await row('broken')
      .getByText(/key refused|key was refused/)
      .waitFor()
    await page.getByRole('button', { name: 'Problems first' }).click()
    await page.waitForURL('**/channel?sort=-problems')
    await until(async () =>
      (await page.getByRole('row').nth(1).textContent())?.includes('broken') ? true : undefined,
    )
  })

  it('narrows the list by what is in the address', async () => {
    await open('/channel?status=3')
    await row('broken').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await open('/channel?tag=eu&keyword=alp')
    await row('alpha').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
  })

  it('moves a row whose priority changed', async () => {
    await open('/channel')
    const priority = page.getByRole('textbox', { name: 'Priority of alpha' })
    await priority.fill('7')
    await priority.press('Enter')
    await until(async () =>
      (await page.getByRole('row').nth(1).textContent())?.includes('alpha') ? true : undefined,
    )
    expect((await named('alpha'))?.priority).toBe(7)
  })

  it('changes many by one call each', async () => {
    await choose('gamma', 'delta')
    await bar('Tag').click()
    const tag = page.getByRole('dialog', { name: 'Tag 2 channels' })
    await tag.getByRole('button', { name: 'Set' }).click()
    await tag.getByText('The tag cannot be empty').waitFor()
    await tag.getByRole('textbox', { name: 'Tag' }).fill('us')
    await tag.getByRole('button', { name: 'Set' }).click()
    await page.getByText('Tag set for 2 channels').waitFor()
    expect((await rows('tag=us')).length).toBe(2)
    for (const [action, field] of [
      ['Priority', 'priority'],
      ['Weight', 'weight'],
    ] as const) {
      await choose('gamma', 'delta')
      await bar(action).click()
      await page.getByRole('dialog').getByRole('textbox', { name: action }).fill('3')
      await page.keyboard.press('Enter')
      await page.getByText(`${action} set for 2 channels`).waitFor()
      expect((await rows('tag=us')).map((each) => each[field])).toEqual([3, 3])
    }
    for (const [action, status] of [
      ['Disable', 2],
      ['Enable', 1],
    ] as const) {
      await choose('gamma', 'delta')
      await bar(action).click()
      await page.getByText(`2 channels ${action.toLowerCase()}d`).waitFor()
      expect((await rows('tag=us')).map((each) => each.status)).toEqual([status, status])
    }
    await choose('gamma', 'broken')
    await bar('Test').click()
    await page.getByRole('dialog', { name: '1 channel failed the test' }).getByText('broken').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  })

  it('tests chosen ones with progress, and begins no other once it is stopped', async () => {
    // Those that failed before are still chosen.
    await open('/channel')
    pause.ms = 500
    await choose('alpha', 'beta', 'gamma', 'delta', 'broken')
    await bar('Test').click()
    await page.getByRole('progressbar', { name: 'Testing the selected channels' }).waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page
      .getByRole('progressbar', { name: 'Testing the selected channels' })
      .waitFor({ state: 'detached' })
    pause.ms = 0
    await open('/channel')
  })

  it('gathers the channels of a tag under one row', async () => {
    await open('/channel?tag_mode=true')
    await page.getByRole('button', { name: 'Show the channels of us' }).click()
    await row('gamma').waitFor()
    await page.getByRole('button', { name: 'Disable all channels of us' }).click()
    await page.getByText('2 channels disabled').waitFor()
    expect((await rows('tag=us')).map(({ status }) => status)).toEqual([2, 2])
    await page.getByRole('button', { name: 'Enable all channels of us' }).click()
    await page.getByText('2 channels enabled').waitFor()
    const weight = page.getByRole('textbox', { name: 'Weight of us' })
    expect(await weight.inputValue()).toBe('3')
    await weight.fill('5')
    await weight.press('Enter')
    await page.getByRole('button', { name: 'Change 2 channels' }).click()
    await until(async () => ((await rows('tag=us')).every((each) => each.weight === 5) ? true : undefined))
    expect(await brokenRules(page)).toEqual([])
  })

  it('edits the channels of a tag together', async () => {
    await page.getByRole('button', { name: 'Edit the channels of us' }).click()
    const sheet = page.getByRole('dialog', { name: 'Edit tag us' })
    await sheet.getByRole('button', { name: /Save changes/ }).click()
    await sheet.getByText('No changes').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await sheet.getByRole('textbox', { name: 'Tag' }).fill('asia')
    const models = sheet.getByRole('combobox', { name: 'Models' })
    await models.pressSequentially('gpt-4o,')
    await models.press('Tab')
    await sheet.getByRole('textbox', { name: 'Priority' }).fill('x')
    await sheet.getByRole('button', { name: /Save changes/ }).click()
    await sheet.getByText(/Priority must be an integer/).waitFor()
    await sheet.getByRole('textbox', { name: 'Priority' }).fill('4')
    await sheet.getByRole('button', { name: /Save changes/ }).click()
    await page.getByText('Tag updated').waitFor()
    expect((await rows('tag=asia')).map(({ models, priority }) => [models, priority])).toEqual([
      ['gpt-4o', 4],
      ['gpt-4o', 4],
    ])
  })

  it('updates balances, of one and of all', async () => {
    await open('/channel')
    await page.getByRole('button', { name: 'Update the balance of alpha' }).click()
    await row('alpha').getByText('$42.00 left').waitFor()
    await fromMenu('More actions for all channels', 'Update all balances')
    await page.getByText(/balances? (updated|could not be read)/).waitFor()
    await until(async () => ((await named('delta'))?.balance === 42 ? true : undefined))
  })

  it('shows the keys to root, written down', async () => {
    await fromMenu('More actions for alpha', 'Show keys')
    const dialog = page.getByRole('dialog', { name: 'Keys of alpha' })
    await dialog.getByRole('button', { name: 'Show keys' }).click()
    await dialog.getByText('sk-upstream-secret-0001').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).click()
    const acts = await root.api('GET', '/api/audit_log/?p=1&page_size=20')
    expect(JSON.stringify(acts)).toContain('channel.reveal-keys')
  })

  it('duplicates on the server, tests models, and disables one', async () => {
    await fromMenu('More actions for beta', 'Duplicate')
    await page.waitForURL('**/channel/edit/6')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.waitForURL('**/channel')
    expect((await rows()).length).toBe(6)
    await fromMenu('More actions for alpha', 'Test models')
    const dialog = page.getByRole('dialog', { name: 'Test alpha' })
    await dialog.getByRole('button', { name: 'Test 1 model' }).click()
    await dialog.getByText(/\d+ ms/).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Disable alpha' }).click()
    await page.getByText('alpha disabled').waitFor()
    expect((await named('alpha'))?.status).toBe(2)
  })

  it('repairs, and deletes chosen and disabled ones after asking', async () => {
    await fromMenu('More actions for all channels', 'Repair channel data')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Repair' }).click()
    await page.getByText(/repairs? made/).waitFor()
    await fromMenu('More actions for beta copy', 'Delete')
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await until(async () => ((await rows()).length === 5 ? true : undefined))
    await choose('delta')
    await bar('Delete').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 1 channel' }).click()
    await page.getByText('1 channel deleted').waitFor()
    expect(await named('delta')).toBeUndefined()
    await fromMenu('More actions for all channels', 'Delete disabled channels')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete disabled channels' }).click()
    await page.getByText(/disabled channels? deleted/).waitFor()
    expect((await rows()).every(({ status }) => status === 1)).toBe(true)
  })

  it('shows twelve rows on a small desk, and leaves the list alone when a form opens', async () => {
    for (let index = 0; index < 20; index += 1)
      await root.addChannel({ name: `more ${index}`, base_url, models: 'gpt-4o', type: 43 })
    await page.setViewportSize({ width: 1280, height: 800 })
    await open('/channel')
    await row('more 1').waitFor()
    const seen = await page.getByRole('row').evaluateAll((all) => {
      const box = all[0]?.closest('table')?.parentElement?.getBoundingClientRect()
      return all.filter((each) => each.getBoundingClientRect().bottom <= (box?.bottom ?? 0)).length
    })
    // The header is one of them.
    expect(seen).toBeGreaterThanOrEqual(13)
    await page.setViewportSize({ width: 390, height: 800 })
    const card = page.getByRole('listitem').filter({ hasText: 'more 1' }).first()
    await card.waitFor()
    expect((await card.boundingBox())?.height).toBeLessThanOrEqual(120)
    await page.setViewportSize({ width: 1280, height: 800 })
    const table = page.getByRole('table', { name: 'Channels' })
    await table.waitFor()
    const before = await table.boundingBox()
    await page.getByRole('link', { name: 'Add channel' }).click()
    await page.getByRole('dialog', { name: 'Add channel' }).waitFor()
    expect(await page.locator('table[aria-label="Channels"]').boundingBox()).toEqual(before)
  })

  it('met no error in the browser on its way', () => {
    expect(thrown).toEqual([])
  })
})
