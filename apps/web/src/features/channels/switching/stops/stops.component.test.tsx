import { expect, it } from 'bun:test'
import { type AuditRecordRow, type ChannelStops, calls } from '@tollgate/api'
import { sampleChannels } from '../../../../../dev/samples.ts'
import { describePage, type PageTest, screen, waitFor } from '../../../../test-support/render-page.tsx'

const load = () => import('../../page.tsx')
const [sample] = sampleChannels()
if (sample === undefined) throw new Error('there is no sample of a channel')
const alpha = { ...sample, id: 7, name: 'alpha', status: 1, tag: '' }

const nothing: ChannelStops = { models: [], model_count: 0, calls: 0, users: 0, attempts: 12 }
const much: ChannelStops = {
  models: ['a', 'b', 'c', 'd', 'e'].map((model) => ({ model, groups: ['default', 'vip'] })),
  model_count: 9,
  calls: 120,
  users: 1,
  attempts: 130,
}
const record: AuditRecordRow = {
  id: 31,
  created_at: 1,
  actor_id: 1,
  actor_name: 'root',
  actor_role: 100,
  address: '',
  action: 'channel.disable',
  target_kind: 'channel',
  target_id: 7,
  target_name: 'alpha',
  before: '{"status":1}',
  after: '{"status":2}',
}

function respond({ gateway }: PageTest, stops: ChannelStops): void {
  const noRun = { running: false, total: 0, done: 0, failed: 0, cancelled: false }
  const never = { started_at: 0, finished_at: 0, started_by: '' }
  gateway.on(calls.channels.list, [alpha], () => ({ total: 1 }))
  gateway.on(calls.channels.testProgress, { ...noRun, ...never })
  gateway.on(calls.channels.balanceProgress, { ...noRun, ...never })
  gateway.on(calls.channels.models, [])
  gateway.on(calls.models.byChannelType, {})
  gateway.on(calls.groups.list, ['default'])
  gateway.on(calls.options.list, [])
  gateway.on(calls.channels.stops, stops)
  gateway.on(calls.channels.update, { ...alpha, status: 2 })
  gateway.on(calls.channels.delete, undefined)
  gateway.on(calls.auditLog.list, { items: [record], total: 1, page: 1, page_size: 1 })
  gateway.on(calls.auditLog.revert, undefined)
}

describePage('what stops without a channel', load, (page) => {
  it('is said before it is disabled, and undone by its record', async () => {
    respond(page, much)
    await page.open('/channel')
    await page.press('Disable alpha')
    const question = await screen.findByRole('alertdialog', { name: 'Disable alpha?' })
    expect(question.textContent).toContain(
      'No other channel serves a (default, vip), b (default, vip), c (default, vip), d (default, vip), 5 more models.',
    )
    expect(question.textContent).toContain(
      'In the last hour 120 calls by 1 user used them and would fail from now on.',
    )
    expect(page.gateway.bodies(calls.channels.update)).toEqual([])
    await page.confirm('Disable')
    await page.reads('alpha disabled')
    expect(page.gateway.bodies(calls.channels.update)).toMatchObject([{ id: 7, status: 2 }])
    await page.press('Undo')
    await page.reads('Change undone')
    expect(page.gateway.sent(calls.auditLog.list)[0]?.query).toMatchObject({
      action: 'channel.disable',
      target_id: '7',
    })
    expect(page.gateway.sent(calls.auditLog.revert)[0]?.params).toEqual({ id: '31' })
  })

  it('asks nothing where other channels serve its models', async () => {
    respond(page, nothing)
    await page.open('/channel')
    await page.press('Disable alpha')
    await page.reads('alpha disabled')
    expect(page.gateway.bodies(calls.channels.stops)).toEqual([{ ids: [7] }])
  })

  it('leaves the channel as it is for a no, and is said in Chinese', async () => {
    respond(page, much)
    await page.open('/channel', { language: 'zh' })
    await page.press('禁用 alpha')
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain('最近 1 小时有 1 个用户调用了 120 次，此后将失败。')
    await page.press('取消')
    await waitFor(() => expect(screen.queryAllByRole('alertdialog').length).toBe(0))
    expect(page.gateway.bodies(calls.channels.update)).toEqual([])
  })

  it('is said before it is deleted', async () => {
    respond(page, nothing)
    await page.open('/channel')
    await page.choose('More actions for alpha', 'Delete channel')
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain('Other channels still serve all of its models.')
    expect(question.textContent).toContain('In the last hour, 12 attempts went there.')
  })
})
