import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { rm } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import type { Token } from '../../../packages/api/src/index.ts'
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

  it('creates the key that was typed', async () => {
    await page.getByRole('link', { name: 'Create your first key' }).click()
    const sheet = page.getByRole('dialog', { name: 'Create key' })
    await sheet.getByRole('textbox', { name: 'Name' }).fill('laptop')
    await sheet.getByRole('textbox', { name: 'Quota' }).fill('10.0000010')
    await sheet.getByRole('button', { name: 'One day' }).click()
    expect(await brokenRules(page, deskAndPhone)).toEqual([])
    await sheet.getByRole('button', { name: /^Create key/ }).click()
    await page.getByRole('dialog', { name: 'laptop is ready' }).waitFor()
    const made = await keyNamed('laptop')
    expect(made).toMatchObject({ remain_quota: 5_000_001, model_limits_enabled: false, allow_ips: '' })
    expect((made?.expired_time ?? 0) - Date.now() / 1000).toBeGreaterThan(86_000)
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

  it('edits a key, which may then call one model', async () => {
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
