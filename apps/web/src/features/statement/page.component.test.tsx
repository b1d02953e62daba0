import { expect, it } from 'bun:test'
import { calls, type Statement } from '@tollgate/api'
import { watchDownloads } from '../../test-support/downloads.ts'
import { customer } from '../../test-support/people.ts'
import { describePage, Refusal, screen, waitFor, within } from '../../test-support/render-page.tsx'

const unit = 500_000
const november: Statement = {
  number: 'U2-2026-11-1A2B3C4D',
  kind: 'user',
  id: 2,
  name: 'ann',
  month: '2026-11',
  from: 1_793_491_200,
  end: 1_796_083_200,
  is_open: false,
  is_unlimited: false,
  opening: 3 * unit,
  closing: 5 * unit,
  lines: [{ line: 'top_ups', amount: 4 * unit, count: 1 }],
  charges: { amount: 2 * unit, calls: 12 },
  entries: [{ at: 1_793_600_000, line: 'top_ups', amount: 4 * unit, note: 'USR2NO1' }],
  by_model: [{ name: 'model-9', id: 0, calls: 12, amount: 2 * unit }],
  by_account: [{ name: 'laptop', id: 7, calls: 12, amount: 2 * unit }],
  quota_per_unit: unit,
}

const load = () => import('./page.tsx')

describePage('a statement', load, (page) => {
  it('leads from the opening balance to the closing one, in currency with units beside', async () => {
    page.gateway.on(calls.statements.self, november)
    await page.open('/statement?month=2026-11', { as: customer })
    const summary = (await screen.findByRole('heading', { name: 'From balance to balance' })).closest(
      'section',
    )
    const rows = within(summary as HTMLElement).getAllByRole('row')
    expect(rows.slice(1).map((row) => row.textContent)).toEqual([
      'Opening balance$3.0000001,500,000',
      'Top-ups1$4.0000002,000,000',
      'Charges12-$2.000000-1,000,000',
      'Closing balance$5.0000002,500,000',
    ])
    await screen.findByText('U2-2026-11-1A2B3C4D')
    await screen.findByText(/USR2NO1/)
    await screen.findByText('laptop')
    expect(page.gateway.sent(calls.statements.self).at(-1)?.query).toMatchObject({ month: '2026-11' })
  })

  it('of a group is for administrators, who name it in the address; another month is one choice away', async () => {
    const group: Statement = { ...november, kind: 'group', id: 0, name: 'vip', entries: [] }
    page.gateway.on(calls.statements.get, group)
    await page.open('/statement?kind=group&group=vip')
    await screen.findByText(/accounts that are in the group now/)
    const select = screen.getByLabelText('Month') as HTMLSelectElement
    await page.user.selectOptions(select, select.options[1]?.value ?? '')
    expect(page.address).toMatch(/month=\d{4}-\d\d/)
    expect(page.gateway.sent(calls.statements.get).at(-1)?.query).toMatchObject({
      kind: 'group',
      group: 'vip',
    })
  })

  it('is saved as a file: one’s own, or that of a user', async () => {
    const downloads = watchDownloads()
    const asFile = ({ url }: { readonly url: URL }) => new Response(url.search)
    page.gateway.on(calls.statements.self, november).on(calls.statements.get, november)
    page.gateway.onContent('/api/statement/self/export', asFile)
    page.gateway.onContent('/api/statement/export', asFile)
    await page.open('/statement?month=2026-11', { as: customer })
    await page.press('Export CSV')
    await waitFor(() => expect(downloads.files).toHaveLength(1))
    await page.open('/statement?month=2026-11&kind=user&id=2')
    await page.press('Export CSV')
    await waitFor(() => expect(downloads.files).toHaveLength(2))
    const searches = await Promise.all(downloads.files.map(({ content }) => content.text()))
    expect(searches.map((search) => new URLSearchParams(search).get('month'))).toEqual(['2026-11', '2026-11'])
    expect(searches[1]).toMatch(/kind=user&id=2/)
  })

  it('is read in Chinese too, and says what could not be loaded', async () => {
    page.gateway.on(calls.statements.self, november)
    await page.open('/statement?month=2026-11', { language: 'zh' })
    await screen.findByText('期初余额')
    page.gateway.on(calls.statements.self, new Refusal('broken', { status: 500 }))
    await page.open('/statement?month=2026-10')
    await screen.findByRole('button', { name: 'Try again' })
  })
})
