import { expect, it } from 'bun:test'
import { type AuditRecordRow, type Channel, type ChannelStops, calls } from '@tollgate/api'
import { sampleChannels } from '../../../../dev/samples.ts'
import {
  describePage,
  type PageTest,
  Refusal,
  screen,
  waitFor,
  within,
} from '../../../test-support/render-page.tsx'

const load = () => import('../page.tsx')
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
  reverts: 0,
  reverted_by: 0,
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
      'No other channel serves a (default, vip), b (default, vip), c (default, vip), d (default, vip).',
    )
    // The fifth was sent, the other four are counted.
    const more = within(question).getByRole('group')
    expect(more.textContent).toBe('5 moree (default, vip)and 4 that are not listed')
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

  it('is said before it drains; what is open there is said until it is empty', async () => {
    respond(page, much)
    const drain = { since: 1, by: 'ann', stays: false, open_calls: 3, open_tasks: 1, silent_nodes: 0 }
    const draining = (change: object) => ({ ...alpha, status: 2, drain: { ...drain, ...change } })
    // The list is read again from time to time, and has what the act made of the channel.
    const drainAs = (drained: Channel) =>
      page.gateway.on(calls.channels.drain, () => {
        page.gateway.on(calls.channels.list, [drained], () => ({ total: 1 }))
        return drained
      })
    drainAs(draining({}))
    await page.open('/channel')
    await page.choose('More actions for alpha', 'Drain')
    await screen.findByRole('alertdialog', { name: 'Drain alpha?' })
    await page.confirm('Drain')
    await page.reads('alpha is draining: new calls go to other channels')
    expect(page.gateway.bodies(calls.channels.drain)).toEqual([{ stays: false }])
    await screen.findByText(/^3 calls and 1 task still open · since .* \(by ann\)$/)
    drainAs(draining({ open_calls: 0, open_tasks: 0, stays: true }))
    await page.press('More actions for alpha')
    await page.user.click(await screen.findByRole('menuitemcheckbox', { name: 'Stay draining when empty' }))
    await page.user.keyboard('{Escape}')
    await screen.findByText(/^Empty: nothing is open any more · stays so until you end it/)
    const ended = { ...alpha, status: 2, drain: null }
    page.gateway.on(calls.channels.endDrain, () => {
      page.gateway.on(calls.channels.list, [ended], () => ({ total: 1 }))
      return ended
    })
    await page.choose('More actions for alpha', 'Disable now')
    await page.reads('alpha disabled')
    await page.lacks('nothing is open any more')
  })

  /** Opens the models of an upstream that lacks `a` and has `c`, for a channel that serves others once it is saved. */
  async function openFetched(saved: string): Promise<HTMLElement> {
    respond(page, much)
    const served = { ...alpha, models: 'a,b', model_mapping: '' }
    page.gateway.on(calls.channels.list, [served], () => ({ total: 1 }))
    page.gateway.on(calls.channels.fetchModelsForNew, ['b', 'c'])
    page.gateway.on(calls.channels.update, { ...served, models: saved })
    await page.open('/channel')
    await page.choose('More actions for alpha', 'Fetch models')
    return await screen.findByRole('dialog', { name: 'The upstream offers 2 models' })
  }

  it('is said before models disappear that its upstream lists no more, and undone by its record', async () => {
    const dialog = await openFetched('b,c')
    await page.press('Add 1, remove 1', within(dialog))
    const question = await screen.findByRole('alertdialog', { name: 'Save changes to alpha?' })
    expect(question.textContent).toContain('No other channel serves a (default, vip)')
    expect(page.gateway.bodies(calls.channels.stops)).toEqual([{ ids: [7], models: 'b,c' }])
    await page.press('Cancel', within(question))
    await waitFor(() => expect(screen.queryAllByRole('alertdialog').length).toBe(0))
    expect(page.gateway.bodies(calls.channels.update)).toEqual([])
    await page.press('Add 1, remove 1', within(dialog))
    await page.confirm('Save anyway')
    await page.reads('alpha serves 2 models')
    expect(page.gateway.bodies(calls.channels.update)).toMatchObject([{ id: 7, models: 'b,c' }])
    await page.press('Undo')
    await page.reads('Change undone')
    expect(page.gateway.sent(calls.auditLog.list)[0]?.query).toMatchObject({ action: 'channel.update' })
  })

  it('is not asked about where fetched models are only added', async () => {
    const dialog = await openFetched('a,b,c')
    const gone = { name: 'Remove the model that the upstream no longer lists' }
    await page.user.click(await within(dialog).findByRole('checkbox', gone))
    await page.press('Add 1 model', within(dialog))
    await page.reads('alpha serves 3 models')
    expect(page.gateway.sent(calls.channels.stops)).toEqual([])
    expect(page.gateway.bodies(calls.channels.update)).toMatchObject([{ id: 7, models: 'a,b,c' }])
  })

  it('is said before it is deleted', async () => {
    respond(page, nothing)
    await page.open('/channel')
    await page.choose('More actions for alpha', 'Delete channel')
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain('Other channels still serve all of its models.')
    expect(question.textContent).toContain('In the last hour, 12 attempts went there.')
    await page.press('Cancel')
    await waitFor(() => expect(screen.queryAllByRole('alertdialog').length).toBe(0))
  })
})

const loadSheet = () => Promise.all([import('../page.tsx'), import('../sheet.tsx')])
const key = (index: number, id: string, status: 'enabled' | 'disabled' = 'enabled') => ({
  id,
  index,
  hint: `sk-***00${index}`,
  status,
  reason: '',
  reason_code: '',
  reason_params: {},
  disabled_at: 0,
  retry_at: 0,
})
const stored = (keys: readonly (typeof sample.health.keys)[number][]) => ({
  ...sample,
  id: 7,
  name: 'alpha',
  type: 1,
  models: 'gpt-4o',
  model_mapping: '{"gpt-4":"gpt-4oo"}',
  key_count: keys.length,
  health: { ...sample.health, keys: [...keys] },
  schedule: { off_at: 4_000_000_000, on_at: 0, by: 'ann' },
})
const two = stored([key(0, 'aa'), key(1, 'bb')])
const noFigures = { calls: 0, quota: 0, costed_calls: 0, costed_quota: 0, cost: 0 }

function respondWithKeys({ gateway }: PageTest): void {
  const noRun = { running: false, total: 0, done: 0, failed: 0, cancelled: false }
  const never = { started_at: 0, finished_at: 0, started_by: '' }
  gateway.on(calls.channels.list, [two], () => ({ total: 1 }))
  gateway.on(calls.channels.get, two)
  gateway.on(calls.channels.testProgress, { ...noRun, ...never })
  gateway.on(calls.channels.balanceProgress, { ...noRun, ...never })
  gateway.on(calls.channels.models, [{ id: 'gpt-4o', owned_by: 'a' }])
  gateway.on(calls.models.byChannelType, { '1': ['gpt-4o', 'gpt-4o-mini'] })
  gateway.on(calls.groups.list, ['default'])
  gateway.on(calls.options.list, [])
  gateway.on(calls.channels.tags, [])
  gateway.on(calls.margins.list, { total: noFigures, rows: [] })
}

describePage('the keys of a channel', loadSheet, (page) => {
  const openSheet = async () => {
    respondWithKeys(page)
    await page.open('/channel/edit/7')
    await screen.findByText('2 stored keys, used in turn')
  }

  it('are added from pasted lines, and what is refused is said beside them', async () => {
    await openSheet()
    page.gateway.on(calls.channels.addKeys, new Refusal('Key number 2 must have the form sk-…'))
    await page.press('Add keys')
    const dialog = await screen.findByRole('dialog', { name: 'Add keys to alpha' })
    await page.fill('New keys', 'sk-one\nsk-two', within(dialog))
    await page.press('Add 2 keys', within(dialog))
    await page.reads('Key number 2 must have the form', within(dialog))
    page.gateway.on(calls.channels.addKeys, stored([key(0, 'aa'), key(1, 'bb'), key(2, 'cc')]), () => ({
      added: 1,
    }))
    await page.press('Add 2 keys', within(dialog))
    await page.reads('1 key added')
    expect(page.gateway.bodies(calls.channels.addKeys)[1]).toEqual({ key: 'sk-one\nsk-two' })
    await page.reads('3 stored keys')
  })

  it('are replaced, disabled with a way back, and tested one by one, named by their ids', async () => {
    await openSheet()
    page.gateway.on(calls.channels.changeKey, two)
    page.gateway.on(calls.channels.test, undefined, () => ({ time: 0.4 }))
    await page.choose('Actions for key 2', 'Replace key')
    const dialog = await screen.findByRole('dialog', { name: 'Replace key 2 (sk-***001)' })
    await page.fill('New key', 'sk-fresh', within(dialog))
    await page.press('Replace key', within(dialog))
    await page.reads('Key 2 replaced')
    page.gateway.on(calls.channels.changeKey, stored([key(0, 'aa', 'disabled'), key(1, 'bb')]))
    page.gateway.on(calls.channels.stops, { ...nothing, key: { others: 1, cooling: 0, tasks: 2 } })
    await page.choose('Actions for key 1', 'Disable key')
    const question = await screen.findByRole('alertdialog', { name: 'Disable key 1 (sk-***000)?' })
    expect(question.textContent).toContain('1 other key takes its calls over.')
    expect(question.textContent).toContain('2 open tasks were started with this key')
    expect(question.textContent).toContain('12 attempts went to this channel.')
    expect(page.gateway.bodies(calls.channels.stops)).toEqual([{ ids: [7], key_id: 'aa' }])
    await page.confirm('Disable key')
    await page.reads('Key 1 (sk-***000) disabled')
    await page.press('Undo')
    await waitFor(() => expect(page.gateway.bodies(calls.channels.changeKey).length).toBe(3))
    expect(page.gateway.bodies(calls.channels.changeKey)).toEqual([
      { key_id: 'bb', index: 1, hint: 'sk-***001', act: 'replace', key: 'sk-fresh' },
      { key_id: 'aa', index: 0, hint: 'sk-***000', act: 'disable' },
      { key_id: 'aa', index: 0, hint: 'sk-***000', act: 'enable' },
    ])
    await page.press('Test key 2')
    await page.reads('Key 2 (sk-***001)')
    expect(page.gateway.sent(calls.channels.test)[0]?.query).toEqual({ key_id: 'bb' })
  })

  it('are switched at planned times, which stand in their rows', async () => {
    await openSheet()
    const planned = { off_at: 4_000_000_000, on_at: 0, by: 'bob' }
    page.gateway.on(
      calls.channels.scheduleKey,
      stored([key(0, 'aa'), { ...key(1, 'bb'), schedule: planned }]),
    )
    await page.choose('Actions for key 2', 'Schedule')
    const dialog = await screen.findByRole('dialog', { name: 'Schedule key 2 (sk-***001)' })
    await page.press('In 8 hours', within(dialog))
    await page.press('Save schedule', within(dialog))
    await screen.findByText(/^Off at .* \(planned by bob\)$/)
    const [body] = page.gateway.bodies(calls.channels.scheduleKey)
    expect(body).toMatchObject({ key_id: 'bb', on_at: 0 })
    await page.choose('Actions for key 2', 'Schedule')
    page.gateway.on(calls.channels.scheduleKey, two)
    const again = await screen.findByRole('dialog', { name: 'Schedule key 2 (sk-***001)' })
    await page.press('Cancel schedule', within(again))
    await waitFor(() => expect(screen.queryAllByText(/^Off at .* \(planned by bob\)$/).length).toBe(0))
    expect(page.gateway.bodies(calls.channels.scheduleKey)[1]).toEqual({ key_id: 'bb', off_at: 0, on_at: 0 })
  })

  it('stand beside a mapping that leads to a model of no list', async () => {
    await openSheet()
    await page.reads('Not among the models known of OpenAI, so calls may fail there')
    await screen.findAllByText(/gpt-4oo/)
  })

  it('stand beside the times at which the channel is switched, which can be cancelled', async () => {
    await openSheet()
    await screen.findAllByText(/planned by ann/)
    page.gateway.on(calls.channels.cancelSchedule, { ...two, schedule: null })
    page.gateway.on(calls.channels.schedule, two)
    await page.press('Schedule')
    const dialog = await screen.findByRole('dialog', { name: 'Schedule alpha' })
    await page.press('8 hours later', within(dialog))
    await page.press('Save schedule', within(dialog))
    await page.reads('Schedule of alpha saved')
    expect(page.gateway.bodies(calls.channels.schedule)).toEqual([
      { off_at: 4_000_000_000, on_at: 4_000_000_000 + 8 * 3600 },
    ])
    await page.press('Schedule')
    await page.press('Cancel schedule', within(await screen.findByRole('dialog', { name: 'Schedule alpha' })))
    await page.lacks('planned by ann')
  })
})
