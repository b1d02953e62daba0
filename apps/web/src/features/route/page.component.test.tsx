import { expect, it } from 'bun:test'
import { calls, type RouteChannel, type RoutePreview, type WhatIf } from '@tollgate/api'
import { sampleChannels, sampleTokens } from '../../../dev/samples.ts'
import { administrator, customer } from '../../test-support/people.ts'
import { describePage, type PageTest, screen, waitFor, within } from '../../test-support/render-page.tsx'

const channel: RouteChannel = {
  id: 2,
  name: 'Frankfurt',
  type: 1,
  status: 1,
  priority: 5,
  weight: 1,
  step: 2,
  share: 1,
  skip: null,
  cooling_ms: 0,
  upstream_model: 'gpt-4o',
  attempts: 10,
  failures: 0,
  latency_ms: 640,
  cost: 1000,
}
const overloaded: RouteChannel = { ...channel, id: 1, name: 'Overloaded', priority: 10, step: 1, failures: 6 }
const preview: RoutePreview = {
  model: 'gpt-4o',
  group: 'default',
  blockers: [],
  most_attempts: 3,
  channels: [
    overloaded,
    channel,
    { ...channel, id: 3, name: 'Virginia', step: 3, skip: 'cooling', cooling_ms: 5000 },
    { ...channel, id: 4, name: 'For guests', step: 0, skip: 'group' },
    { ...channel, id: 5, name: 'Old account', step: 0, skip: 'disabled' },
  ],
}
const before = { failed: 0, retried: 6, latency_ms: 700, cost: 10_000, costed: 1 }
const compared = (after: Partial<typeof before>): WhatIf => ({
  from: 1_800_000_000,
  calls: 10,
  before,
  after: { ...before, ...after },
  channels: [],
})

function respond({ gateway }: PageTest): void {
  gateway.on(calls.modelPrices.list, [])
  gateway.on(calls.tokens.list, sampleTokens().slice(0, 2), () => ({ total: 2 }))
  gateway.on(calls.groups.list, ['default', 'guests'])
  gateway.on(calls.routes.preview, preview)
  gateway.on(calls.routes.whatIf, ({ body }) => compared(body.changes.length === 0 ? {} : { retried: 0 }))
}

const load = () => import('./page.tsx')

describePage('the route simulator', load, (page) => {
  const row = async (name: string) => (await screen.findByRole('link', { name })).closest('li') as HTMLElement

  it('asks for a model first, and then shows the order and why channels are passed by', async () => {
    respond(page)
    await page.open('/route')
    await screen.findByText('Choose a model', { selector: 'main *' })
    await page.open('/route?model=gpt-4o')
    within(await row('Frankfurt')).getByText('Step 2')
    within(await row('For guests')).getByText('Not in this group')
    await screen.findByText('10 calls of this model in the last 7 days', { exact: false })
  })

  it('says why a key could not make the call', async () => {
    respond(page)
    page.gateway.on(calls.routes.preview, { ...preview, blockers: ['key-model', 'balance-empty'] })
    await page.open('/route?model=gpt-4o&key=1')
    await screen.findByText('The key may not use this model.')
    await screen.findByText('The owner’s balance is used up.')
    expect(page.gateway.sent(calls.routes.preview).at(-1)?.query).toEqual({
      model: 'gpt-4o',
      token_id: '1',
    })
  })

  it('compares other priorities, and applies them in one step', async () => {
    respond(page)
    const [sample] = sampleChannels()
    if (sample === undefined) throw new Error('there is no sample of a channel')
    page.gateway.on(calls.channels.update, sample)
    await page.open('/route?model=gpt-4o')
    const priority = await screen.findByRole('textbox', { name: 'Priority of Overloaded' })
    await page.user.clear(priority)
    await page.user.type(priority, '-1')
    const failedOver = await screen.findByRole('row', { name: /Failed over/ })
    await waitFor(() =>
      expect(
        within(failedOver)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      ).toEqual(['6', '0']),
    )
    expect(page.gateway.bodies(calls.routes.whatIf).at(-1)).toEqual({
      model: 'gpt-4o',
      group: 'default',
      changes: [{ id: 1, priority: -1, weight: 1 }],
    })
    await page.user.click(screen.getByRole('button', { name: 'Apply to 1 channel' }))
    await screen.findByText('Priorities and weights saved')
    expect(page.gateway.bodies(calls.channels.update)).toEqual([{ id: 1, priority: -1, weight: 1 }])
    await waitFor(() => expect(screen.queryAllByRole('button', { name: /Apply/ }).length).toBe(0))
  })

  it('is for administrators alone, in English and Chinese', async () => {
    respond(page)
    await page.open('/route?model=gpt-4o', { language: 'zh' })
    await screen.findByText('不在此分组')
    await page.open('/route?model=gpt-4o', { as: administrator })
    await screen.findByRole('heading', { name: 'gpt-4o in group default' })
    await page.open('/route', { as: customer })
    await screen.findByText(/Only administrators can open this page/)
  })
})
