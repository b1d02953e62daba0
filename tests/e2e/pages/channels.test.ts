import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { brokenRules, openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

interface Row {
  readonly id: number
  readonly name: string
  readonly status: number
  readonly tag: string
  readonly priority: number
  readonly weight: number
  readonly balance: number
  readonly models: string
  readonly group: string
  readonly setting: string
  readonly health: {
    readonly last_hour: { readonly ok: number; readonly failed: number; readonly other_failures: number }
  }
}

/** Responds to chats after a pause that the test sets, reports its balance, and refuses one of its keys. */
const pause = { ms: 0 }
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch({ url, headers }) {
    if (url.endsWith('/user/balance'))
      return Response.json({ balance_infos: [{ currency: 'CNY', total_balance: '42.00' }] })
    if (url.endsWith('/models')) return Response.json({ data: [{ id: 'gpt-4o-mini' }, { id: 'm-new' }] })
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
/** Errors in the pages' console. */
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
async function pick(form: Locator, field: string, option: string): Promise<void> {
  await form.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
/** Confirms a switch-off after which models have no channel. */
async function disableAnyway(): Promise<void> {
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disable', exact: true }).click()
}
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
    const first = (name: string) =>
      until(async () =>
        (await page.getByRole('row').nth(1).textContent())?.includes(name) ? true : undefined,
      )
    await first('broken')
    const problems = page.getByRole('button', { name: 'Problems first', pressed: true })
    await problems.click()
    await page.waitForURL('**/channel?sort=-priority')
    await first('broken')
    await page.getByRole('button', { name: 'Name' }).click()
    await page.waitForURL('**/channel?sort=-name')
    await first('gamma')
    await page.reload()
    await first('gamma')
    await page.getByRole('button', { name: 'Problems first', pressed: false }).click()
    await problems.waitFor()
    await first('broken')
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
    await open('/channel?sort=-priority')
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
    await bar('Edit').click()
    const dialog = page.getByRole('dialog', { name: 'Edit 2 channels' })
    expect(await dialog.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true)
    await pick(dialog, 'Tag', 'Set')
    await dialog.getByRole('textbox', { name: 'Set: Tag' }).fill('us')
    await dialog.getByRole('textbox', { name: 'Priority' }).fill('3')
    await dialog.getByRole('textbox', { name: 'Weight' }).fill('3')
    await pick(dialog, 'Models', 'Add')
    await dialog.getByRole('combobox', { name: 'Add: Models' }).pressSequentially('m-bulk,')
    await page.keyboard.press('Tab')
    await pick(dialog, 'Proxy', 'Set')
    await dialog.getByRole('textbox', { name: 'Set: Proxy' }).fill('http://ann:secret@127.0.0.1:9')
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('Changed: 2 · unchanged: 0 · refused: 0').waitFor()
    const effect = await dialog.getByRole('listitem').filter({ hasText: 'gamma' }).textContent()
    for (const part of ['+m-bulk', 'none → us', '0 → 3', 'http://ann:***@127.0.0.1:9'])
      expect(effect).toContain(part)
    expect((await rows('tag=us')).length).toBe(0)
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Change 2 channels' }).click()
    await page.getByText('2 channels changed').waitFor()
    const changed = await rows('tag=us')
    expect(changed.map(({ priority, weight, models }) => [priority, weight, models])).toEqual(
      Array(2).fill([3, 3, 'gpt-4o-mini,m-bulk']),
    )
    const acts = await root.api('GET', '/api/audit_log/?p=1&page_size=20')
    expect(JSON.stringify(acts)).toContain('m-bulk')
    expect(JSON.stringify(acts)).not.toContain('secret')
    await choose('gamma', 'delta')
    await bar('Edit').click()
    await pick(dialog, 'Proxy', 'Remove')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('button', { name: 'Change 2 channels' }).click()
    await until(async () =>
      (await rows('tag=us')).every(({ setting }) => setting === '') ? true : undefined,
    )
  })

  it('says before and after which of many cannot have a change', async () => {
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
    await choose('alpha', 'gamma')
    await bar('Edit').click()
    const dialog = page.getByRole('dialog', { name: 'Edit 2 channels' })
    await pick(dialog, 'Models', 'Remove')
    await dialog.getByRole('combobox', { name: 'Remove: Models' }).pressSequentially('gpt-4o-mini,')
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('Changed: 1 · unchanged: 0 · refused: 1').waitFor()
    const refused = dialog.getByRole('listitem').first()
    expect(await refused.textContent()).toContain('alpha')
    expect(await refused.textContent()).toContain('Please select at least one model')
    await dialog.getByRole('button', { name: 'Change 1 channel' }).click()
    const outcome = page.getByRole('dialog', { name: '1 channel could not be changed' })
    await outcome.getByText('alpha').waitFor()
    await outcome.getByRole('button', { name: 'Close' }).last().click()
    expect([(await named('alpha'))?.models, (await named('gamma'))?.models]).toEqual([
      'gpt-4o-mini',
      'm-bulk',
    ])
    await root.api('PUT', '/api/channel/', { id: (await named('gamma'))?.id, models: 'gpt-4o-mini' })
    await open('/channel')
  })

  it('covers no page control with the bar of chosen rows, at any width', async () => {
    for (const width of [1440, 1280, 820, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await open(`/channel?selected=${(await named('alpha'))?.id}`)
      const toolbar = page.getByRole('toolbar', { name: '1 selected' })
      await toolbar.waitFor()
      const pager = page.getByRole('navigation', { name: 'Pagination' })
      await pager.scrollIntoViewIfNeeded()
      const [over, under] = [await toolbar.boundingBox(), await pager.boundingBox()]
      expect((over?.y ?? 0) + (over?.height ?? 0)).toBeLessThanOrEqual(under?.y ?? 0)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await open('/channel')
  })

  it('switches many on and off, and tests them', async () => {
    for (const [action, status] of [
      ['Disable', 2],
      ['Enable', 1],
    ] as const) {
      await choose('gamma', 'delta')
      await bar(action).click()
      if (action === 'Disable') await disableAnyway()
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
    await disableAnyway()
    await page.getByText('2 channels disabled').waitFor()
    expect((await rows('tag=us')).map(({ status }) => status)).toEqual([2, 2])
    await page.getByRole('button', { name: 'Enable all channels of us' }).click()
    await page.getByText('2 channels enabled').waitFor()
    const priority = page.getByRole('textbox', { name: 'Priority of us' })
    expect(await priority.inputValue()).toBe('3')
    await priority.fill('5')
    await priority.press('Enter')
    await page.getByRole('button', { name: 'Change 2 channels' }).click()
    await until(async () => ((await rows('tag=us')).every((each) => each.priority === 5) ? true : undefined))
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
    // No other channel serves the model that they lose.
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save anyway' }).click()
    await page.getByText('Tag updated').waitFor()
    expect((await rows('tag=asia')).map(({ models, priority }) => [models, priority])).toEqual([
      ['gpt-4o', 4],
      ['gpt-4o', 4],
    ])
  })

  it('updates balances, of one and of all', async () => {
    await open('/channel')
    await fromMenu('More actions for alpha', 'Get balance')
    await page.getByText('Balance of alpha: $42.00').waitFor()
    await row('alpha').getByText('$42.00 left').waitFor()
    await fromMenu('More actions for all channels', 'Update all balances')
    await page.getByText(/balances? (updated|could not be read)/).waitFor()
    await until(async () => ((await named('delta'))?.balance === 42 ? true : undefined))
  })

  it('takes on what the upstream lists in one step', async () => {
    await root.api('PUT', '/api/channel/', { id: (await named('alpha'))?.id, models: 'gpt-4o-mini,m-old' })
    await open('/channel')
    await fromMenu('More actions for alpha', 'Fetch models')
    const dialog = page.getByRole('dialog', { name: 'The upstream offers 2 models' })
    await dialog.getByRole('listitem').filter({ hasText: 'm-old' }).getByText('no longer listed').waitFor()
    await dialog
      .getByRole('listitem')
      .filter({ hasText: 'm-new' })
      .getByText('new', { exact: true })
      .waitFor()
    expect(await brokenRules(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add 1, remove 1' }).click()
    // No other channel serves the model that goes.
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save anyway' }).click()
    await page.getByText('alpha serves 2 models').waitFor()
    expect((await named('alpha'))?.models).toBe('gpt-4o-mini,m-new')
    await fromMenu('More actions for alpha', 'Fetch models')
    await dialog.getByText('The channel has exactly these models').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  })

  it('counts calls and errors of the last hour as the sheet and the rows of attempts do', async () => {
    const { key } = await root.addKey()
    const chat = (model: string) =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
      })
    await root.option('ModelRatio', JSON.stringify({ 'm-new': 1 }))
    for (let call = 0; call < 3; call += 1) expect((await chat('m-new')).status).toBe(200)
    const hour = await until(async () => {
      const counted = (await named('alpha'))?.health.last_hour
      return counted?.ok === 3 ? counted : undefined
    })
    const calls = hour.ok + hour.failed + hour.other_failures
    await open('/channel?keyword=alpha')
    const headers = await page.getByRole('columnheader').allTextContents()
    const cell = (header: string) => row('alpha').getByRole('cell').nth(headers.indexOf(header)).textContent()
    await until(async () => ((await cell('Calls (1 h)')) === String(calls) ? true : undefined))
    expect(await cell('Errors (1 h)')).toBe('0\u00a0%')
    expect(await cell('Models')).toBe('21 only here')
    await page.getByText('alpha', { exact: true }).click()
    const health = page.getByRole('region', { name: 'Channel health' })
    await health.waitFor()
    expect(await health.textContent()).toContain(`Calls (1 h)${calls}`)
    expect(await health.textContent()).toContain('0\u00a0%')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await open('/channel?sort=-traffic')
    await until(async () =>
      (await page.getByRole('row').nth(1).textContent())?.includes('alpha') ? true : undefined,
    )
    await open('/channel')
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
    await page.getByText('Channel duplicated; the copy is disabled').waitFor()
    await page.waitForURL('**/channel/edit/6')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.waitForURL('**/channel')
    expect((await rows()).length).toBe(6)
    expect((await named('beta copy'))?.status).toBe(2)
    await fromMenu('More actions for alpha', 'Test models')
    const dialog = page.getByRole('dialog', { name: 'Test alpha' })
    await dialog.getByRole('button', { name: 'Test 2 models' }).click()
    await dialog
      .getByText(/\d+ ms/)
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Disable alpha' }).click()
    await disableAnyway()
    await page.getByText('alpha disabled').waitFor()
    expect((await named('alpha'))?.status).toBe(2)
  })

  it('says what a press did although the list showed it first', async () => {
    const held = Promise.withResolvers<void>()
    await page.route('**/api/channel/', async (route) => {
      const response = await route.fetch()
      await held.promise
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Enable alpha' }).click()
    await until(async () => ((await named('alpha'))?.status === 1 ? true : undefined))
    await page.getByRole('button', { name: 'Refresh' }).click()
    await row('alpha').getByText('Healthy').waitFor()
    held.resolve()
    await page.getByText('alpha enabled').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
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
    const inBox = () =>
      page.getByRole('row').evaluateAll((all) => {
        const box = all[0]?.closest('table')?.parentElement?.getBoundingClientRect()
        return all.filter((each) => each.getBoundingClientRect().bottom <= (box?.bottom ?? 0)).length
      })
    // The header is one of them; rows below the first come a moment later.
    await until(async () => (await inBox()) >= 13 || undefined)
    await page.setViewportSize({ width: 390, height: 800 })
    const card = page.getByRole('listitem').filter({ hasText: 'more 1' }).first()
    await card.waitFor()
    expect((await card.boundingBox())?.height).toBeLessThanOrEqual(120)
    await page.setViewportSize({ width: 1280, height: 800 })
    const table = page.getByRole('table', { name: 'Channels' })
    // The rows below the first come a moment later, here too.
    await until(async () => (await table.getByRole('row').count()) > 20 || undefined)
    const before = await table.boundingBox()
    await page.getByRole('link', { name: 'Add channel' }).click()
    await page.getByRole('dialog', { name: 'Add channel' }).waitFor()
    expect(await page.locator('table[aria-label="Channels"]').boundingBox()).toEqual(before)
  })

  it('met no error in the browser on its way', () => {
    expect(thrown).toEqual([])
  })
})
