import { expect, it } from 'bun:test'
import {
  calls,
  type Incident,
  type OwnOverview,
  type OwnUsageSummary,
  type UsageRow,
  type UsageSummary,
} from '@tollgate/api'
import { sampleStatus } from '../../../dev/samples.ts'
import { customer } from '../../test-support/people.ts'
import {
  describePage,
  type PageTest,
  Refusal,
  screen,
  waitFor,
  within,
} from '../../test-support/render-page.tsx'

const now = Math.floor(Date.now() / 1000)
const none = { upstream: 0, caller: 0, balance: 0, limit: 0, no_channel: 0, gateway: 0 }
const quiet = { ok: 32, faults: none }
const totals = { count: 3, errors: 1, quota: 4500, token_used: 3600 }
const noFigures = { calls: 0, quota: 0, costed_calls: 0, costed_quota: 0, cost: 0 }

const overview: OwnOverview = {
  quota: 50_000_000,
  request_count: 3,
  untrusted_proxy: '',
  journal: [],
  health: [],
  upgrades: [],
  outgrown: null,
  keys: { total: 1, exhausted: [], expired: [], ends_first: [], least_left: [] },
}
const own: OwnUsageSummary = {
  since: { today: now - 3600, week: now - 6 * 86_400 },
  today: totals,
  week: { ...totals, errors: 5 },
  top_models: [],
  calls: { today: { ...quiet, broken: 0 }, week: { ok: 31, broken: 1, faults: { ...none, balance: 8 } } },
  failing_models: [
    {
      ok: 0,
      broken: 3,
      faults: { ...none, no_channel: 4 },
      model_name: 'no-such-model',
      count: 3,
      errors: 4,
    },
  ],
  more_failing_models: 0,
}
const summary: UsageSummary = {
  ...own,
  attempts: { today: { ok: 4, faults: { ...none, upstream: 7 } }, week: quiet },
  rescued: { today: 2, week: 2 },
  failing_channels: [{ ok: 2, faults: { ...none, upstream: 6 }, channel: 4, channel_name: 'cuts', calls: 5 }],
  more_failing_channels: 0,
}
const usage: UsageRow = {
  id: 1,
  user_id: 0,
  username: '',
  model_name: 'gpt-4o-mini',
  created_at: now - (now % 3600),
  token_used: 3600,
  count: 3,
  quota: 4500,
}

const incident: Incident = {
  ...{ id: 3, kind: 'channel', state: 'open', level: 4, opened_at: now - 7200, ended_at: 0 },
  ...{ calls_lost: 12, money_lost: 1_500_000, name: '', groups: [], accepted: null },
  members: { first: [{ id: 7, name: 'Dead upstream' }], count: 1 },
  models: { first: ['gpt-4o-mini'], count: 1 },
  users: { first: [{ id: 5, name: 'ann' }], count: 3 },
  ...{ reason_code: 'key_refused', reason_params: { status: 401 } },
}

/** The dashboard of an administrator, with what differs from a quiet installation. */
function respond({ gateway }: PageTest, open: readonly Incident[] = [], mine = overview): void {
  gateway.on(calls.status.read, {
    ...sampleStatus(),
    enable_data_export: true,
    enable_drawing: true,
    enable_task: true,
  })
  gateway.on(calls.users.overview, mine)
  gateway.on(calls.usageData.summary, summary)
  gateway.on(
    calls.usageData.list,
    ({ query }) => (query.username === 'nobody' ? [] : [usage]),
    () => ({
      granularity: 'hour' as const,
    }),
  )
  gateway.on(calls.channels.list, [], () => ({ total: 0 }))
  gateway.on(calls.incidents.list, {
    items: [...open],
    total: open.length,
    page: 1,
    page_size: 100,
    quiet: open.length * 2,
  })
  gateway.on(calls.pricing.list, [], () => ({
    group_ratio: {},
    usable_group: {},
    user_group: 'default',
    supported_endpoint: {},
  }))
  gateway.on(calls.userAdmin.list, { items: [], total: 0, page: 1, page_size: 100 })
  gateway.on(calls.margins.list, { total: noFigures, rows: [] })
  gateway.on(calls.logs.histogram, {
    step_seconds: 60,
    steps: [{ at: now - 120, calls: 3, errors: 1 }],
  })
  gateway.on(calls.logs.stat, { quota: 4500, rpm: 0, tpm: 0 })
}

describePage(
  'the dashboard',
  () => import('./page.tsx'),
  (page) => {
    it('shows an empty gateway the way to its first call, until it is hidden', async () => {
      const empty = { ...overview, request_count: 0, keys: { ...overview.keys, total: 0 } }
      respond(page, [], empty)
      const unused = { ...summary, week: { ...totals, count: 0 } }
      page.gateway.on(calls.usageData.summary, unused)
      page.gateway.on(calls.users.models, [])
      await page.open('/detail')
      const steps = (await screen.findByText('Price your models')).closest('ol, ul') as HTMLElement
      const links = within(steps).getAllByRole('link')
      expect(links.map((link) => link.getAttribute('href'))).toEqual([
        '/channel/add',
        '/models',
        '/token/add',
        '/playground',
      ])
      await page.user.click(screen.getByRole('button', { name: 'Hide first steps' }))
      expect(screen.queryAllByText('Price your models').length).toBe(0)
      await page.open('/detail')
      await screen.findByRole('heading', { name: 'Failed calls by cause' })
      expect(screen.queryAllByText('Price your models').length).toBe(0)
      // The palette searches once nobody has typed for a moment, which a busy machine reaches between two letters.
      page.gateway.on(calls.channels.search, [], () => ({ total: 0 }))
      page.gateway.on(calls.userAdmin.search, { items: [], total: 0, page: 1, page_size: 5 })
      page.gateway.on(calls.tokens.list, [], () => ({ total: 0 }))
      await page.user.keyboard('{Control>}k{/Control}')
      await page.user.type(await screen.findByRole('combobox', { name: 'Command palette' }), 'first steps')
      await page.user.click(await screen.findByRole('option', { name: /Show first steps/ }))
      await screen.findByText('Price your models')
      // Somebody has called.
      page.gateway.on(calls.usageData.summary, summary)
      await page.open('/detail')
      await screen.findByRole('heading', { name: 'Failed calls by cause' })
      expect(screen.queryAllByText('Price your models').length).toBe(0)
    })

    it('shows a cause in one row: since when, what it cost, who is concerned, and the one mend', async () => {
      respond(page, [incident])
      await page.open('/detail')
      const row = (await screen.findByText('Dead upstream fails')).closest('li') as HTMLElement
      expect(row.textContent).toContain(
        '12 calls lost · about $3.00 not earned · Users: ann and 2 more · Models: gpt-4o-mini',
      )
      expect(row.textContent).toContain('The key was refused (status 401)')
      expect(within(row).getByRole('link', { name: 'Open channel' }).getAttribute('href')).toBe(
        '/channel/edit/7',
      )
      const quiet = screen.getByText('2 accepted or snoozed incidents').closest('li') as HTMLElement
      expect(within(quiet).getByRole('link').getAttribute('href')).toBe('/incidents?state=quiet')
    })

    it('accepts an incident, or snoozes it until a time, for everybody', async () => {
      respond(page, [incident])
      page.gateway.on(calls.incidents.accept, incident)
      await page.open('/detail')
      const choose = async (name: string) => {
        await page.user.click(await screen.findByRole('button', { name: 'Accept or snooze' }))
        await page.user.click(await screen.findByRole('menuitem', { name }))
      }
      await choose('Accept until it ends')
      await waitFor(() => expect(page.gateway.bodies(calls.incidents.accept)).toEqual([{ until: 0 }]))
      await choose('1 day')
      await waitFor(() => expect(page.gateway.bodies(calls.incidents.accept)).toHaveLength(2))
      const { until } = page.gateway.bodies(calls.incidents.accept)[1] as { until: number }
      expect(Math.abs(until - now - 86_400)).toBeLessThan(600)
    })

    it('says that incidents are unknown at a node of the version before, and shows the rest', async () => {
      respond(page)
      page.gateway.on(calls.incidents.list, new Refusal('not found', { status: 404 }))
      await page.open('/detail')
      await page.reads('Incidents are unavailable while the gateway is being upgraded')
      await screen.findByRole('heading', { name: 'Failed calls by cause' })
    })

    it('tells what callers received from what was tried, and leads to the calls of each figure', async () => {
      respond(page)
      await page.open('/detail')
      await screen.findByRole('heading', { name: 'Failed calls by cause' })
      const figure = screen.getByText('Failed calls today').closest('div') as HTMLElement
      expect(figure.textContent).toContain('1 (25\u00a0%)')
      expect(figure.textContent).toContain('5 (63\u00a0%) in 7 days')
      expect(figure.textContent).toContain('7 of 11 attempts failed')
      const hrefs = within(figure)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href'))
      expect(hrefs).toEqual([
        `/log?type=5&range=custom&from=${summary.since.today}`,
        `/log?type=5&range=custom&from=${summary.since.week}`,
        `/log?rescued=true&range=custom&from=${summary.since.today}`,
      ])
      const tried = screen.getByRole('link', { name: '5 calls tried it' })
      expect(tried.getAttribute('href')).toBe(`/log?tried=4&range=custom&from=${summary.since.week}`)
    })

    it('lists what fails, by whose fault', async () => {
      respond(page)
      await page.open('/detail')
      await screen.findByRole('heading', { name: 'Failed calls by cause' })
      const row = (text: string) => screen.getByText(text).closest('li') as HTMLElement
      within(row('Balance empty')).getByText('8 of 40')
      expect(row('no-such-model').textContent).toContain('No channel 4 · 3 broke off4 of 7')
      within(row('Broke off')).getByText('1 of 40')
      expect(row('cuts').textContent).toContain('6 of 8')
    })

    it('charts what was spent, as a table too, by the measure and the step of the address', async () => {
      respond(page)
      await page.open('/detail')
      await page.user.click(await screen.findByRole('button', { name: 'Show as table' }))
      const table = await screen.findByRole('region', { name: 'Cost over time' })
      expect(within(table).getAllByRole('cell')[0]?.textContent).toBe('$0.0090')
      await page.user.click(screen.getByRole('button', { name: 'Calls' }))
      await waitFor(() => expect(page.address).toBe('/detail?show=calls'))
      await page.user.click(screen.getByRole('button', { name: 'Day' }))
      await waitFor(() => expect(page.address).toContain('by=day'))
      const { query } = page.gateway.sent(calls.usageData.list).at(-1) ?? {}
      expect(query).toMatchObject({ granularity: 'day', utc_offset: expect.any(String) })
    })

    it('shows the last hour by the minute, and leads from its failed calls to why they failed', async () => {
      respond(page)
      await page.open('/detail?range=1h')
      const failed = await screen.findByRole('link', { name: '1' })
      expect(failed.closest('div')?.textContent).toBe('Failed calls1')
      const query = page.gateway.sent(calls.logs.histogram).at(-1)?.query
      expect(failed.getAttribute('href')).toBe(
        `/log?type=5&range=custom&from=${query?.['start_timestamp']}&to=${query?.['end_timestamp']}&why=true`,
      )
    })

    it('shows one person’s figures', async () => {
      respond(page)
      await page.open('/detail?user=nobody')
      await screen.findByText('nobody made no calls.', { exact: false })
      expect(page.gateway.sent(calls.usageData.list).at(-1)?.query).toMatchObject({ username: 'nobody' })
      await page.user.click(screen.getByRole('button', { name: 'Clear filter User' }))
      await waitFor(() =>
        expect(page.gateway.sent(calls.usageData.list).at(-1)?.query['username']).toBeUndefined(),
      )
    })

    it('tells people of their own keys and balance, and nothing of the gateway', async () => {
      respond(page)
      const key = { accessed_time: now, unlimited_quota: true, remain_quota: 0, used_quota: 0, status: 1 }
      page.gateway.on(calls.users.overview, {
        ...overview,
        quota: 0,
        keys: {
          ...overview.keys,
          frozen: [{ ...key, id: 5, name: 'found in public', expired_time: -1 }],
          more_frozen: 2,
          expired: [{ ...key, id: 3, name: 'old laptop', status: 3, expired_time: now - 60 }],
          ends_first: [{ ...key, id: 4, name: 'new laptop', expired_time: now + 3 * 86_400 }],
        },
      })
      page.gateway.on(calls.usageData.summarySelf, own)
      page.gateway.on(calls.usageData.listSelf, [], () => ({ granularity: 'hour' as const }))
      await page.open('/detail', { as: customer })
      await screen.findByText('Your balance is used up')
      const row = (text: string) => screen.getByText(text).closest('li') as HTMLElement
      within(row('found in public')).getByText('Frozen')
      within(row('2 more frozen keys')).getByRole('link', { name: 'Show keys' })
      within(row('old laptop')).getByText('Expired')
      within(row('new laptop')).getByText('Expires soon')
      expect(within(row('old laptop')).getByRole('link', { name: 'Edit key' }).getAttribute('href')).toBe(
        '/token/edit/3',
      )
      expect([...page.gateway.made].filter((name) => name.startsWith('channels.'))).toEqual([])
    })

    it('counts calls that the balance does not cover, and leads whoever is short to more of it', async () => {
      respond(page)
      page.gateway.on(calls.users.overview, {
        ...overview,
        quota: 4000,
        refused: { count: 12, last_at: now - 60, needed: 9000 },
      })
      page.gateway.on(calls.usageData.summarySelf, own)
      page.gateway.on(calls.usageData.listSelf, [], () => ({ granularity: 'hour' as const }))
      await page.open('/detail', { as: customer })
      const row = (await screen.findByText('Your balance does not cover your calls')).closest('li')
      expect(row?.textContent).toContain('12 calls refused in the last 24 hours')
      const figure = screen.getByText('Balance').closest('div') as HTMLElement
      expect(figure.textContent).toContain('covers none of your last calls')
      const ways = screen.getAllByRole('link', { name: 'Top up' }).map((link) => link.getAttribute('href'))
      expect(ways).toEqual(['/topup', '/topup'])
    })

    it('is in the menu, with drawings and tasks, only while the installation has it', async () => {
      respond(page)
      page.gateway.on(calls.usageData.summarySelf, own)
      page.gateway.on(calls.usageData.listSelf, [], () => ({ granularity: 'hour' as const }))
      page.gateway.on(calls.wallet.info, {
        enable_online_topup: false,
        methods: [],
        group_ratio: 1,
        display_in_currency: true,
        quota_per_unit: 500_000,
        min_amount: 1,
        presets: [],
        top_up_link: '',
      })
      page.gateway.on(calls.wallet.orders, { items: [], total: 0, page: 1, page_size: 10 })
      const links = async () => {
        const menu = await screen.findByRole('navigation', { name: 'Pages' })
        return within(menu)
          .getAllByRole('link')
          .map(({ textContent }) => textContent)
      }
      await page.open('/topup', { as: customer })
      await waitFor(async () => expect(await links()).toContain('Drawings'))
      page.gateway.on(calls.status.read, sampleStatus())
      await page.open('/topup', { as: customer })
      await waitFor(async () =>
        expect(await links()).toEqual([
          'Playground',
          'API keys',
          'Pricing',
          'Usage log',
          'Wallet',
          'Statement',
          'Personal settings',
        ]),
      )
    })
  },
)
