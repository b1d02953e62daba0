import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { rm } from 'node:fs/promises'
import type { Browser, Page, Request } from 'playwright-core'
import { calls, type Token } from '../../../packages/api/src/index.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { brokenRules, deskAndPhone, openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

const model = 'gpt-4o'

let gateway: Tollgate
let upstream: Upstream
let operator: Operator
let browser: Browser
let page: Page
let complaints: readonly string[]

const keys = () => operator.api<Token[]>('GET', '/api/token/?p=0&size=100')
const keyNamed = async (name: string) => (await keys()).find((key) => key.name === name)
const row = (name: string) => page.getByRole('row', { name: new RegExp(`\\b${name}\\b`) })
const clipboard = () => page.evaluate(() => navigator.clipboard.readText())

/** Bodies of the calls with that method that the page makes meanwhile, as the contract reads them. */
function sentTo(method: string, path: string): unknown[] {
  const sent: unknown[] = []
  page.on('request', (request: Request) => {
    if (request.method() === method && new URL(request.url()).pathname === path)
      sent.push(JSON.parse(request.postData() ?? 'null'))
  })
  return sent
}

async function choose(name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

describe.skipIf(!hasChromium())('API keys in a browser', () => {
  beforeAll(async () => {
    upstream = await startUpstream()
    const reply = respond({ text: 'Hello yourself.', usage: { promptTokens: 10, completionTokens: 4 } })
    for (const name of [model, 'gpt-4o-mini']) upstream.on(name, reply)
    gateway = await startTollgate()
    operator = await operate(gateway.url)
    await operator.addChannel({ name: 'upstream', base_url: upstream.url, models: `${model},gpt-4o-mini` })
    ;({ browser, page, complaints } = await openConsole(gateway.url, {
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    }))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream?.stop()
  })

  it('warns, teaches the first key, and says beside each field what is wrong with it', async () => {
    await page.getByText('No keys yet').waitFor()
    await page.getByText('Keys cannot control usage precisely').waitFor()
    await page.getByRole('link', { name: 'Create your first key' }).click()
    const sheet = page.getByRole('dialog', { name: 'Create key' })
    const quota = sheet.getByRole('textbox', { name: 'Quota' })
    await quota.press('Control+A')
    await quota.press('Delete')
    expect(await quota.inputValue()).toBe('')
    await sheet.getByRole('button', { name: 'Pick a time' }).click()
    await sheet.locator('summary').click()
    await sheet.getByText('Only some models').click()
    await sheet.getByText('No model selected: every call would be refused.').waitFor()
    const addresses = sheet.getByRole('textbox', { name: 'Allowed addresses' })
    await addresses.pressSequentially('10.0.0.')
    expect(await sheet.getByText(/^Not an IP address/).count()).toBe(0)
    await addresses.pressSequentially('\n')
    await sheet.getByText('Not an IP address or CIDR range: 10.0.0.').waitFor()
    await addresses.fill('10.0.0.0/8\n::1')
    await sheet.getByText(/^Not an IP address/).waitFor({ state: 'detached' })
    await sheet.getByRole('button', { name: /^Create key/ }).click()
    await sheet.getByText('Please enter a name').waitFor()
    await sheet.getByText('Enter an amount from 0 to').waitFor()
    await sheet.getByText('Expiry time format error').waitFor()
    await sheet.getByText('Choose at least one model').waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('placeholder'))).toContain('laptop')
    expect(await keys()).toEqual([])
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
  })

  it('asks before typed work is lost', async () => {
    const sheet = page.getByRole('dialog', { name: 'Create key' })
    await sheet.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
    await sheet.getByRole('textbox', { name: 'Name' }).waitFor()
  })

  it('puts a refusal of the server beside its field, and creates the key that was typed', async () => {
    const sheet = page.getByRole('dialog', { name: 'Create key' })
    const sent = sentTo('POST', '/api/token/')
    await sheet.getByRole('textbox', { name: 'Name' }).fill('laptop')
    const quota = sheet.getByRole('textbox', { name: 'Quota' })
    await sheet.getByRole('button', { name: '$50', exact: true }).click()
    expect(await quota.inputValue()).toBe('50')
    await quota.fill('10.0000010')
    expect(await quota.inputValue()).toBe('10.0000010')
    await sheet.getByRole('button', { name: 'One day' }).click()
    await sheet.getByText('Only some models').click()
    await sheet.getByRole('textbox', { name: 'Allowed addresses' }).fill('')
    const refusal = {
      success: false,
      message: 'This group is not open to you',
      code: 'token_group_not_usable',
    }
    await page.route('**/api/token/', (route) => route.fulfill({ json: refusal }))
    await sheet.getByRole('button', { name: /^Create key/ }).click()
    await sheet.getByText(refusal.message).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await sheet.getByRole('button', { name: /^Create key/ }).click()
    const ready = page.getByRole('dialog', { name: 'laptop is ready' })
    await ready.waitFor()
    const made = await keyNamed('laptop')
    expect(made).toMatchObject({ remain_quota: 5_000_001, model_limits_enabled: false, allow_ips: '' })
    expect((made?.expired_time ?? 0) - Date.now() / 1000).toBeGreaterThan(86_000)
    expect(sent).toHaveLength(2)
    expect(calls.tokens.create.body.strict().parse(sent[1])).toMatchObject({ name: 'laptop', group: '' })
  })

  it('sets programs up with this key and this address, ready to be pasted', async () => {
    const ready = page.getByRole('dialog', { name: 'laptop is ready' })
    const key = `sk-${(await keyNamed('laptop'))?.key ?? ''}`
    const codes = async (tab: string): Promise<string> => {
      await ready.getByRole('tab', { name: tab }).click()
      return (await ready.locator('pre').allTextContents()).join('\n')
    }
    for (const tab of ['Claude Code', 'Codex', 'Gemini CLI', 'Cursor']) {
      const text = await codes(tab)
      for (const fact of [key, gateway.url, model]) expect(text).toContain(fact)
    }
    await codes('Claude Code')
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await codes('curl')
    await ready.getByRole('button', { name: 'Copy', exact: true }).click()
    const curl = Bun.spawn(['sh', '-c', await clipboard()], { stdout: 'pipe', stderr: 'ignore' })
    expect(await new Response(curl.stdout).text()).toContain('Hello yourself.')
    for (const tab of ['OpenAI SDK', 'Anthropic SDK', 'Google SDK']) {
      await codes(tab)
      await ready.getByRole('button', { name: 'TypeScript' }).click()
      const file = `${import.meta.dir}/.snippet-${process.pid}.ts`
      await Bun.write(file, (await ready.locator('pre').textContent()) ?? '')
      const run = Bun.spawn([process.execPath, file], { stdout: 'pipe', stderr: 'pipe' })
      const printed = await new Response(run.stdout).text()
      await rm(file)
      expect(printed).toBe('Hello yourself.\n')
    }
    await ready.getByRole('combobox', { name: 'Model' }).click()
    await page.getByRole('option', { name: model, exact: true }).click()
    expect((await ready.locator('pre').allTextContents()).join()).toContain(`"${model}"`)
    await ready.getByRole('button', { name: 'Done' }).click()
    await page.waitForURL((url) => url.pathname === '/token')
  })

  it('says which keys end soon, and which may call nothing', async () => {
    await operator.addKey({ name: 'nothing', model_limits_enabled: true, model_limits: '' })
    await page.reload()
    await row('laptop')
      .getByText(/^Expires in 2\d hr/)
      .waitFor()
    await row('nothing').getByText('Enabled: no models').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
  })

  it('disables, enables and edits a key', async () => {
    const sent = sentTo('PUT', '/api/token/')
    await row('laptop').getByRole('button', { name: 'Disable laptop' }).click()
    await row('laptop').getByRole('button', { name: 'Enable laptop' }).waitFor()
    expect((await keyNamed('laptop'))?.status).toBe(2)
    await row('laptop').getByRole('button', { name: 'Enable laptop' }).click()
    await row('laptop').getByRole('button', { name: 'Disable laptop' }).waitFor()
    const id = (await keyNamed('laptop'))?.id
    expect(sent).toEqual([
      { id, status: 2 },
      { id, status: 1 },
    ])
    await choose('laptop', 'Edit')
    const sheet = page.getByRole('dialog', { name: 'Edit key' })
    await sheet.getByRole('textbox', { name: 'Name' }).fill('desk')
    await sheet.getByRole('button', { name: 'Unlimited' }).click()
    await sheet.locator('summary').click()
    await sheet.getByText('Only some models').click()
    await sheet.getByRole('combobox', { name: 'Allowed models' }).click()
    await page.getByRole('option', { name: 'gpt-4o-mini' }).click()
    await page.keyboard.press('Escape')
    await sheet.getByText('Calls to any other model are refused.').waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await sheet.getByRole('button', { name: /^Save/ }).click()
    await row('desk').waitFor()
    expect(sent[2]).toEqual({
      id,
      name: 'desk',
      unlimited_quota: true,
      model_limits_enabled: true,
      model_limits: 'gpt-4o-mini',
      base: { name: 'laptop', unlimited_quota: false, model_limits_enabled: false, model_limits: '' },
    })
    expect(await keyNamed('desk')).toMatchObject({ unlimited_quota: true, model_limits: 'gpt-4o-mini' })
  })

  it('copies a key, opens a chat client with it, and says whom to ask for one', async () => {
    const key = `sk-${(await keyNamed('desk'))?.key ?? ''}`
    await choose('desk', 'Copy key')
    await page.getByText('Key copied').waitFor()
    expect(await clipboard()).toBe(key)
    await operator.option('Chats', '[{"Their chat":"https://chat.example/#/?key={key}&url={address}"}]')
    await page.route('https://chat.example/**', (route) => route.fulfill({ body: 'chat' }))
    await page.context().route('https://chat.example/**', (route) => route.fulfill({ body: 'chat' }))
    await page.reload()
    const opening = page.context().waitForEvent('page')
    await choose('desk', 'Their chat')
    const question = page.getByRole('alertdialog', { name: 'Send your key to https://chat.example?' })
    await question.waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await question.getByRole('button', { name: 'Send my key' }).click()
    const chat = await opening
    expect(chat.url()).toBe(`https://chat.example/#/?key=${key}&url=${encodeURIComponent(gateway.url)}`)
    await chat.close()
    const openedAtOnce = async (name: string) => {
      const opened = page.context().waitForEvent('page')
      await choose('desk', name)
      await (await opened).close()
    }
    await openedAtOnce('Their chat')
    await operator.option('Chats', '[{"House chat":"https://house.chat.example/?key={key}"}]')
    await page.context().route('https://house.chat.example/**', (route) => route.fulfill({ body: 'chat' }))
    await operator.option('ChatTrustedHosts', 'house.chat.example')
    await page.reload()
    await openedAtOnce('House chat')
    await operator.option('Chats', '[]')
    await page.reload()
    await choose('desk', 'Open in chat')
    await page.getByText('Please contact the administrator to configure chat links').waitFor()
  })

  it('copies and shows whole keys where lists mask them, which is written down', async () => {
    const key = (await keyNamed('desk'))?.key ?? ''
    await operator.option('TokenKeyMaskingEnabled', 'true')
    expect((await keyNamed('desk'))?.key).toBe(`${key.slice(0, 4)}**********${key.slice(-4)}`)
    await page.reload()
    await choose('desk', 'Copy key')
    await page.getByText('Key copied').waitFor()
    expect(await clipboard()).toBe(`sk-${key}`)
    await row('desk').getByRole('button', { name: 'Show key desk' }).click()
    await page.getByText(`sk-${key}`).waitFor()
    const { items } = await operator.api<{ items: { action: string; target_name: string }[] }>(
      'GET',
      '/api/audit_log/?action=token.reveal-key',
    )
    expect(items.map(({ target_name }) => target_name)).toEqual(['desk', 'desk'])
    await operator.option('TokenKeyMaskingEnabled', 'false')
    await page.reload()
    await row('desk').waitFor()
  })

  it('creates many one after the other, and saves them in a file', async () => {
    await page.keyboard.press('c')
    const sheet = page.getByRole('dialog', { name: 'Create key' })
    await sheet.getByRole('textbox', { name: 'Name' }).fill('pipeline')
    await sheet.getByRole('button', { name: '10', exact: true }).click()
    await sheet.getByRole('button', { name: /^Create 10 keys/ }).waitFor()
    await page.keyboard.press('Control+Enter')
    const ready = page.getByRole('dialog', { name: '10 keys are ready' })
    await ready.waitFor()
    const downloading = page.waitForEvent('download')
    await ready.getByRole('button', { name: 'Download' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('pipeline.txt')
    const lines = (await Bun.file((await download.path()) ?? '').text()).split('\n')
    const made = (await keys()).filter(({ name }) => name.startsWith('pipeline'))
    expect(lines.sort()).toEqual(made.map(({ name, key }) => `${name}    sk-${key}`).sort())
    expect(
      made.map(({ name }) => name).filter((name) => /^pipeline-[0-9A-Za-z]{6}$/.test(name)),
    ).toHaveLength(9)
    await ready.getByRole('button', { name: 'Copy 10 keys' }).click()
    expect((await clipboard()).split('\n')).toHaveLength(10)
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await ready.getByRole('button', { name: 'Done' }).click()
  })

  it('stops a batch at the first refusal, and says how many there are', async () => {
    let asked = 0
    await page.route('**/api/token/', (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      asked += 1
      return asked < 3
        ? route.continue()
        : route.fulfill({ json: { success: false, message: 'No more keys today' } })
    })
    await page.keyboard.press('c')
    const sheet = page.getByRole('dialog', { name: 'Create key' })
    await sheet.getByRole('textbox', { name: 'Name' }).fill('few')
    await sheet.getByRole('textbox', { name: 'Number of keys' }).fill('5')
    await sheet.getByRole('button', { name: /^Create 5 keys/ }).click()
    const ready = page.getByRole('dialog', { name: '2 keys are ready' })
    await ready.getByText('2 of 5 keys were created').waitFor()
    await ready.getByText('No more keys today').waitFor()
    expect(asked).toBe(3)
    await page.unrouteAll({ behavior: 'wait' })
    await ready.getByRole('button', { name: 'Done' }).click()
  })

  it('acts on chosen keys by one call, and asks for a choice where there is none', async () => {
    await page.goto(`${gateway.url}/token?keyword=pipeline`)
    await row('pipeline').first().waitFor()
    await page.getByRole('button', { name: 'Copy selected keys' }).click()
    await page.getByText('Select at least one key first').waitFor()
    const all = page.getByRole('checkbox', { name: 'Select all rows on this page' })
    await all.check()
    await page.getByRole('button', { name: 'Copy selected keys' }).click()
    await page.getByText('Copied').first().waitFor()
    expect((await clipboard()).split('\n')).toHaveLength(10)
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    const sent = sentTo('POST', '/api/token/batch')
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByText('10 keys disabled').waitFor()
    await all.check()
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await page.getByText('10 keys enabled').waitFor()
    await all.check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 10 keys' }).click()
    await page.getByText('10 keys deleted').waitFor()
    expect((await keys()).filter(({ name }) => name.startsWith('pipeline'))).toEqual([])
    expect(sent.map((body) => calls.tokens.batch.body.parse(body).action)).toEqual([
      'disable',
      'enable',
      'delete',
    ])
  })

  it('searches by name and by key, all of what matches, page by page', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, index) => operator.addKey({ name: `many ${index}` })))
    await page.goto(`${gateway.url}/token`)
    await page.getByText('many 59').waitFor()
    await page.getByPlaceholder('Name or full key').fill('many')
    await page.waitForURL((url) => url.searchParams.get('keyword') === 'many')
    await page.getByText('1–50 of 60').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('51–60 of 60').waitFor()
    const desk = await keyNamed('desk')
    await page.getByPlaceholder('Name or full key').fill(`sk-${desk?.key ?? ''}`)
    await row('desk').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
  })

  it('deletes a key after a question', async () => {
    await choose('desk', 'Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete key' }).click()
    await page.getByText('desk deleted').waitFor()
    expect(await keyNamed('desk')).toBeUndefined()
  })

  it('shows the text to copy by hand where the browser does not copy', async () => {
    await page.goto(`${gateway.url}/token?keyword=few`)
    await row('few').first().waitFor()
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
      document.execCommand = () => false
    })
    await page.getByRole('button', { name: 'Copy key few', exact: true }).click()
    const byHand = page.getByRole('dialog', { name: 'Copy manually' })
    await byHand.waitFor()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
  })

  it('fits a phone: cards of at most 120 pixels', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${gateway.url}/token`)
    const card = page.getByRole('list', { name: 'API keys' }).getByRole('listitem').first()
    expect((await card.boundingBox())?.height).toBeLessThanOrEqual(120)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('met no error in the browser on its way', () => {
    expect(complaints).toEqual([])
  })
})
