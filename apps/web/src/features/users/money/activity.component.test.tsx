import { expect, it } from 'bun:test'
import { calls, type ListedUser, type LogEntry, logTypes, type UserActivity } from '@tollgate/api'
import { sampleLogs, sampleUser } from '../../../../dev/samples.ts'
import { describePage, type PageTest, screen, within } from '../../../test-support/render-page.tsx'

const load = () => import('./activity.tsx')
const unit = 500_000
const ann: ListedUser = { ...sampleUser(), id: 2, username: 'ann', role: 1, inviter_name: '' }
const faults = { upstream: 1, caller: 0, balance: 0, limit: 0, no_channel: 1, gateway: 0 }
const activity: UserActivity = {
  days: [{ at: Math.floor(Date.now() / 1000), count: 9, quota: 9 * unit }],
  calls: {
    since: { today: 1_800_000_000, week: 1_799_400_000 },
    today: { ok: 9, broken: 0, faults },
    week: { ok: 9, broken: 1, faults },
    failed_rows: 1,
  },
  keys: {
    total: 1,
    items: [{ id: 1, name: 'laptop', status: 1, used_quota: 9 * unit, accessed_time: 1_800_000_000 }],
  },
}
const noFigures = { calls: 0, quota: 0, costed_calls: 0, costed_quota: 0, cost: 0 }
const [sample] = sampleLogs()

function callsOfType(type: number | undefined): LogEntry[] {
  if (sample === undefined) throw new Error('there is no sample of a call')
  const call = { ...sample, user_id: ann.id, username: 'ann' }
  if (type === logTypes.consumption) return [{ ...call, id: 1, type, model_name: 'model-9' }]
  return [2, 3].map((id) => ({ ...call, id, type: logTypes.error, model_name: 'broken', other: '' }))
}

function respond({ gateway }: PageTest): void {
  gateway.on(calls.userAdmin.list, { items: [ann], total: 1, page: 1, page_size: 50 })
  gateway.on(calls.userAdmin.get, ann)
  gateway.on(calls.userAdmin.activity, activity)
  gateway.on(calls.groups.list, ['default'])
  gateway.on(calls.margins.list, { total: noFigures, rows: [] })
  gateway.on(calls.logs.list, ({ query }) => {
    const items = callsOfType(query.type)
    return { items, total: items.length, page: 1, page_size: 5 }
  })
}

describePage('a user’s sheet', load, (page) => {
  it('shows what they spent, with which keys, and by whose fault calls failed', async () => {
    respond(page)
    await page.open('/user/edit/2')
    const spend = await screen.findByRole('region', { name: 'Spend' })
    expect(within(spend).getAllByText('$9.00')).toHaveLength(3)
    const results = await screen.findByRole('region', { name: 'Results' })
    within(results).getByText('12 calls', { exact: false })
    expect(results.textContent).toMatch(/Upstream1 today1/)
    expect(results.textContent).toMatch(/No channel1 today1/)
    expect(results.textContent).toMatch(/Broke off1/)
    // Not every refusal has a row: the link counts those that it lists.
    const failed = within(results).getByRole('link', { name: /1 failed/ })
    expect(failed.getAttribute('href')).toBe('/log?type=5&user=ann&range=custom&from=1799400000')
    within(results).getByText('1 more refused without a log entry', { exact: false })
    within(screen.getByRole('region', { name: 'API keys' })).getByText('laptop')
    const last = screen.getByRole('region', { name: 'Last calls' })
    await within(last).findByText('model-9')
    expect(within(last).getAllByText('Failed')).toHaveLength(2)
  })

  it('is read in Chinese too', async () => {
    respond(page)
    await page.open('/user/edit/2', { language: 'zh' })
    await screen.findByRole('region', { name: '调用结果' })
  })
})
