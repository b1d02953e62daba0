import { expect, it } from 'bun:test'
import { calls } from '@tollgate/api'
import { sampleStatus } from '../../../dev/samples.ts'
import { administrator } from '../../test-support/people.ts'
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

  it('leads /user/edit to the own account: root’s sheet, and the personal settings of others', async () => {
    page.gateway.on(calls.userAdmin.list, { items: [], total: 0, page: 1, page_size: 50 })
    await page.open('/user/edit', { as: administrator })
    expect(page.address).toStartWith('/personal')
  })
})
