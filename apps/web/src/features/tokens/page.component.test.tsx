import { expect, it, spyOn } from 'bun:test'
import { calls, type PricingRow, type Token } from '@tollgate/api'
import { brokenRules } from '../../test-support/broken-rules.ts'
import { plainRow } from '../../test-support/plain-row.ts'
import {
  describePage,
  type PageTest,
  Refusal,
  screen,
  waitFor,
  within,
} from '../../test-support/render-page.tsx'

const now = Math.floor(Date.now() / 1000)
const load = () => Promise.all([import('./page.tsx'), import('./sheet.tsx')])

const noFaults = { upstream: 0, caller: 0, balance: 0, limit: 0, no_channel: 0, gateway: 0 }
const noCalls = { ok: 0, broken: 0, faults: noFaults }

const keyOf = (id: number, fields: Partial<Token> = {}): Token =>
  plainRow(calls.tokens.get.data, {
    id,
    user_id: 1,
    key: `${String(id).padStart(4, '0')}${'k'.repeat(44)}`,
    status: 1,
    name: `key ${id}`,
    created_time: now - 86_400,
    expired_time: -1,
    remain_quota: 5_000_000,
    ...fields,
  })

/** A gateway with these keys, which are changed by what the page sends. */
function withKeys({ gateway }: PageTest, keys: Token[]): Token[] {
  const matching = ({
    keyword = '',
    token,
  }: {
    readonly keyword?: string | undefined
    readonly token?: string | undefined
  }) => keys.filter(({ name, key }) => (token === undefined ? name.includes(keyword) : token.endsWith(key)))
  gateway
    .on(
      calls.tokens.list,
      ({ query }) => matching(query).slice(query.p * query.size, (query.p + 1) * query.size),
      ({ query }) => ({ total: matching(query).length }),
    )
    .on(
      calls.tokens.search,
      ({ query }) => matching(query).slice(query.p * query.size, (query.p + 1) * query.size),
      ({ query }) => ({ total: matching(query).length }),
    )
    .on(
      calls.tokens.get,
      ({ params }) => keys.find(({ id }) => id === params.id) ?? new Refusal('No such key'),
    )
    .on(calls.tokens.create, ({ body }) => {
      const made = keyOf(keys.length + 1, body as Partial<Token>)
      keys.unshift(made)
      return made
    })
    .on(calls.tokens.update, ({ body }) => {
      const at = keys.findIndex(({ id }) => id === body.id)
      const { base: _, ...change } = body
      const changed = { ...keyOf(body.id), ...keys[at], ...change } as Token
      keys[at] = changed
      return changed
    })
    .on(
      calls.tokens.delete,
      ({ params }) =>
        void keys.splice(
          keys.findIndex(({ id }) => id === params.id),
          1,
        ),
    )
    .on(calls.tokens.calls, {
      since: { today: 0, week: 0 },
      today: noCalls,
      week: noCalls,
      failed_rows: 0,
    })
    .on(calls.users.models, ['gpt-4o', 'gpt-4o-mini'])
    .on(calls.pricing.list, [priced('gpt-4o', 4), priced('gpt-4o-mini', 1)], () => ({
      group_ratio: { default: 1 },
      usable_group: {},
      user_group: 'default',
      supported_endpoint: {},
    }))
    .on(calls.users.groups, { default: { ratio: 1, desc: 'Default group' } })
  return keys
}

const priced = (model_name: string, model_ratio: number): PricingRow => ({
  model_name,
  model_ratio,
  completion_ratio: 1,
  quota_type: 0,
  model_price: 0,
  enable_groups: ['default'],
  available: true,
  supported_endpoint_types: ['openai'],
  owner_by: 'OpenAI',
})

const row = (name: string) => screen.findByRole('row', { name: new RegExp(`\\b${name}\\b`) })
const box = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })
const sheetNamed = async (name: string) => within(await screen.findByRole('dialog', { name }))
const copied = () => navigator.clipboard.readText()

/** The sheet of a new key, over a list of these. */
async function openSheet(page: PageTest, keys: Token[] = []) {
  withKeys(page, keys)
  await page.open('/token/add')
  return sheetNamed('Create key')
}

describePage('the form of an API key', load, (page) => {
  it('is what a page without keys leads to, after a warning', async () => {
    withKeys(page, [])
    await page.open('/token')
    await screen.findByText('No keys yet')
    await page.reads('Keys cannot control usage precisely')
    await page.user.click(screen.getByRole('link', { name: 'Create your first key' }))
    await sheetNamed('Create key')
  })

  it('says beside each field what is wrong with it, the first in focus', async () => {
    const sheet = await openSheet(page)
    await page.fill('Quota', '', sheet)
    expect((await box('Quota')).value).toBe('')
    await page.press('Pick a time', sheet)
    await page.user.click(sheet.getByText('Restrictions'))
    await page.user.click(sheet.getByText('Only some models'))
    await page.reads('No model selected: every call would be refused.', sheet)
    await page.fill('Allowed addresses', '10.0.0.', sheet)
    await page.lacks('Not an IP address', sheet)
    await page.fill('Allowed addresses', '10.0.0.\n', sheet)
    await page.reads('Not an IP address or CIDR range: 10.0.0.', sheet)
    await page.fill('Allowed addresses', '10.0.0.0/8\n::1', sheet)
    await page.lacks('Not an IP address', sheet)
    await page.press(/^Create key/, sheet)
    for (const problem of [
      'Please enter a name',
      'Enter an amount from 0 to',
      'Expiry time format error',
      'Choose at least one model',
    ])
      await page.reads(problem, sheet)
    expect(document.activeElement?.getAttribute('placeholder')).toContain('laptop')
    expect(page.gateway.sent(calls.tokens.create)).toEqual([])
    expect(await brokenRules()).toEqual([])
  })

  it('asks before typed work is lost', async () => {
    const sheet = await openSheet(page)
    await page.fill('Name', 'laptop', sheet)
    await page.press('Cancel', sheet)
    await page.confirm('Keep editing')
    expect((await box('Name')).value).toBe('laptop')
  })

  it('puts a refusal of the gateway beside its field, and creates the key that was typed', async () => {
    const sheet = await openSheet(page)
    await page.fill('Name', 'laptop', sheet)
    await page.press('$50', sheet)
    expect((await box('Quota')).value).toBe('50')
    await page.fill('Quota', '10.0000010', sheet)
    expect((await box('Quota')).value).toBe('10.0000010')
    await page.press('One day', sheet)
    page.gateway.on(
      calls.tokens.create,
      new Refusal('This group is not open to you', { code: 'token_group_not_usable' }),
    )
    await page.press(/^Create key/, sheet)
    await page.reads('This group is not open to you', sheet)
    withKeys(page, [])
    await page.press(/^Create key/, sheet)
    await screen.findByRole('dialog', { name: 'laptop is ready' })
    const body = page.gateway.bodies(calls.tokens.create)[1]
    expect(calls.tokens.create.body.strict().parse(body)).toMatchObject({
      name: 'laptop',
      group: '',
      remain_quota: 5_000_001,
      model_limits_enabled: false,
      allow_ips: '',
    })
    expect((body?.expired_time ?? 0) - now).toBeGreaterThan(86_000)
  })

  it('shows a new key set up for each program, with a model that can be chosen', async () => {
    const sheet = await openSheet(page)
    await page.fill('Name', 'laptop', sheet)
    await page.press(/^Create key/, sheet)
    const ready = await sheetNamed('laptop is ready')
    const key = `sk-0001${'k'.repeat(44)}`
    for (const tab of ['Claude Code', 'Codex', 'Gemini CLI', 'Cursor', 'curl', 'OpenAI SDK', 'Google SDK']) {
      await page.user.click(ready.getByRole('tab', { name: tab }))
      for (const fact of [key, 'http://gateway.test', 'gpt-4o'])
        await waitFor(() => expect([tab, code().includes(fact)]).toEqual([tab, true]))
    }
    await page.pick('Model', 'gpt-4o-mini', ready)
    await waitFor(() => expect(code()).toContain('"gpt-4o-mini"'))
    expect(await brokenRules()).toEqual([])
    await page.press('Done', ready)
    await waitFor(() => expect(page.address).toBe('/token'))
  })

  it('sends of a stored key what was changed, and what it was', async () => {
    withKeys(page, [keyOf(7, { name: 'laptop' })])
    page.gateway.on(calls.tokens.formerKeys, [])
    await page.open('/token')
    await page.choose('More for laptop', 'Edit')
    const sheet = await sheetNamed('Edit key')
    await page.fill('Name', 'desk', sheet)
    await page.press('Unlimited', sheet)
    await page.fill('Allowed addresses', '10.0.0.0/8', sheet)
    expect(await brokenRules()).toEqual([])
    await page.press(/^Save/, sheet)
    await row('desk')
    expect(page.gateway.bodies(calls.tokens.update)).toEqual([
      {
        id: 7,
        name: 'desk',
        unlimited_quota: true,
        allow_ips: '10.0.0.0/8',
        base: { name: 'laptop', unlimited_quota: false, allow_ips: '' },
      },
    ])
  })

  it('makes many keys one after the other, which are copied together', async () => {
    const sheet = await openSheet(page)
    await page.fill('Name', 'pipeline', sheet)
    await page.press('10', sheet)
    await sheet.findByRole('button', { name: /^Create 10 keys/ })
    await page.user.keyboard('{Control>}{Enter}{/Control}')
    const ready = await sheetNamed('10 keys are ready')
    const names = page.gateway.bodies(calls.tokens.create).map(({ name }) => name)
    expect(names.filter((name) => /^pipeline-[0-9A-Za-z]{6}$/.test(name ?? ''))).toHaveLength(9)
    await page.press('Copy 10 keys', ready)
    expect((await copied()).split('\n')).toHaveLength(10)
    expect(await brokenRules()).toEqual([])
  })

  it('stops a batch at the first refusal, and says how many there are', async () => {
    const sheet = await openSheet(page)
    let made = 0
    page.gateway.on(calls.tokens.create, ({ body }) => {
      made += 1
      return made < 3 ? keyOf(made, body as Partial<Token>) : new Refusal('No more keys today')
    })
    await page.fill('Name', 'few', sheet)
    await page.fill('Number of keys', '5', sheet)
    await page.press(/^Create 5 keys/, sheet)
    const ready = await sheetNamed('2 keys are ready')
    await page.reads('2 of 5 keys were created', ready)
    await page.reads('No more keys today', ready)
    expect(made).toBe(3)
  })
})

function code(): string {
  return [...document.querySelectorAll('[role="dialog"] pre')]
    .map(({ textContent }) => textContent)
    .join('\n')
}

describePage('the list of API keys', load, (page) => {
  it('says which keys end soon, and which may call nothing', async () => {
    const soon = keyOf(1, { name: 'laptop', expired_time: now + 86_000 })
    withKeys(page, [soon, keyOf(2, { name: 'nothing', model_limits_enabled: true })])
    await page.open('/token')
    within(await row('laptop')).getByText(/^Expires in 2\d hr/)
    within(await row('nothing')).getByText('Enabled: no models')
    expect(await brokenRules()).toEqual([])
  })

  it('disables and enables a key by its status alone', async () => {
    withKeys(page, [keyOf(7, { name: 'laptop' })])
    await page.open('/token')
    await page.press('Disable laptop')
    await page.press('Undo')
    await page.press('Disable laptop')
    await page.press('Enable laptop')
    await screen.findByRole('button', { name: 'Disable laptop' })
    expect(page.gateway.bodies(calls.tokens.update).map((body) => body?.status)).toEqual([2, 1, 2, 1])
  })

  it('copies a key, and says whom to ask for a chat client', async () => {
    const keys = withKeys(page, [keyOf(7, { name: 'desk' })])
    await page.open('/token')
    await page.choose('More for desk', 'Copy key')
    await page.reads('Key copied')
    expect(await copied()).toBe(`sk-${keys[0]?.key}`)
    await page.choose('More for desk', 'Open in chat')
    await page.reads('Please contact the administrator to configure chat links')
  })

  it('copies and shows complete keys where the list masks them', async () => {
    withKeys(page, [keyOf(7, { name: 'desk', key: 'abcd**********wxyz' })])
    page.gateway.on(calls.tokens.reveal, [{ id: 7, key: 'complete' }])
    await page.open('/token')
    await page.choose('More for desk', 'Copy key')
    await page.reads('Key copied')
    expect(await copied()).toBe('sk-complete')
    await page.press('Show key desk')
    await page.reads('sk-complete')
  })

  it('shows the text to copy by hand where the browser does not copy', async () => {
    withKeys(page, [keyOf(7, { name: 'few' })])
    await page.open('/token')
    await row('few')
    spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('no'))
    await page.press('Copy key few')
    await screen.findByRole('dialog', { name: 'Copy manually' })
    expect(await brokenRules()).toEqual([])
    await page.press('Close')
  })

  it('acts on chosen keys by one call, and asks for a choice where there is none', async () => {
    withKeys(page, [keyOf(1), keyOf(2)])
    page.gateway.on(
      calls.tokens.batch,
      ({ body }) => body.ids.length,
      ({ body }) => ({
        outcomes: body.ids.map((id) => ({ id, success: true, message: '' })),
      }),
    )
    await page.open('/token')
    await row('key 1')
    await page.press('Copy selected keys')
    await page.reads('Select at least one key first')
    const all = () => page.user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
    await all()
    await page.press('Copy selected keys')
    await page.reads('Copied')
    expect((await copied()).split('\n')).toHaveLength(2)
    expect(await brokenRules()).toEqual([])
    await page.press('Disable')
    await page.reads('2 keys disabled')
    await all()
    await page.press('Enable')
    await page.reads('2 keys enabled')
    await all()
    await page.press('Delete')
    await page.confirm('Delete 2 keys')
    await page.reads('2 keys deleted')
    expect(page.gateway.bodies(calls.tokens.batch).map(({ action }) => action)).toEqual([
      'disable',
      'enable',
      'delete',
    ])
  })

  it('searches by name, page by page', async () => {
    withKeys(page, [
      ...Array.from({ length: 60 }, (_, index) => keyOf(index + 1, { name: `many ${index}` })),
      keyOf(99, { name: 'desk' }),
    ])
    await page.open('/token')
    await page.reads('many 0')
    const search = screen.getByPlaceholderText('Name or full key')
    await page.fill(search, 'many')
    await page.reads('1–50 of 60')
    expect(page.address).toBe('/token?keyword=many')
    await page.user.click(screen.getByLabelText('Next page'))
    await page.reads('51–60 of 60')
    await page.fill(search, 'desk')
    await row('desk')
    expect(screen.getAllByRole('row')).toHaveLength(2)
  })

  it('deletes a key after a question', async () => {
    withKeys(page, [keyOf(7, { name: 'desk' })])
    await page.open('/token')
    await page.choose('More for desk', 'Delete')
    await page.confirm('Delete key')
    await page.reads('desk deleted')
    expect(page.gateway.sent(calls.tokens.delete).map(({ params }) => params)).toEqual([{ id: '7' }])
  })
})
