import { expect, it } from 'bun:test'
import { calls, type SecurityEventRow } from '@tollgate/api'
import { brokenRules } from '../../test-support/broken-rules.ts'
import { administrator } from '../../test-support/people.ts'
import {
  describePage,
  type PageTest,
  Refusal,
  screen,
  waitFor,
  within,
} from '../../test-support/render-page.tsx'

const load = () => import('./page.tsx')
const event = {
  id: 1,
  created_at: 1_800_000_000,
  kind: 'login-failed',
  user_id: 3,
  username: 'ann',
  detail: '',
  address: '127.0.0.1',
  user_agent: 'curl/8.1',
} satisfies SecurityEventRow
const events: SecurityEventRow[] = [
  event,
  { ...event, id: 2, kind: 'login', user_id: 1, username: 'root', user_agent: 'Mozilla/5.0' },
]

/** A gateway with these events, which filters as it is asked to. */
function withEvents({ gateway }: PageTest): void {
  gateway.on(calls.securityEvents.list, ({ query }) => {
    const items = events.filter(
      ({ username, kind, address }) =>
        (query.username ?? username) === username &&
        (query.kind ?? kind) === kind &&
        (query.address ?? address) === address,
    )
    return { items, total: items.length, page: 1, page_size: 20 }
  })
}
const row = (name: string) => screen.findByRole('row', { name: new RegExp(`\\b${name}\\b`) })

describePage('the page of security events', load, (page) => {
  it('lists events of all accounts, with the program and the address', async () => {
    withEvents(page)
    await page.open('/security')
    const failed = within(await row('ann'))
    for (const text of [/Log-in failed/, /curl/, '127.0.0.1']) await page.reads(text, failed)
    await page.reads('Logged in', within(await row('root')))
    expect(await brokenRules()).toEqual([])
  })

  it('sends the filters of its address, and says when nothing matches', async () => {
    withEvents(page)
    await page.open('/security?user=ann&kind=login-failed')
    await row('ann')
    expect(page.gateway.sent(calls.securityEvents.list)[0]?.query).toMatchObject({
      username: 'ann',
      kind: 'login-failed',
    })
    expect(screen.getAllByRole('row')).toHaveLength(2)
  })

  it('says what to enter where an address has no event', async () => {
    withEvents(page)
    await page.open('/security?address=203.0.113.1')
    await page.reads('Enter the full username or address')
  })

  it('shows all kinds for one that it does not know', async () => {
    withEvents(page)
    await page.open('/security?kind=never-heard-of')
    await row('root')
  })

  it('says in Chinese what happened', async () => {
    withEvents(page)
    await page.open('/security', { language: 'zh' })
    await screen.findByRole('heading', { name: '安全事件' })
    await page.reads('登录失败')
  })

  it('shows a failure of the gateway in place', async () => {
    page.gateway.on(calls.securityEvents.list, new Refusal('broken', { status: 500 }))
    await page.open('/security')
    await screen.findByRole('button', { name: 'Try again' })
  })

  it('says that a second factor is required, with the way to it', async () => {
    page.gateway.on(
      calls.securityEvents.list,
      new Refusal('Set one up', { status: 403, code: 'admin_second_factor_required' }),
    )
    await page.open('/security')
    await page.reads('Two-factor authentication is required')
    const way = screen.getByRole<HTMLAnchorElement>('link', { name: 'Open personal settings' })
    expect(way.getAttribute('href')).toBe('/personal')
    expect(await brokenRules()).toEqual([])
  })

  it('is for root alone', async () => {
    await page.open('/security', { as: administrator })
    await page.reads('Only the root administrator can open this page.')
    await waitFor(() => expect(page.gateway.sent(calls.securityEvents.list)).toEqual([]))
  })
})
