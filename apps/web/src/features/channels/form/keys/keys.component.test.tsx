import { expect, it } from 'bun:test'
import { calls } from '@tollgate/api'
import { sampleChannels } from '../../../../../dev/samples.ts'
import {
  describePage,
  type PageTest,
  Refusal,
  screen,
  waitFor,
  within,
} from '../../../../test-support/render-page.tsx'

const load = () => Promise.all([import('../../page.tsx'), import('../../sheet.tsx')])
const [sample] = sampleChannels()
if (sample === undefined) throw new Error('there is no sample of a channel')
const key = (index: number, id: string) => ({
  id,
  index,
  hint: `sk-***00${index}`,
  status: 'enabled' as const,
  reason: '',
  reason_code: '',
  reason_params: {},
  disabled_at: 0,
  retry_at: 0,
})
const stored = (keys: readonly ReturnType<typeof key>[]) => ({
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

function respond({ gateway }: PageTest): void {
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

describePage('the keys of a channel', load, (page) => {
  const openSheet = async () => {
    respond(page)
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
    await page.choose('Actions for key 1', 'Disable key')
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
