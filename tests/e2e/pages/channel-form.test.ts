import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { brokenRules, openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

/** Models of an upstream that resells others. */
const thousand = Array.from({ length: 1000 }, (_, index) => ({ id: `vendor/model-${index + 1}` }))

const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch({ url, headers }) {
    const key = headers.get('authorization')?.slice('Bearer '.length) ?? ''
    if (key === 'sk-large-key-0000001') return Response.json({ data: thousand })
    if (key !== 'sk-good-key-00000001')
      return Response.json({ error: { message: 'wrong key' } }, { status: 401 })
    if (url.endsWith('/models')) return Response.json({ data: [{ id: 'm-small' }, { id: 'm-large' }] })
    const message = { role: 'assistant', content: 'hi' }
    return Response.json({
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
    })
  },
})
const base_url = `http://127.0.0.1:${upstream.port}`

interface Stored {
  readonly name: string
  readonly base_url: string
  readonly models: string
  readonly model_mapping: string
  readonly status: number
  readonly tag: string
  readonly priority: number
  readonly key_count: number
  readonly param_override: string
  readonly setting: string
  readonly health: { readonly keys: readonly { readonly status: string }[] }
}

let gateway: Tollgate
let root: Operator
let browser: Browser
let page: Page
let thrown: readonly string[]

const sheet = (name: string | RegExp) => page.getByRole('dialog', { name })
const stored = (id: number) => root.api<Stored>('GET', `/api/channel/${id}`)
const problem = (field: Locator) =>
  field.evaluate((element) => element.closest('[data-field]')?.querySelector('[role="alert"]')?.textContent)

async function chooseType(form: Locator, name: string): Promise<void> {
  await form.getByRole('combobox', { name: /Type/ }).click()
  await page.getByPlaceholder('Search', { exact: true }).fill(name)
  await page.getByRole('option', { name }).first().click()
}

describe.skipIf(!hasChromium())('the channel form', () => {
  beforeAll(async () => {
    gateway = await startTollgate()
    root = await operate(gateway.url)
    await root.option('AutomaticDisableChannelEnabled', 'true')
    ;({ browser, page, thrown } = await openConsole(gateway.url))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream.stop(true)
  })

  it('looks at keys while they are typed, by the type of the channel', async () => {
    await page.goto(`${gateway.url}/channel/add`)
    const form = sheet('Add channel')
    await chooseType(form, 'AWS Claude')
    const keys = form.getByRole('textbox', { name: /^Key/ })
    await keys.fill('ak|sk|us-east-1\nplain')
    expect(await problem(keys)).toBe('Key 2 must have the form AccessKeyId|SecretAccessKey|Region')
    await form.getByText('Create 2 channels, one for each key').waitFor()
    await keys.fill('ak|sk|us-east-1')
    expect(await problem(keys)).toBeUndefined()
  })

  it('says what is missing beside the fields, the topmost in view', async () => {
    const form = sheet('Add channel')
    await chooseType(form, 'DeepSeek')
    await form.getByRole('textbox', { name: /^Key/ }).fill('')
    await form.getByRole('button', { name: 'Clear', exact: true }).click()
    await form.getByRole('button', { name: 'Fetch models' }).click()
    await page.getByText('Please fill in the key').first().waitFor()
    await form.getByRole('button', { name: /^Add channel/ }).click()
    await form.getByText('Please fill in channel name and key').first().waitFor()
    expect(await problem(form.getByRole('combobox', { name: /Models/ }))).toBe(
      'Please select at least one model',
    )
    expect(
      await form.getByRole('textbox', { name: /^Name/ }).evaluate((box) => box === document.activeElement),
    ).toBe(true)
    expect(await brokenRules(page)).toEqual([])
  })

  it('fills in models: fetched with a search, pasted, and not twice', async () => {
    const form = sheet('Add channel')
    await form.getByRole('textbox', { name: /^Name/ }).fill('Main')
    await form.getByRole('textbox', { name: /^Key/ }).fill('sk-good-key-00000001')
    await form.getByRole('textbox', { name: /Base URL/ }).fill(`${base_url}/v1`)
    await form.getByRole('button', { name: 'Remove /v1' }).click()
    await form.getByRole('button', { name: 'Fetch models' }).click()
    const picker = sheet('The upstream offers 2 models')
    expect(await brokenRules(page)).toEqual([])
    await picker.getByRole('searchbox', { name: 'Filter models' }).fill('large')
    await picker.getByRole('checkbox', { name: 'm-large' }).click()
    await picker.getByRole('button', { name: 'Add 1 model' }).click()
    await form.getByRole('textbox', { name: 'Custom model names' }).fill('m-small, m-own，m-other')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.getByText('Some models already exist').waitFor()
    await form.getByText('3 selected').waitFor()
  })

  it('tests what is typed before it is saved, in red and in green, and stores nothing', async () => {
    const form = sheet('Add channel')
    const key = form.getByRole('textbox', { name: /^Key/ })
    const test = form.getByRole('button', { name: 'Test', exact: true })
    await key.fill('')
    await test.click()
    await until(async () => ((await problem(key)) === 'Please fill in the key' ? true : undefined))
    await key.fill('sk-bad-key-000000001')
    await test.click()
    const failed = form.getByRole('alert').filter({ hasText: 'Test failed' })
    await failed.waitFor()
    expect(await failed.textContent()).toMatch(/Status 401\d+ ms.*m-small.*wrong key/)
    expect(await brokenRules(page)).toEqual([])
    await key.fill('sk-good-key-00000001')
    await failed.waitFor({ state: 'detached' })
    await test.click()
    const passed = form.getByRole('status').filter({ hasText: 'Test passed' })
    await passed.waitFor()
    expect(await passed.textContent()).toMatch(/Status 200\d+ ms/)
    expect(await brokenRules(page)).toEqual([])
    expect(await root.api<unknown[]>('GET', '/api/channel/')).toEqual([])
  })

  it('checks mappings, and shows what the server refuses at its field', async () => {
    const form = sheet('Add channel')
    const tag = form.getByRole('textbox', { name: 'Tag' })
    await tag.fill('x'.repeat(101))
    await form.getByRole('textbox', { name: /Base URL/ }).fill(`${base_url}/v1`)
    await form.getByRole('button', { name: /^Add channel/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
    await form.getByRole('textbox', { name: /Base URL/ }).fill(`${base_url}/`)
    await form.getByRole('button', { name: /^Add channel/ }).click()
    await until(async () => ((await problem(tag))?.includes('at most 100') ? true : undefined))
    await tag.fill('eu')
    expect(await problem(tag)).toBeUndefined()
    await form.getByRole('button', { name: /^Add channel/ }).click()
    await page.getByText('Channel created').waitFor()
    await page.waitForURL('**/channel?saved=1')
    expect(await stored(1)).toMatchObject({
      name: 'Main',
      base_url,
      models: 'm-small,m-own,m-other',
      tag: 'eu',
      status: 1,
    })
  })

  it('offers the next steps after it was saved, until nothing is left to do', async () => {
    const next = page.getByRole('region', { name: 'Next steps' })
    await next.getByText('Main is saved').waitFor()
    await next.getByRole('link', { name: 'Set prices for 3 unpriced models' }).waitFor()
    await next.getByRole('link', { name: 'Create key' }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await next.getByRole('button', { name: 'Test' }).click()
    await page.getByText(/Main passed the test/).waitFor()
    await next.getByRole('button', { name: 'Test' }).waitFor({ state: 'detached' })
    await root.option('ModelRatio', JSON.stringify({ 'm-small': 1, 'm-own': 1, 'm-other': 1 }))
    await root.addKey()
    await page.reload()
    await page.getByRole('row').filter({ hasText: 'Main' }).waitFor()
    await next.waitFor({ state: 'detached' })
  })

  it('tests changes of a stored channel with its stored key, and offers no test of what has just passed', async () => {
    await page.goto(`${gateway.url}/channel/edit/1`)
    const form = sheet('Main')
    await form.getByRole('textbox', { name: /^Name/ }).fill('Main renamed')
    await form.getByRole('button', { name: 'Test changes' }).click()
    await form.getByText('Test passed').waitFor()
    const before = await stored(1)
    expect(before.name).toBe('Main')
    await form.getByRole('textbox', { name: /New key/ }).fill('sk-bad-key-000000001')
    await form.getByRole('button', { name: 'Test changes' }).click()
    await form.getByText('Test failed', { exact: true }).waitFor()
    await form.getByRole('textbox', { name: /New key/ }).fill('')
    await form.getByRole('textbox', { name: /^Name/ }).fill('Main')
    await form.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText(/Main passed the test/).waitFor()
    await form.getByRole('button', { name: 'Close' }).click()
    await page.waitForURL('**/channel')
  })

  it('offers the tags in use as a filter', async () => {
    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Tag' })
      .getByRole('button', { name: /eu.*1 channel/ })
      .click()
    await page.waitForURL('**/channel?tag=eu')
  })

  it('disables, enables and deletes single keys, and says since when', async () => {
    const { id } = await root.addChannel({
      name: 'Many keys',
      base_url,
      type: 43,
      models: 'm-small',
      key: 'sk-good-key-00000001\nsk-bad-key-000000002\nsk-bad-key-000000003',
    })
    await page.goto(`${gateway.url}/channel/edit/${id}`)
    const form = sheet('Many keys')
    await form.getByText('3 stored keys').waitFor()
    await form.getByRole('button', { name: 'Actions for key 2' }).click()
    await page.getByRole('menuitem', { name: 'Disable key' }).click()
    await form.getByText(/Since .*disabled manually/).waitFor()
    expect((await stored(id)).health.keys[1]?.status).toBe('disabled')
    expect(await brokenRules(page)).toEqual([])
    await form.getByRole('button', { name: 'Actions for key 2' }).click()
    await page.getByRole('menuitem', { name: 'Enable key' }).click()
    await form.getByText(/disabled manually/).waitFor({ state: 'detached' })
    await form.getByRole('button', { name: 'Actions for key 3' }).click()
    await page.getByRole('menuitem', { name: 'Delete key' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete key' }).click()
    await form.getByText('2 stored keys').waitFor()
    expect((await stored(id)).key_count).toBe(2)
    await form.getByRole('button', { name: 'Fetch models' }).click()
    await sheet('The upstream offers 2 models').waitFor()
    await root.api('DELETE', `/api/channel/${id}`)
  })

  it('draws of a thousand models only those in sight, and says how many there are', async () => {
    await page.goto(`${gateway.url}/channel/add`)
    const form = sheet('Add channel')
    await chooseType(form, 'DeepSeek')
    await form.getByRole('button', { name: 'Clear', exact: true }).click()
    await form.getByRole('textbox', { name: /^Key/ }).fill('sk-large-key-0000001')
    await form.getByRole('textbox', { name: /Base URL/ }).fill(base_url)
    await form.getByRole('button', { name: 'Fetch models' }).click()
    const picker = sheet('The upstream offers 1000 models')
    await picker.getByRole('checkbox', { name: /^vendor\/model-1 / }).waitFor()
    expect(await picker.getByRole('listitem').count()).toBeLessThan(80)
    await picker.getByRole('listitem').first().hover()
    await page.mouse.wheel(0, 1_000_000)
    const last = picker.getByRole('listitem').filter({ hasText: 'vendor/model-1000' })
    expect([await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize')]).toEqual([
      '1000',
      '1000',
    ])
    await picker.getByRole('button', { name: 'Add 1000 models' }).click()
    await form.getByText('1000 selected').waitFor()
  })

  it('walks through a thousand options by keyboard', async () => {
    const box = sheet('Add channel').getByRole('combobox', { name: /Models/ })
    await box.fill('vendor/')
    await page.getByRole('option', { name: 'vendor/model-1', exact: true }).waitFor()
    expect(await page.getByRole('option').count()).toBeLessThan(60)
    for (let step = 0; step < 40; step++) await page.keyboard.press('ArrowDown')
    const active = () =>
      box.evaluate((input) => {
        const option = document.getElementById(input.getAttribute('aria-activedescendant') ?? '')
        const position = option?.getBoundingClientRect()
        const list = option?.closest('.overflow-y-auto')?.getBoundingClientRect()
        const inSight = position && list && position.top >= list.top && position.bottom <= list.bottom + 1
        return option && inSight ? `${option.ariaPosInSet} of ${option.ariaSetSize}` : undefined
      })
    const position = await until(active)
    expect(Number(position.split(' ')[0])).toBeGreaterThanOrEqual(40)
    expect(Number(position.split(' ')[2])).toBeGreaterThanOrEqual(1000)
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Enter')
    await sheet('Add channel').getByText('999 selected').waitFor()
  })

  it('lets callers ask for what the provider charges apart, by switches that hold', async () => {
    const { id } = await root.addChannel({ name: 'Switches', base_url, models: 'm-switches' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${gateway.url}/channel/edit/${id}#advanced`)
    const form = sheet(/Switches/)
    const costs = form.getByRole('group', { name: 'Fields that cost more' })
    await costs.getByText('Service tiers').click()
    await costs.getByText('Remove fields instead of refusing the call').click()
    expect(await brokenRules(page)).toEqual([])
    await form.getByRole('button', { name: /^Save/ }).click()
    await form.waitFor({ state: 'hidden' })
    const { setting } = await stored(id)
    expect(JSON.parse(setting)).toEqual({ allow_service_tier: true, strip_unpriced_fields: true })
    await page.goto(`${gateway.url}/channel/edit/${id}#advanced`)
    await costs.waitFor()
    expect(await costs.getByRole('switch', { checked: true }).count()).toBe(2)
  })

  it('offers the switches of one type of channel to that type alone, and stores them', async () => {
    const { id } = await root.addChannel({ name: 'Deployments', type: 3, base_url, models: 'gpt-4.1' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${gateway.url}/channel/edit/${id}#advanced`)
    const form = sheet(/Deployments/)
    const dots = form.getByRole('switch', { name: 'Remove dots from deployment names' })
    await form.getByText('Remove dots from deployment names').click()
    await form.getByRole('button', { name: /^Save/ }).click()
    await form.waitFor({ state: 'hidden' })
    expect(JSON.parse((await stored(id)).setting)).toEqual({ strip_deployment_dots: true })
    const other = await root.addChannel({ name: 'Others', base_url, models: 'm-others' })
    await page.goto(`${gateway.url}/channel/edit/${other.id}#advanced`)
    await sheet(/Others/)
      .getByRole('group', { name: 'Fields that cost more' })
      .waitFor()
    expect(await dots.count()).toBe(0)
  })

  it.each(['models', 'routing', 'advanced'])(
    'opens at its %s where its address names them, with the cursor there',
    async (section) => {
      const { id } = await root.addChannel({
        name: `To ${section}`,
        base_url,
        models: thousand
          .slice(0, 60)
          .map((model) => model.id)
          .join(','),
      })
      await page.setViewportSize({ width: 1440, height: 900 })
      // The sheet's own first focus comes before or after the section is drawn.
      for (const visit of ['first', 'second', 'third']) {
        await page.goto('about:blank')
        await page.goto(`${gateway.url}/channel/edit/${id}#${section}`)
        const part = page.locator(`#${section}`)
        await until(async () => (await part.locator(':focus').count()) === 1 || undefined)
        await page.waitForTimeout(200)
        expect([visit, await part.locator(':focus').count()]).toEqual([visit, 1])
        const box = await part.boundingBox()
        expect(box?.y).toBeGreaterThan(0)
        expect(box?.y).toBeLessThan(800)
      }
    },
  )

  it('met no error in the browser on its way', () => {
    expect(thrown).toEqual([])
  })
})
