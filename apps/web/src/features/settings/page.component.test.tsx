import { expect, it } from 'bun:test'
import { calls } from '@tollgate/api'
import { defaults, formatSetting, isSecret, settingKeys } from '@tollgate/api/settings'
import { brokenRules } from '../../test-support/broken-rules.ts'
import { administrator } from '../../test-support/people.ts'
import { plainRow } from '../../test-support/plain-row.ts'
import {
  describePage,
  type PageTest,
  Refusal,
  screen,
  waitFor,
  within,
} from '../../test-support/render-page.tsx'

const load = () => import('./page.tsx')

interface Stored {
  readonly values: Map<string, string>
  /** Returns the saved options since, without their base. */
  readonly sent: () => readonly { readonly key: string; readonly value?: unknown; readonly clear?: boolean }[]
}

/** A gateway with the settings of a new installation and these; `refuse` says what it does not save. */
function withSettings(
  { gateway }: PageTest,
  own: Readonly<Record<string, string>> = {},
  refuse: (key: string) => InstanceType<typeof Refusal> | undefined = () => undefined,
): Stored {
  const values = new Map(settingKeys.map((key) => [key as string, formatSetting(key, defaults[key])]))
  for (const [key, value] of Object.entries(own)) values.set(key, value)
  const secrets = new Set<string>()
  gateway
    .on(calls.options.list, () =>
      settingKeys.map((key) =>
        isSecret(key) ? { key, value: '', is_set: secrets.has(key) } : { key, value: values.get(key) ?? '' },
      ),
    )
    .on(calls.options.set, ({ body: { key, value = '', clear } }) => {
      const refusal = refuse(key)
      if (refusal !== undefined) return refusal
      if (clear) secrets.delete(key)
      else if (isSecret(key as 'SMTPToken')) secrets.add(key)
      else values.set(key, value)
      return undefined
    })
    .on(calls.options.mailState, { last_failure: null })
    .on(calls.logs.clearProgress, plainRow(calls.logs.clearProgress.data))
    .on(calls.channels.enabledModels, ['house-a', 'house-b'])
    .on(calls.groups.list, ['default', 'vip', 'svip'])
    .on(calls.channels.stops, { models: [], model_count: 0, calls: 0, users: 0, attempts: 0 })
  const sent = () =>
    gateway
      .bodies(calls.options.set)
      .map(
        ({ base: _, ...change }) =>
          change as Stored['sent'] extends () => readonly (infer One)[] ? One : never,
      )
  return { values, sent }
}

const box = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })
const toggle = async (name: RegExp) => screen.findByRole<HTMLInputElement>('switch', { name })
const save = (page: PageTest) => page.press('Save changes')
const saved = (page: PageTest) => page.reads('No unsaved changes')

describePage('the settings', load, (page) => {
  const open = (tab: string) => page.open(`/setting?tab=${tab}`)

  it('send only what was changed, what is switched on last', async () => {
    const { sent } = withSettings(page)
    await open('operation')
    await save(page)
    await page.reads('You don’t seem to have changed anything')
    expect(sent()).toEqual([])
    await page.fill('Retries', '4')
    await page.user.click(await toggle(/^Demo site/))
    await page.reads('2 unsaved changes')
    await save(page)
    await saved(page)
    expect(sent()).toEqual([
      { key: 'RetryTimes', value: '4' },
      { key: 'DemoSiteEnabled', value: 'true' },
    ])
  })

  it('ask what a change of prices does, by every option that charges, and nothing of others', async () => {
    const { sent } = withSettings(page)
    page.gateway.on(calls.channels.stops, ({ body }) => ({
      models: [],
      ...{ model_count: 0, calls: 9, users: 2, attempts: 0, spend: { before: 500_000, after: 1_000_000 } },
      charge_count: body.options?.length ?? 0,
    }))
    await open('operation')
    await page.user.click(await screen.findByRole('tab', { name: 'Models without a price' }))
    await page.press(/^Set the price of/)
    await page.user.click(await screen.findByRole('checkbox', { name: 'All 2' }))
    await page.fill('Model ratio', '2')
    await page.fill('Completion ratio', '3')
    await page.press(/^Set the price of/)
    await page.reads('Every enabled model has a price')
    await save(page)
    await page.reads('by the new price it would be about $1.00 more an hour')
    expect(sent()).toEqual([])
    await page.confirm('Save prices')
    await saved(page)
    const [question] = page.gateway.bodies(calls.channels.stops)
    expect(question?.options?.map(({ key }) => key)).toEqual(['ModelRatio', 'CompletionRatio'])
    expect(sent().map(({ key }) => key)).toEqual(['ModelRatio', 'CompletionRatio'])
    await screen.findByRole('button', { name: 'Undo' })
  })

  it('ask with the same sum before the ratios are reset, and offer the way back', async () => {
    withSettings(page)
    page.gateway
      .on(calls.options.resetModelRatio, () => undefined)
      .on(calls.channels.stops, {
        models: [],
        ...{ model_count: 0, calls: 9, users: 2, attempts: 0, spend: { before: 500_000, after: 1_000_000 } },
      })
    await open('operation')
    await page.press('Reset model ratios')
    await page.reads('by the new price it would be about $1.00 more an hour')
    expect(page.gateway.bodies(calls.channels.stops)).toMatchObject([{ options: [{ key: 'ModelRatio' }] }])
    await page.confirm('Reset model ratios')
    await page.reads('Model ratios reset')
    await screen.findByRole('button', { name: 'Undo' })
  })

  it('undo a change, and do not lose changes when tabs change', async () => {
    withSettings(page)
    await open('operation')
    const before = (await box('Retries')).value
    await page.fill('Retries', '9')
    await page.press('Undo the change of Retries')
    expect((await box('Retries')).value).toBe(before)
    await page.fill('Retries', '8')
    await page.user.click(screen.getByRole('tab', { name: 'Rate limit' }))
    await page.fill('Period', '3')
    await page.reads('2 unsaved changes')
    await page.press('Discard')
    await saved(page)
    expect((await box('Period')).value).toBe('1')
  })

  it('take amounts in dollars, by the rate that is saved with them', async () => {
    const { values } = withSettings(page)
    await open('operation')
    await page.fill('Starting balance', '5')
    await page.fill('Quota per dollar', '1000000')
    expect((await box('Starting balance')).value).toBe('2.5')
    await page.fill('Starting balance', '5')
    await save(page)
    await saved(page)
    expect(values.get('QuotaForNewUser')).toBe('5000000')
  })

  it('say what is wrong beside the field that is left', async () => {
    withSettings(page)
    await open('ratelimit')
    await page.fill('Successful requests per period', '0')
    await page.user.tab()
    await page.reads(/^Enter a whole number from 1 to/)
    expect(await brokenRules()).toEqual([])
  })

  it('leave the ping interval alone while nothing is pinged', async () => {
    withSettings(page)
    await open('models')
    expect((await box('Ping interval')).disabled).toBe(true)
    await page.user.click(await toggle(/^Keep silent streams alive/))
    await page.fill('Ping interval', '0')
    await page.user.tab()
    await page.reads(/^Enter a whole number from 1 to 3600/)
  })

  it('price one model by ratios, by prices and by the call', async () => {
    const { values } = withSettings(page)
    await open('operation')
    await page.press('Add model')
    const sheet = within(await screen.findByRole('dialog', { name: 'Add model' }))
    await page.fill('Model', 'gpt-4o', sheet)
    await page.fill('Model ratio', 'cheap', sheet)
    await page.press(/^Apply/, sheet)
    await page.reads('The model name already exists', sheet)
    await page.reads('Enter a number', sheet)
    expect(await brokenRules()).toEqual([])
    await page.fill('Model', 'house-c', sheet)
    await page.user.click(sheet.getByRole('radio', { name: 'Prices' }))
    await page.fill('Input price', '3', sheet)
    await page.fill('Output price', '12', sheet)
    await page.press(/^Apply/, sheet)
    await waitFor(() => expect(screen.queryAllByRole('dialog').length).toBe(0))
    await page.fill(screen.getByRole('searchbox', { name: 'Search models' }), 'gpt-4o-mini-2024')
    await page.press('Edit the price of gpt-4o-mini-2024-07-18')
    await page.user.click(await screen.findByRole('radio', { name: 'Per call' }))
    await page.fill('Price per call', '0.02')
    await page.press(/^Apply/)
    await page.reads('$0.02 per call')
    await save(page)
    await saved(page)
    const ratios = JSON.parse(values.get('ModelRatio') ?? '')
    expect([ratios['house-c'], ratios['gpt-4o-mini-2024-07-18']]).toEqual([1.5, undefined])
    expect(JSON.parse(values.get('CompletionRatio') ?? '')['house-c']).toBe(4)
    expect(JSON.parse(values.get('ModelPrice') ?? '')['gpt-4o-mini-2024-07-18']).toBe(0.02)
  })

  it('price several models that have no price', async () => {
    const { values } = withSettings(page)
    await open('operation')
    await page.user.click(await screen.findByRole('tab', { name: 'Models without a price' }))
    await page.press(/^Set the price of/)
    await page.reads('Select models first')
    await page.user.click(await screen.findByRole('checkbox', { name: 'All 2' }))
    await page.press(/^Set the price of/)
    await page.reads('Enter a number')
    await page.fill('Model ratio', '2')
    await page.fill('Completion ratio', '3')
    await page.press(/^Set the price of/)
    await page.reads('Every enabled model has a price')
    await save(page)
    await saved(page)
    expect(JSON.parse(values.get('ModelRatio') ?? '')).toMatchObject({ 'house-a': 2, 'house-b': 2 })
    expect(JSON.parse(values.get('CompletionRatio') ?? '')).toMatchObject({ 'house-a': 3, 'house-b': 3 })
  })

  const night = { from: '22:00', to: '06:00' }
  const others = { zone: 'Asia/Shanghai', windows: [{ ...night, days: ['sat' as const], ratio: 2 }] }

  for (const setting of ['TimePrice', 'TimeCost'] as const)
    it(`edit ${setting} in rows, and name what is wrong in one`, async () => {
      const stored = { 'deepseek-*': others, gone: others }
      const { values } = withSettings(page, { [setting]: JSON.stringify(stored) })
      await open('operation')
      await page.user.click(await screen.findByRole('tab', { name: 'Caches, media, tools' }))
      const label = setting === 'TimePrice' ? 'Prices by time of day' : 'Costs by time of day'
      const section = within(await screen.findByRole('region', { name: label }))
      expect(section.getAllByText('Sat 22:00–06:00 × 2')).toHaveLength(2)
      await page.press('Remove gone', section)
      await page.press('Add entry', section)
      const sheet = within(await screen.findByRole('dialog', { name: 'Add entry' }))
      await page.fill('Model', 'deepseek-*', sheet)
      await page.press(/^Apply/, sheet)
      await page.reads('There is an entry of this name', sheet)
      await page.reads('Add a period', sheet)
      await page.press('Add period', sheet)
      const zone = sheet.getByRole('combobox', { name: /^Time zone/ })
      await page.fill(zone, 'Mars/Olympus', sheet)
      await page.fill('Ratio', 'half', sheet)
      await page.reads(/^Enter the name of a time zone/, sheet)
      await page.reads('Enter a number from 0 to 1000', sheet)
      expect(await brokenRules()).toEqual([])
      await page.fill('Model', 'house', sheet)
      await page.fill(zone, 'Asia/Kolkata', sheet)
      await page.fill('Ratio', '0.25', sheet)
      await page.press(/^Apply/, sheet)
      await waitFor(() => expect(screen.queryAllByRole('dialog').length).toBe(0))
      await page.reads('22:00–06:00 × 0.25', section)
      await save(page)
      await saved(page)
      expect(JSON.parse(values.get(setting) ?? '')).toEqual({
        'deepseek-*': others,
        house: { zone: 'Asia/Kolkata', windows: [{ ...night, ratio: 0.25 }] },
      })
      expect(await brokenRules()).toEqual([])
    })

  it('change groups and chat links in tables', async () => {
    const { values } = withSettings(page)
    await open('operation')
    await page.fill('New group', 'staff')
    await page.press('Add group')
    await page.fill('Ratio of staff', '0.5')
    await page.user.click(await screen.findByRole('checkbox', { name: 'Offer staff to everyone' }))
    await page.fill('Description of staff', 'People of the house')
    await page.press('Remove svip')
    await page.press('Add link')
    await page.fill('Name of link 6', 'House chat')
    await page.fill('Address of link 6', 'https://chat.example/?key={key}')
    await page.press('Move House chat up')
    await page.press('Remove OpenCat')
    await save(page)
    await saved(page)
    expect(JSON.parse(values.get('GroupRatio') ?? '')).toEqual({ default: 1, vip: 1, staff: 0.5 })
    expect(JSON.parse(values.get('UserUsableGroups') ?? '')).toMatchObject({ staff: 'People of the house' })
    expect(JSON.parse(values.get('Chats') ?? '').at(-1)).toEqual({
      'House chat': 'https://chat.example/?key={key}',
    })
  })

  it('are found by name, sentence and key across all tabs', async () => {
    const { values } = withSettings(page)
    await open('other')
    const search = await screen.findByRole('searchbox', { name: 'Search all settings' })
    await page.fill(search, 'SMTPPort')
    await page.reads('1 setting found')
    await page.fill('SMTP port', '465')
    await save(page)
    await saved(page)
    expect(values.get('SMTPPort')).toBe('465')
    await page.fill(search, 'nothing like this')
    await page.reads('No setting matches')
  })

  it('show administrators their sections, without what moves money', async () => {
    withSettings(page)
    await page.open('/setting?tab=operation', { as: administrator })
    expect((await box('Top-up link')).disabled).toBe(true)
    for (const label of ['Quota per dollar', 'Reward for the inviter'])
      expect([label, (await box(label)).disabled]).toEqual([label, true])
    await page.lacks('Add model')
    expect((await box('Retries')).disabled).toBe(false)
    expect(screen.queryAllByRole('textbox', { name: 'SMTP server' }).length).toBe(0)
  })
})

describePage('the system settings', load, (page) => {
  const open = (tab = 'system') => page.open(`/setting?tab=${tab}`)
  const section = (name: string) => {
    const element = document.querySelector<HTMLElement>(`[data-section=${name}]`)
    if (element === null) throw new Error(`no section ${name} on the page`)
    return within(element)
  }

  it('save the others and say which switch the gateway refused', async () => {
    const refusal = new Refusal('Fill in GitHub client ID before turning on Log in with GitHub')
    const { values } = withSettings(page, {}, (key) => (key === 'GitHubOAuthEnabled' ? refusal : undefined))
    await open()
    await page.user.click(await toggle(/^Log in with GitHub/))
    await page.fill('Server address', 'https://gate.example/')
    await save(page)
    await page.reads('Some changes were not saved, please retry')
    await page.reads('Fill in GitHub client ID before turning on Log in with GitHub')
    await page.reads('1 unsaved change')
    expect([values.get('ServerAddress'), values.get('GitHubOAuthEnabled')]).toEqual([
      'https://gate.example',
      'false',
    ])
  })

  it('switch a provider on together with what it needs', async () => {
    const { sent } = withSettings(page, { ServerAddress: 'https://gate.example' })
    await open()
    await page.reads('https://gate.example/oauth/github')
    await page.fill('GitHub client ID', 'house')
    await page.user.click(await toggle(/^Log in with GitHub/))
    await save(page)
    await saved(page)
    expect(sent().map(({ key }) => key)).toEqual(['GitHubClientId', 'GitHubOAuthEnabled'])
  })

  it('write secrets without showing them, and remove them', async () => {
    const { sent } = withSettings(page)
    await open()
    await page.fill('SMTP password', 'hunter2-hunter2')
    await save(page)
    await saved(page)
    expect(sent()).toEqual([{ key: 'SMTPToken', value: 'hunter2-hunter2' }])
    await page.press('Remove SMTP password')
    await page.confirm('Remove')
    await waitFor(() => expect(sent()[1]).toEqual({ key: 'SMTPToken', clear: true }))
  })

  it('ask before password login is switched off', async () => {
    withSettings(page)
    await open()
    const login = await toggle(/^Log in with a password/)
    await page.user.click(login)
    await page.confirm('Cancel')
    expect((await toggle(/^Log in with a password/)).checked).toBe(true)
    await page.user.click(login)
    await page.confirm('Turn off')
    await page.reads('1 unsaved change')
    expect((await toggle(/^Log in with a password/)).checked).toBe(false)
  })

  it('take mail domains one by one', async () => {
    const { values } = withSettings(page)
    await open()
    await page.fill('Email domains', 'not a domain')
    const add = () => page.press('Add', section('email-domain'))
    await add()
    await page.reads(/not a domain is not a valid domain/)
    await page.fill('Email domains', 'qq.com')
    await add()
    await page.reads('This domain is already in the list')
    await page.fill('Email domains', 'Gate.Example')
    await page.user.keyboard('{Enter}')
    await page.press('Remove yahoo.com')
    await save(page)
    await saved(page)
    const domains = values.get('EmailDomainWhitelist')?.split(',') ?? []
    expect(domains.slice(-2)).toEqual(['foxmail.com', 'gate.example'])
    expect(domains).not.toContain('yahoo.com')
  })

  it('leave the check for updates off while it has no address', async () => {
    withSettings(page)
    await open('other')
    await page.reads('Update checks are off: no address is set for them.')
    expect(
      (await screen.findByRole<HTMLButtonElement>('button', { name: 'Check for updates' })).disabled,
    ).toBe(true)
  })

  it('say why a check for updates failed', async () => {
    withSettings(page, { ReleaseCheckUrl: 'https://releases.example' })
    page.gateway.on(calls.release.latest, new Refusal('Could not check for updates, try again later'))
    await open('other')
    await page.press('Check for updates')
    await waitFor(() =>
      expect(screen.queryAllByText('Could not check for updates, try again later').length).toBeGreaterThan(0),
    )
  })
})
