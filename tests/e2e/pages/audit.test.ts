import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addAdministrator } from '../../support/add-user.ts'
import { brokenRules, openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { createClock } from '../../support/clock.ts'
import { logIn, type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

let gateway: Tollgate
let good: Upstream
let bad: Upstream
let root: Operator
let browser: Browser
let page: Page
let key: string
let badId: number

interface RecordRow {
  readonly id: number
  readonly action: string
  readonly target_name: string
}
const newest = async (action: string) => {
  const { items } = await root.api<{ items: RecordRow[] }>('GET', `/api/audit_log/?p=1&action=${action}`)
  const [record] = items
  if (record === undefined) throw new Error(`there is no record of ${action}`)
  return record
}
/** Confirms what it is asked about. */
async function revert(as: Operator, id: number) {
  const path = `/api/audit_log/${id}/revert`
  const requested = await as.call('POST', path)
  if (requested.code !== 'confirmation_required') return requested
  const { confirmation } = requested as typeof requested & { readonly confirmation: string }
  return as.call('POST', `${path}?confirmation=${confirmation}`)
}
const channel = () =>
  root.api<{ priority: number; models: string; status: number }>('GET', `/api/channel/${badId}`)
const ratios = async () => {
  const options = await root.api<{ key: string; value: string }[]>('GET', '/api/option/')
  return JSON.parse(options.find((option) => option.key === 'ModelRatio')?.value ?? '{}') as Record<
    string,
    number
  >
}

async function call(model = 'gpt-4o'): Promise<number> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.text()
  return response.status
}

/** The gateway's clock goes after that of the browser until it has skipped both gaps. */
const clock = createClock()
/** Seconds before a change and after it. Steps of the chart are 10 s long at the least: the change stands between two of them. */
const gaps = [21, 11] as const

describe.skipIf(!hasChromium())('the audit log as a time line', () => {
  beforeAll(async () => {
    good = await startUpstream()
    good.otherwise(respond({ text: 'Hello.' }))
    bad = await startUpstream()
    bad.otherwise(refuse(400, { message: 'no such thing' }))
    clock.offBy(-gaps.reduce((sum, seconds) => sum + seconds, 0))
    gateway = await startTollgate({ env: clock.env })
    root = await operate(gateway.url)
    await root.option('RetryTimes', '0')
    await root.addChannel({ name: 'good', base_url: good.url, models: 'gpt-4o', priority: 10 })
    ;({ id: badId } = await root.addChannel({ name: 'bad', base_url: bad.url, models: 'gpt-4o' }))
    key = (await root.addKey()).key
    ;({ browser, page } = await openConsole(gateway.url, { path: '/audit' }))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await good?.stop()
    await bad?.stop()
    clock.remove()
  })

  it('shows a change beside the failures that followed it, and takes it back with one click', async () => {
    for (let made = 0; made < 6; made++) expect(await call()).toBe(200)
    clock.offBy(-gaps[1])
    await root.api('PUT', '/api/channel/', { id: badId, priority: 50 })
    clock.offBy(0)
    for (let made = 0; made < 6; made++) expect(await call()).toBe(400)
    await page.goto(`${gateway.url}/audit?range=15m`)
    const row = page.getByRole('row').filter({ hasText: 'Channel edited' }).first()
    await row.getByText('rose 0 % → 100 %').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await row.click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('Priority').first().waitFor()
    await sheet.getByRole('button', { name: 'Revert' }).click()
    await page.getByText('Change reverted').waitFor()
    expect((await channel()).priority).toBe(0)
    expect(await call()).toBe(200)
  })

  it('reverts a revert, and refuses what was changed again since', async () => {
    const back = await newest('channel.update')
    expect((await revert(root, back.id)).success).toBe(true)
    expect((await channel()).priority).toBe(50)
    const again = await revert(root, back.id)
    expect([again.success, again.code]).toEqual([false, 'audit_changed_since'])
  })

  it('reverts a status and a list without what others did to it', async () => {
    await root.api('PUT', '/api/channel/', { id: badId, models: 'gpt-4o,added' })
    const added = await newest('channel.update')
    await root.api('PUT', '/api/channel/', { id: badId, models: 'gpt-4o,added,later' })
    expect((await revert(root, added.id)).success).toBe(true)
    expect((await channel()).models).toBe('gpt-4o,later')
    await root.api('PUT', '/api/channel/', { id: badId, status: 2 })
    expect((await revert(root, (await newest('channel.disable')).id)).success).toBe(true)
    expect((await channel()).status).toBe(1)
  })

  it('reverts a price and keeps those that changed since', async () => {
    const before = await ratios()
    await root.option('ModelRatio', JSON.stringify({ ...before, 'gpt-4o': 99 }))
    const raised = await newest('option.update')
    await root.option('ModelRatio', JSON.stringify({ ...before, 'gpt-4o': 99, mine: 3 }))
    expect((await revert(root, raised.id)).success).toBe(true)
    expect(await ratios()).toEqual({ ...before, mine: 3 })
  })

  it('has what the gateway decides by itself, with the reason', async () => {
    await root.option('AutomaticDisableChannelEnabled', 'true')
    bad.on('gpt-4o-mini', refuse(401, { message: 'Incorrect API key provided', code: 'invalid_api_key' }))
    await root.addChannel({ name: 'expired', base_url: bad.url, models: 'gpt-4o-mini' })
    await call('gpt-4o-mini')
    await until(async () => (await newest('channel.auto-disable').catch(() => undefined))?.target_name)
    await page.goto(`${gateway.url}/audit`)
    const row = page.getByRole('row').filter({ hasText: 'Channel disabled automatically' })
    await row.getByText('Gateway', { exact: true }).waitFor()
    await row.click()
    await page.getByRole('dialog').getByText('status 401').waitFor()
  })

  it('does not hold keys and secrets, and shows administrators no options', async () => {
    await root.api('PUT', '/api/channel/', { id: badId, key: 'sk-another-key-0000001' })
    const keys = await newest('channel.update')
    await root.option('SMTPToken', 'first-secret')
    await root.option('SMTPToken', 'second-secret')
    const secret = await newest('option.update')
    for (const { id } of [keys, secret]) expect((await revert(root, id)).code).toBe('audit_not_revertible')
    const admin = await logIn(gateway.url, await addAdministrator(gateway, 'amy'))
    expect((await revert(admin, secret.id)).code).toBe('record_not_found')
    await root.api('DELETE', `/api/channel/${badId}`)
    expect((await revert(root, keys.id)).success).toBe(false)
    await until(async () => ((await revert(root, 999_999)).code === 'record_not_found' ? true : undefined))
  })
})
