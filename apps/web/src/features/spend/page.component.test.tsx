import { expect, it } from 'bun:test'
import { calls, type SpendTable } from '@tollgate/api'
import { watchDownloads } from '../../test-support/downloads.ts'
import { customer } from '../../test-support/people.ts'
import { describePage, screen, waitFor, within } from '../../test-support/render-page.tsx'

const unit = 500_000
/** Name as long as a name may be. */
const longName = 'a-name-of-thirty-two-characters-'
const figures = { count: 3, token_used: 6030 }

/** Two users, two models with a column, and some of Ann's spend on others. */
const spent: SpendTable = {
  models: ['model-2', 'model-1'],
  rows: [
    { user_id: 2, username: 'ann', ...figures, quota: 9 * unit, by_model: [4 * unit, 2 * unit] },
    { user_id: 3, username: longName, ...figures, quota: 5 * unit, by_model: [5 * unit, 0] },
  ],
  total: { users: 2, ...figures, quota: 14 * unit, by_model: [9 * unit, 2 * unit] },
}

const load = () => import('./page.tsx')

describePage('the spend of users', load, (page) => {
  const row = (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}`) })

  it('is a row per user under the sum of all, with a column for each of the dearest models', async () => {
    page.gateway.on(calls.usageData.spend, spent)
    await page.open('/spend')
    expect((await row('ann')).textContent).toBe('ann$9.0036030$4.00$2.00$3.00')
    expect((await row(longName)).textContent).toBe(`${longName}$5.0036030$5.00––`)
    expect((await row('All users')).textContent).toContain('$14.00')
    const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    expect(headers.slice(4)).toEqual(['model-2', 'model-1', 'Other models'])
    await screen.findByText('1–2 of 2')
  })

  it('leads from a figure to the calls that it is the sum of', async () => {
    page.gateway.on(calls.usageData.spend, spent)
    await page.open('/spend')
    const [first] = within(await row(longName)).getAllByRole('link', { name: /\$/ })
    const address = new URL(first?.getAttribute('href') ?? '', 'http://gateway.test')
    expect(address.pathname).toBe('/log')
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      type: '2',
      model: 'model-2',
      user: longName,
    })
  })

  it('is chosen by whole months', async () => {
    const empty = { models: [], rows: [], total: { ...figures, users: 0, quota: 0, by_model: [] } }
    page.gateway.on(calls.usageData.spend, ({ query }) =>
      Number(query.end_timestamp) * 1000 < Date.now() - 60_000 ? empty : spent,
    )
    await page.open('/spend')
    await row('ann')
    await page.user.click(screen.getByRole('button', { name: /^Time: This month/ }))
    await page.user.click(await screen.findByRole('radio', { name: 'Last month' }))
    await screen.findByText('No spend')
    expect(page.address).toBe('/spend?range=last-month')
    const { start_timestamp: start } = page.gateway.sent(calls.usageData.spend).at(-1)?.query ?? {}
    expect(new Date(Number(start) * 1000).getDate()).toBe(1)
  })

  it('is exported for the time that is shown', async () => {
    const downloads = watchDownloads()
    page.gateway.on(calls.usageData.spend, spent)
    const disposition = 'attachment; filename="tollgate-spend-2026-10-01_2026-10-31.csv"'
    page.gateway.onContent(
      '/api/data/spend/export',
      ({ url }) => new Response(url.search, { headers: { 'content-disposition': disposition } }),
    )
    await page.open('/spend?range=last-month')
    await row('ann')
    await page.user.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(downloads.files).toHaveLength(1))
    const [file] = downloads.files
    expect(file?.name).toBe('tollgate-spend-2026-10-01_2026-10-31.csv')
    const visible = page.gateway.sent(calls.usageData.spend).at(-1)?.query
    const requested = Object.fromEntries(new URLSearchParams(await file?.content.text()))
    expect(requested).toEqual({
      start_timestamp: visible?.['start_timestamp'] ?? '',
      end_timestamp: visible?.['end_timestamp'] ?? '',
      time_zone: 'UTC',
      utc_offset: '0',
    })
  })

  it('is for administrators alone, and read in Chinese too', async () => {
    await page.open('/spend', { as: customer })
    await screen.findByText(/Only administrators can open this page/)
    page.gateway.on(calls.usageData.spend, spent)
    await page.open('/spend', { language: 'zh' })
    await screen.findByRole('heading', { name: '消费统计' })
    await screen.findByText('所有用户')
  })
})
