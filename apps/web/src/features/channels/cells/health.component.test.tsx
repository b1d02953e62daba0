import { expect, it } from 'bun:test'
import { type Channel, calls } from '@tollgate/api'
import { sampleChannels } from '../../../../dev/samples.ts'
import {
  describePage,
  type PageTest,
  Refusal,
  screen,
  waitFor,
  within,
} from '../../../test-support/render-page.tsx'

const load = () => Promise.all([import('../page.tsx'), import('../channel-head.tsx')])
const noFigures = { calls: 0, quota: 0, costed_calls: 0, costed_quota: 0, cost: 0 }

const noRun = {
  running: false,
  total: 0,
  done: 0,
  failed: 0,
  cancelled: false,
  started_at: 0,
  finished_at: 0,
  started_by: '',
}

type Health = Channel['health']

/** A channel of this name, with what differs from a healthy one. */
function channelOf(id: number, name: string, health: Partial<Health>, more: Partial<Channel> = {}): Channel {
  const [sample] = sampleChannels()
  if (sample === undefined) throw new Error('there is no sample of a channel')
  return { ...sample, id, name, ...more, health: { ...sample.health, ...health } }
}

const hour = { ok: 0, failed: 0, other_failures: 0, latency_ms: 0 }
const first = channelOf(
  1,
  'first',
  { condition: 'failing', last_hour: { ...hour, failed: 4 } },
  { test_failure: { code: 'upstream_error', params: { status: 500, model: 'pair' } } },
)
const cuts = channelOf(2, 'cuts', { condition: 'failing', last_hour: { ...hour, ok: 2, failed: 6 } })
const alive = channelOf(3, 'alive', {
  condition: 'healthy',
  last_hour: { ...hour, ok: 10, other_failures: 2, latency_ms: 640 },
})
const unused = channelOf(
  4,
  'unused',
  { condition: 'untested', recent_ms: [], last_hour: hour },
  { test_time: 0 },
)
const all = [first, cuts, alive, unused]

function respond({ gateway }: PageTest): void {
  gateway.on(calls.channels.list, all, () => ({ total: all.length }))
  gateway.on(calls.channels.get, alive)
  gateway.on(calls.channels.testProgress, noRun)
  gateway.on(calls.channels.balanceProgress, noRun)
  gateway.on(calls.channels.models, [])
  gateway.on(calls.models.byChannelType, {})
  gateway.on(calls.groups.list, ['default'])
  gateway.on(calls.options.list, [])
  gateway.on(calls.margins.list, { total: noFigures, rows: [] })
}

describePage('the health of channels', load, (page) => {
  const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })

  it('is said in each row: how a channel is doing, of which time, and what its test said', async () => {
    respond(page)
    await page.open('/channel')
    const { textContent: failing } = await row('first')
    for (const text of ['Failing', 'Last hour: 4 of 4 attempts failed', 'Test failed · 500'])
      expect(failing).toContain(text)
    expect((await row('cuts')).textContent).toContain('Last hour: 6 of 8 attempts failed')
    const healthy = within(await row('alive'))
    healthy.getByText('Healthy')
    expect(healthy.queryAllByText('Untested').length).toBe(0)
    expect(within(await row('unused')).getAllByText('Untested').length).toBeGreaterThan(0)
    expect(screen.queryAllByText(/attempt .* ago/).length).toBe(0)
  })

  it('has the same words in Chinese', async () => {
    respond(page)
    await page.open('/channel', { language: 'zh' })
    const { textContent: failing } = await row('first')
    for (const text of ['持续失败', '最近 1 小时：4 次尝试中 4 次失败', '测试失败 · 500'])
      expect(failing).toContain(text)
  })

  it('tells failures of callers from those of the channel', async () => {
    respond(page)
    await page.open('/channel/edit/3')
    await screen.findByText('Last hour: no errors')
    await screen.findByText('2 more, not the channel’s fault')
  })

  it('leads from a channel to the route of its model', async () => {
    respond(page)
    page.gateway.on(calls.modelPrices.list, [])
    page.gateway.on(calls.tokens.list, [], () => ({ total: 0 }))
    page.gateway.on(calls.routes.preview, new Refusal('The disk is full'))
    await page.open('/channel')
    await page.user.click(within(await row('alive')).getByRole('button', { name: 'More actions for alive' }))
    await page.user.click(await screen.findByRole('menuitem', { name: 'Simulate route' }))
    await waitFor(() => expect(page.address).toMatch(/^\/route\?.*group=default/))
  })

  it('lists what a test of all channels took out of service, and takes it back', async () => {
    respond(page)
    page.gateway
      .on(calls.channels.testProgress, {
        ...noRun,
        total: 3,
        done: 3,
        failed: 3,
        started_at: 10,
        finished_at: 20,
        taken_out: [
          {
            id: 1,
            name: 'first',
            key: null,
            reason_code: 'too_slow',
            reason_params: { seconds: '9', limit: 5 },
          },
          {
            id: 2,
            name: 'cuts',
            key: { index: 1, hint: 'sk-***abc' },
            reason_code: 'key_refused',
            reason_params: { status: 401 },
          },
        ],
        spared: [{ id: 3, name: 'alive' }],
      })
      .on(calls.channels.setStatus, true)
      .on(calls.channels.changeKey, cuts)
    await page.open('/channel')
    const notice = await screen.findByRole('region', { name: 'The test took 2 channels out of service' })
    expect(notice.textContent).toContain('cuts · key sk-***abc · ')
    expect(notice.textContent).toContain('stay in service, as calls succeed there: alive')
    await page.user.click(within(notice).getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(screen.queryAllByRole('region', { name: /The test took/ }).length).toBe(0))
    expect(page.gateway.bodies(calls.channels.setStatus)).toEqual([{ status: 1 }])
    expect(page.gateway.bodies(calls.channels.changeKey)).toEqual([
      { index: 1, hint: 'sk-***abc', act: 'enable' },
    ])
  })
})
