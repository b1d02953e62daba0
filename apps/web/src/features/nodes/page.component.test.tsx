import { expect, it } from 'bun:test'
import { calls, type NodeRow } from '@tollgate/api'
import { brokenRules } from '../../test-support/broken-rules.ts'
import { administrator, customer } from '../../test-support/people.ts'
import { describePage, Refusal, screen, within } from '../../test-support/render-page.tsx'

const gone: NodeRow = {
  id: 'a',
  version: '0.1.0',
  address: 'host-a:3000',
  state: 'gone',
  started_at: 1_800_000_000,
  seen_at: 1_800_000_100,
  calls_per_second: 12.5,
  journal_seq: 4321,
  journal_lag: 7,
  shares: 3,
  jobs: [],
}

const load = () => import('./page.tsx')

describePage('the page of nodes', load, (page) => {
  it('says what to do about a node that is gone, and shows what its journal had', async () => {
    page.gateway.on(calls.nodes.list, [gone])
    await page.open('/nodes')
    await screen.findByText('tollgate recover --journal DIR', { exact: false })
    const row = await screen.findByRole('row', { name: /host-a:3000/ })
    within(row).getByText('Gone')
    within(row).getByTitle('Last call in its journal: no. 4,321')
    expect(await brokenRules()).toEqual([])
  })

  it('explains a list without nodes, and one that cannot be read', async () => {
    page.gateway.on(calls.nodes.list, [])
    await page.open('/nodes')
    await screen.findByText('No nodes yet')
  })

  it('offers to try again where the list cannot be read', async () => {
    page.gateway.on(calls.nodes.list, new Refusal('broken', { status: 500 }))
    await page.open('/nodes')
    await screen.findByRole('button', { name: 'Try again' })
  })

  it.each([administrator, customer])(
    'is for the super administrator alone, not for $username',
    async (as) => {
      await page.open('/nodes', { as })
      await screen.findByText('Only the root administrator can open this page.')
      expect(screen.queryAllByRole('link', { name: 'Nodes' }).length).toBe(0)
    },
  )
})
