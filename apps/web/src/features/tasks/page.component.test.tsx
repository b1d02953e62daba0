import { beforeEach, expect, it } from 'bun:test'
import { calls, type Drawing, type TaskEntry } from '@tollgate/api'
import { sampleChannels } from '../../../dev/samples.ts'
import { customer } from '../../test-support/people.ts'
import { describePage, screen, waitFor, within } from '../../test-support/render-page.tsx'

const [channel] = sampleChannels()
if (channel === undefined) throw new Error('there is no sample of a channel')
const at = Date.now() - 90_000
const seconds = Math.floor(at / 1000)

const fox: Drawing = {
  id: 1,
  code: 1,
  user_id: 1,
  username: 'root',
  channel_id: 1,
  action: 'IMAGINE',
  mj_id: 'mj-1',
  prompt: 'a red fox',
  prompt_en: '',
  description: '',
  state: '',
  created_at: seconds,
  submit_time: at,
  start_time: at,
  finish_time: at + 30_000,
  image_url: '/mj/image/mj-1',
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  quota: 50_000,
  buttons: '',
  properties: '',
}
const banned: Drawing = {
  ...fox,
  id: 2,
  action: 'UPSCALE',
  mj_id: 'mj-2',
  prompt: '',
  image_url: '',
  status: 'FAILURE',
  progress: '40%',
  fail_reason: 'banned prompt',
}
const waltz: TaskEntry = {
  id: 1,
  created_at: seconds,
  updated_at: seconds,
  task_id: 'suno-1',
  platform: 'suno',
  user_id: 1,
  username: 'root',
  channel_id: 1,
  quota: 10,
  action: 'MUSIC',
  status: 'IN_PROGRESS',
  fail_reason: '',
  submit_time: seconds,
  start_time: seconds,
  finish_time: 0,
  progress: '50%',
  properties: { input: 'a slow waltz', model: '', url: '', seconds: 0, size: '' },
  data: [{ title: 'Slow waltz' }],
}
const rain: TaskEntry = {
  ...waltz,
  id: 2,
  task_id: 'suno-2',
  action: 'LYRICS',
  status: 'SUCCESS',
  progress: '100%',
  finish_time: seconds + 20,
}

const load = () => Promise.all([import('./drawings-page.tsx'), import('./tasks-page.tsx')])

describePage('drawings and tasks', load, (page) => {
  beforeEach(() => {
    page.gateway.on(calls.channels.get, channel)
  })
  const drawings = (rows: readonly Drawing[]) =>
    page.gateway.on(
      calls.drawings.list,
      ({ query }) => rows.filter(({ mj_id: id }) => query.mj_id === undefined || query.mj_id === id),
      () => ({ total: rows.length }),
    )

  it('shows drawings with their progress, image and row, and narrows them', async () => {
    drawings([fox, banned])
    await page.open('/midjourney')
    await screen.findByText('Callbacks for drawings are off', { exact: false })
    const row = await screen.findByRole('row', { name: /mj-1/ })
    for (const text of ['30 s', 'a red fox']) expect(row.textContent).toContain(text)
    await page.user.click(within(row).getByText('Imagine'))
    const image = await within(await screen.findByRole('dialog')).findByRole('img', { name: 'a red fox' })
    expect(image.getAttribute('src')).toBe('/mj/image/mj-1')
    await page.user.keyboard('{Escape}')
    await page.user.click(await screen.findByText('banned prompt'))
    await within(await screen.findByRole('dialog')).findByText(/"fail_reason": "banned prompt"/)
    await page.user.keyboard('{Escape}')
    await page.user.type(screen.getByRole('searchbox'), 'mj-2')
    await waitFor(() => expect(page.address).toBe('/midjourney?id=mj-2'))
    await waitFor(() => expect(screen.queryAllByRole('row', { name: /mj-1/ }).length).toBe(0))
    const { query } = page.gateway.sent(calls.drawings.list).at(-1) ?? {}
    expect(query?.['mj_id']).toBe('mj-2')
    expect(Number(query?.['start_timestamp'])).toBeGreaterThan(10 ** 12)
  })

  it('shows a drawing that an address names, whatever its age, or says that there is none', async () => {
    page.gateway.on(
      calls.drawings.list,
      // Only the look-up by its id has no times.
      ({ query }) => (query.mj_id === 'mj-1' && query.start_timestamp === undefined ? [fox] : []),
      () => ({ total: 0 }),
    )
    await page.open('/midjourney?open=mj-1')
    await within(await screen.findByRole('dialog')).findByRole('img', { name: 'a red fox' })
    await page.open('/midjourney?open=nothing')
    await within(await screen.findByRole('dialog')).findByText('This entry does not exist', { exact: false })
  })

  it('shows drawings as tiles, and remembers it', async () => {
    drawings([fox])
    await page.open('/midjourney')
    await screen.findByRole('row', { name: /mj-1/ })
    await page.user.click(screen.getByRole('button', { name: 'Grid' }))
    await waitFor(() => expect(screen.queryAllByRole('row').length).toBe(0))
    await page.open('/midjourney')
    await page.user.click(await screen.findByRole('button', { name: /a red fox/ }))
    await within(await screen.findByRole('dialog')).findByRole('img', { name: 'a red fox' })
  })

  it('shows tasks, and narrows them by state', async () => {
    page.gateway.on(
      calls.tasks.list,
      ({ query }) =>
        [waltz, rain].filter(({ status }) => query.status === undefined || query.status === status),
      () => ({ total: 2 }),
    )
    await page.open('/task?range=24h')
    await screen.findByText('suno-1')
    const song = await screen.findByRole('row', { name: /suno-1/ })
    for (const text of ['Slow waltz', 'a slow waltz']) expect(song.textContent).toContain(text)
    // No job has failed: nothing takes room for a reason.
    expect(screen.queryAllByRole('columnheader', { name: 'Failure reason' }).length).toBe(0)
    const bars = screen.getAllByRole('progressbar').map((bar) => bar.getAttribute('aria-valuenow'))
    expect(bars.toSorted()).toEqual(['100', '50'])
    await page.open('/task?range=24h&status=IN_PROGRESS&user=emil')
    await screen.findByText('suno-1')
    expect(screen.queryAllByText('suno-2').length).toBe(0)
    const { query } = page.gateway.sent(calls.tasks.list).at(-1) ?? {}
    expect([query?.['status'], query?.['username']]).toEqual(['IN_PROGRESS', 'emil'])
    expect(Number(query?.['start_timestamp'])).toBeLessThan(10 ** 11)
    await page.user.click(screen.getByRole('cell', { name: 'In progress' }))
    await within(await screen.findByRole('dialog')).findByText(/"task_id": "suno-1"/)
  })

  it('shows people their own alone', async () => {
    page.gateway.on(calls.drawings.listSelf, [], () => ({ total: 0 }))
    page.gateway.on(calls.tasks.listSelf, [], () => ({ total: 0 }))
    await page.open('/midjourney', { as: customer })
    await screen.findByText('No drawings in this period')
    await page.open('/task', { as: customer })
    await screen.findByText('No tasks in this period')
    expect(page.gateway.sent(calls.drawings.list)).toEqual([])
    expect(page.gateway.sent(calls.tasks.list)).toEqual([])
  })
})
