import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { hasChromium } from '../../support/chromium.ts'
import type { Operator } from '../../support/operator.ts'
import { type SettingsPage, startSettingsPage } from '../../support/settings-page.ts'

setDefaultTimeout(deadline(30_000))

let settings: SettingsPage
let operator: Operator
let page: Page

const open = (tab: string) => settings.open(tab)
const field = (name: string) => settings.field(name)
const save = () => settings.save()
const saved = () => settings.saved()
const stored = (key: string) => settings.stored(key)
const sent = () => settings.sent

describe.skipIf(!hasChromium())('the settings', () => {
  beforeAll(async () => {
    settings = await startSettingsPage()
    ;({ operator, page } = settings)
    await operator.addChannel({ name: 'Main', base_url: 'http://127.0.0.1:9', models: 'house-a,house-b' })
  })
  afterAll(() => settings?.stop())

  it('send only what was changed, what is switched on last', async () => {
    await open('operation')
    await save()
    await page.getByText('You don’t seem to have changed anything').waitFor()
    expect(sent()).toEqual([])
    await field('Retries').fill('4')
    await page.getByRole('switch', { name: /^Demo site/ }).check()
    await page.getByText('2 unsaved changes').waitFor()
    await save()
    await saved()
    expect(sent()).toEqual([
      { key: 'RetryTimes', value: '4' },
      { key: 'DemoSiteEnabled', value: 'true' },
    ])
    expect(await stored('RetryTimes')).toBe('4')
    expect(await stored('DemoSiteEnabled')).toBe('true')
  })

  it('show what somebody else has changed meanwhile, and let the person choose', async () => {
    await open('operation')
    await operator.option('RetryTimes', '7')
    await field('Retries').fill('8')
    await save()
    const conflict = page.getByRole('alert').filter({ hasText: 'Changed by someone else' })
    await conflict.waitFor()
    expect(await conflict.locator('dd').allTextContents()).toEqual(['7', '8'])
    expect(await settings.broken()).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await conflict.getByRole('button', { name: 'Save my version' }).click()
    await saved()
    expect(await stored('RetryTimes')).toBe('8')
    await operator.option('RetryTimes', '5')
    await field('Retries').fill('6')
    await save()
    await conflict.getByRole('button', { name: 'Use saved version' }).click()
    await saved()
    expect(await field('Retries').inputValue()).toBe('5')
    expect(await stored('RetryTimes')).toBe('5')
    await operator.option('RetryTimes', '4')
  })

  it('undo a change, and do not lose changes when tabs change', async () => {
    await open('operation')
    const before = await field('Retries').inputValue()
    await field('Retries').fill('9')
    await page.getByRole('button', { name: 'Undo the change of Retries' }).click()
    expect(await field('Retries').inputValue()).toBe(before)
    await field('Retries').fill('8')
    await page.getByRole('tab', { name: 'Rate limit' }).click()
    await field('Period').fill('3')
    await page.getByText('2 unsaved changes').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await saved()
    expect(await field('Period').inputValue()).toBe('1')
  })

  it('take amounts in dollars, by the rate that is saved with them', async () => {
    await open('operation')
    await field('Starting balance').fill('5')
    await field('Quota per dollar').fill('1000000')
    expect(await field('Starting balance').inputValue()).toBe('2.5')
    await field('Starting balance').fill('5')
    await save()
    await saved()
    expect(await stored('QuotaForNewUser')).toBe('5000000')
    await field('Quota per dollar').fill('500000')
    await field('Starting balance').fill('0')
    await save()
    await saved()
  })

  it('say what is wrong beside the field, JSON when it is left', async () => {
    await open('models')
    const json = field('Safety settings')
    await json.fill('{')
    await json.blur()
    await page.getByText('Not a valid JSON string').waitFor()
    await page.getByRole('tab', { name: 'Rate limit' }).click()
    await save()
    await page.getByText('Check what you entered').waitFor()
    await page.waitForURL('**tab=models')
    expect(sent()).toEqual([])
    await page.getByRole('button', { name: 'Discard' }).click()
    await open('ratelimit')
    await field('Successful requests per period').fill('0')
    await field('Successful requests per period').blur()
    await page.getByText(/^Enter a whole number from 1 to/).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  it('leave the ping interval alone while nothing is pinged', async () => {
    await open('models')
    expect(await field('Ping interval').isDisabled()).toBe(true)
    await page.getByRole('switch', { name: /^Keep silent streams alive/ }).check()
    await field('Ping interval').fill('0')
    await field('Ping interval').blur()
    await page.getByText(/^Enter a whole number from 1 to 3600/).waitFor()
    const share = page.getByRole('textbox', { name: 'Share for thinking', description: /from 0.1 to 1/ })
    await share.fill('0.05')
    await share.blur()
    await page.getByText(/^Enter a number from 0.1 to 1/).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  it('price one model by ratios, by prices and by the call', async () => {
    await open('operation')
    await page.getByRole('button', { name: 'Add model' }).click()
    const sheet = page.getByRole('dialog', { name: 'Add model' })
    const apply = () => page.getByRole('button', { name: /^Apply/ }).click()
    await sheet.getByRole('textbox', { name: 'Model' }).first().fill('gpt-4o')
    await sheet.getByRole('textbox', { name: 'Model ratio' }).fill('cheap')
    await apply()
    await sheet.getByText('The model name already exists').waitFor()
    await sheet.getByText('Enter a number').waitFor()
    expect(await settings.broken()).toEqual([])
    await sheet.getByRole('textbox', { name: 'Model' }).first().fill('house-c')
    await sheet.getByRole('radio', { name: 'Prices' }).check()
    await sheet.getByRole('textbox', { name: 'Input price' }).fill('3')
    await sheet.getByRole('textbox', { name: 'Output price' }).fill('12')
    await apply()
    await sheet.waitFor({ state: 'detached' })
    await page.getByRole('searchbox', { name: 'Search models' }).fill('gpt-4o-mini-2024')
    await page.getByRole('button', { name: 'Edit the price of gpt-4o-mini-2024-07-18' }).click()
    await page.getByRole('radio', { name: 'Per call' }).check()
    await page.getByRole('textbox', { name: 'Price per call' }).fill('0.02')
    await apply()
    await page.getByText('$0.02 per call').waitFor()
    await page.getByRole('searchbox', { name: 'Search models' }).fill('babbage-002')
    await page.getByRole('button', { name: 'Remove the price of babbage-002' }).click()
    await save()
    await saved()
    const ratios = JSON.parse(await stored('ModelRatio'))
    expect([ratios['house-c'], ratios['gpt-4o-mini-2024-07-18'], ratios['babbage-002']]).toEqual([
      1.5,
      undefined,
      undefined,
    ])
    expect(JSON.parse(await stored('CompletionRatio'))['house-c']).toBe(4)
    expect(JSON.parse(await stored('ModelPrice'))['gpt-4o-mini-2024-07-18']).toBe(0.02)
  })

  it('price several models that have no price', async () => {
    await open('operation')
    await page.getByRole('tab', { name: 'Models without a price' }).click()
    const apply = page.getByRole('button', { name: /^Set the price of/ })
    await apply.click()
    await page.getByText('Select models first').waitFor()
    await page.getByRole('checkbox', { name: 'All 2' }).check()
    await apply.click()
    await page.getByText('Enter a number').waitFor()
    await field('Model ratio').fill('2')
    await field('Completion ratio').fill('3')
    await apply.click()
    await page.getByText('Every enabled model has a price').waitFor()
    await save()
    await saved()
    expect(JSON.parse(await stored('ModelRatio'))).toMatchObject({ 'house-a': 2, 'house-b': 2 })
    expect(JSON.parse(await stored('CompletionRatio'))).toMatchObject({ 'house-a': 3, 'house-b': 3 })
  })

  it('reset the model ratios after a question', async () => {
    await open('operation')
    await page.getByRole('button', { name: 'Reset model ratios' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset model ratios' }).click()
    await page.getByText('Model ratios reset', { exact: true }).waitFor()
    expect(JSON.parse(await stored('ModelRatio'))['house-a']).toBeUndefined()
  })

  it('change groups and chat links in tables', async () => {
    await open('operation')
    await field('New group').fill('staff')
    await page.getByRole('button', { name: 'Add group' }).click()
    await field('Ratio of staff').fill('0.5')
    await page.getByRole('checkbox', { name: 'Offer staff to everyone' }).check()
    await field('Description of staff').fill('People of the house')
    await page.getByRole('button', { name: 'Remove svip' }).click()
    await page.getByRole('button', { name: 'Add link' }).click()
    await field('Name of link 6').fill('House chat')
    await field('Address of link 6').fill('https://chat.example/?key={key}')
    await page.getByRole('button', { name: 'Move House chat up' }).click()
    await page.getByRole('button', { name: 'Remove OpenCat' }).click()
    await save()
    await saved()
    expect(JSON.parse(await stored('GroupRatio'))).toEqual({ default: 1, vip: 1, staff: 0.5 })
    expect(JSON.parse(await stored('UserUsableGroups'))).toMatchObject({ staff: 'People of the house' })
    expect(JSON.parse(await stored('Chats')).at(-1)).toEqual({
      'House chat': 'https://chat.example/?key={key}',
    })
  })

  it('clear the log after a question', async () => {
    await open('operation')
    const before = page.getByLabel('Clear entries before')
    await before.fill('')
    await page.getByRole('button', { name: 'Clear log' }).click()
    await page.getByText('Choose a time').waitFor()
    await before.fill('2020-01-01T00:00:00')
    await page.getByRole('button', { name: 'Clear log' }).click()
    const asked = page.waitForRequest((request) => request.method() === 'DELETE')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Clear log' }).click()
    expect((await asked).url()).toMatch(/\/api\/log\/\?target_timestamp=15778\d+$/)
    await page.getByText('0 entries deleted', { exact: true }).waitFor()
  })

  it('are found by name, sentence and key across all tabs', async () => {
    await open('other')
    await page.getByRole('searchbox', { name: 'Search all settings' }).fill('SMTPPort')
    await page.getByText('1 setting found').waitFor()
    await field('SMTP port').fill('465')
    await save()
    await saved()
    expect(await stored('SMTPPort')).toBe('465')
    await page.getByRole('searchbox', { name: 'Search all settings' }).fill('nothing like this')
    await page.getByText('No setting matches').waitFor()
  })

  it('meet WCAG A and AA on every tab', async () => {
    for (const tab of ['operation', 'ratelimit', 'models']) {
      await open(tab)
      expect([tab, await settings.broken()]).toEqual([tab, []])
    }
  })

  it('show administrators their sections, without the tab list', async () => {
    await operator.api('POST', '/api/user/', {
      username: 'mia',
      password: 'mia-has-a-password',
      display_name: 'Mia',
    })
    const { items } = await operator.api<{ items: { id: number; username: string }[] }>(
      'GET',
      '/api/user/?p=1',
    )
    const mia = items.find(({ username }) => username === 'mia')
    await operator.api('POST', '/api/user/manage', { id: mia?.id, action: 'promote' })
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    await settings.logIn({ username: 'mia', password: 'mia-has-a-password' })
    await page.goto(`${settings.gateway.url}/setting?tab=system`)
    const menu = page.getByRole('navigation', { name: 'Pages' })
    await menu.getByRole('link', { name: 'Operation settings' }).waitFor()
    expect(await menu.getByRole('link', { name: 'Settings', exact: true }).count()).toBe(0)
    await field('Top-up link').waitFor()
    expect(await page.getByRole('tab', { name: 'Operation' }).count()).toBe(0)
    expect(await field('Top-up link').isDisabled()).toBe(true)
    for (const label of ['Quota per dollar', 'Reward for the inviter', 'Ratio of default'])
      expect([label, await field(label).isDisabled()]).toEqual([label, true])
    expect(await page.getByText('It moves money, so only the root administrator').count()).toBeGreaterThan(3)
    expect(await page.getByRole('button', { name: 'Add model' }).count()).toBe(0)
    expect(await field('Retries').isDisabled()).toBe(false)
    expect(await field('SMTP server').count()).toBe(0)
    await menu.getByRole('link', { name: 'Rate limit' }).click()
    await field('Period').waitFor()
    await menu.getByRole('link', { name: 'Model settings' }).click()
    await field('Safety settings').waitFor()
    await menu.getByRole('link', { name: 'Other settings' }).click()
    await page.getByRole('heading', { name: 'Other settings', level: 1 }).waitFor()
    sent().length = 0
    await field('System name').fill('House gate')
    await save()
    await saved()
    expect(await stored('SystemName')).toBe('House gate')
  })
})
