import { describe, expect, it } from 'bun:test'
import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { calls } from '@tollgate/api'
import { sampleStatus } from '../../../dev/samples.ts'
import { createConsoleRouter } from '../../router.ts'
import { administrator } from '../../test-support/people.ts'
import { refusals, refuseStorage, reportOtherTab } from '../../test-support/refusing-storage.ts'
import { describePage, screen, waitFor, within } from '../../test-support/render-page.tsx'

const load = () => import('./frame.tsx')
const framed = (address: string) =>
  waitFor(() => expect(document.querySelector(`iframe[src="${address}"]`)).not.toBeNull())

describePage('the frame of every page', load, (page) => {
  it('has the top bar over public pages for people who are logged in, with their account in it once', async () => {
    page.gateway.on(calls.status.about, 'About us')
    await page.open('/about')
    const bar = await screen.findByRole('banner')
    within(bar).getByRole('link', { name: 'Pricing' })
    await within(bar).findByRole('button', { name: /Root/ })
    await screen.findByRole('navigation', { name: 'Pages' })
    expect(screen.getAllByRole('button', { name: /Root/ })).toHaveLength(1)
  })

  it('says within a main part that an address leads nowhere', async () => {
    await page.open('/there/is/no/such/page')
    await within(await screen.findByRole('main')).findByRole('heading', { level: 1 })
  })

  it('frames a notice and a footer that are the address of a page', async () => {
    const footer_html = 'https://foot.invalid/line'
    page.gateway.on(calls.status.read, { ...sampleStatus(), has_notice: true, footer_html })
    page.gateway.on(calls.status.notice, 'https://notice.invalid/today')
    page.gateway.on(calls.status.about, 'About us')
    await page.open('/about')
    await framed(footer_html)
    page.gateway.on(calls.status.homePage, 'Welcome')
    await page.open('/')
    await framed('https://notice.invalid/today')
  })

  it.each(refusals)(
    'works where storage is %s, and does not ask the server who is logged in',
    async (refusal) => {
      const end = refuseStorage(refusal)
      page.gateway.wait().on(calls.status.about, 'About us')
      await page.open('/about')
      await page.press('Theme')
      await page.user.click(await screen.findByRole('menuitemradio', { name: 'Dark' }))
      await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'))
      const before = page.gateway.sent(calls.users.self).length
      document.dispatchEvent(new Event('visibilitychange'))
      await page.reads('About us')
      const after = page.gateway.sent(calls.users.self).length
      end()
      reportOtherTab()
      expect(after).toBe(before)
    },
  )

  it('leads /user/edit to the own account: root’s sheet, and the personal settings of others', async () => {
    page.gateway.on(calls.userAdmin.list, { items: [], total: 0, page: 1, page_size: 50 })
    await page.open('/user/edit', { as: administrator })
    expect(page.address).toStartWith('/personal')
  })
})

/** Values that other versions and other programs may have left under the console's names. */
const junk: Readonly<Record<string, string>> = {
  status: JSON.stringify({ system_name: 7, quota_per_unit: '1', setup: true, chats: 'none', footer_html: 7 }),
  'theme-mode': '{}',
  'page-size': '1e21',
  language: 'tlh',
  default_collapse_sidebar: '7',
  enable_data_export: '1',
  channel_models: '[7]',
  'draft:playground': '{"model":7,"others":[null,7],"format":null,"tools":7}',
  'draft:playground-open-1': '{',
  'logs-table-columns': '[7]',
  'tokens-table-columns': '"none"',
}

type Validate = (search: Readonly<Record<string, unknown>>) => Record<string, unknown>

const routes = Object.values(
  createConsoleRouter(new QueryClient(), createMemoryHistory()).routesById,
).flatMap(({ id, fullPath, options }) =>
  typeof options.validateSearch === 'function'
    ? [{ id, path: fullPath.replaceAll(/\$\w+/g, '1'), validate: options.validateSearch as Validate }]
    : [],
)

describePage('a page over values that do not fit', load, (page) => {
  it.each(routes.flatMap((route) => ['nonsense', '9007199254740991'].map((value) => ({ ...route, value }))))(
    'opens at $id, all of which are $value',
    async ({ path, validate, value }) => {
      page.gateway.wait()
      for (const [name, text] of Object.entries(junk)) localStorage.setItem(name, text)
      const search = new URLSearchParams(Object.keys(validate({})).map((name) => [name, value]))
      await page.open(`${path}?${search}`)
      await waitFor(() => expect(document.querySelector('main, form')).not.toBeNull())
      expect(screen.queryAllByText('This page stopped working')).toHaveLength(0)
      expect(document.body.textContent).not.toMatch(/NaN|Invalid Date|undefined|\[object/)
    },
  )
})

describe('an address with values that do not fit', () => {
  it('is that of most pages', () => {
    expect(routes.length).toBeGreaterThan(20)
  })

  it.each(routes)('reaches the page of $id without them', ({ id, path, validate }) => {
    const names = Object.keys(validate({}))
    expect(names).not.toEqual([])
    const typed = Object.fromEntries(names.map((name) => [name, 'nonsense']))
    const address = `${path}?${new URLSearchParams(typed)}`
    const router = createConsoleRouter(new QueryClient(), createMemoryHistory({ initialEntries: [address] }))
    const search = router.matchRoutes(router.latestLocation).find(({ routeId }) => routeId === id)?.search
    for (const name of names)
      expect([name, search?.[name as never]]).toEqual([name, validate(typed)[name] as never])
  })
})
