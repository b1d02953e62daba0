import { expect, it } from 'bun:test'
import { calls } from '@tollgate/api'
import { sampleChannels, sampleTokens, sampleUser } from '../../../../dev/samples.ts'
import {
  describePage,
  type PageTest,
  Refusal,
  screen,
  waitFor,
  within,
} from '../../../test-support/render-page.tsx'

const load = () => import('./command-palette.tsx')
const laptop = sampleTokens()
  .slice(0, 1)
  .map((token) => ({ ...token, name: 'laptop' }))
const upstream = sampleChannels()
  .slice(0, 1)
  .map((channel) => ({ ...channel, id: 7, name: 'Main upstream' }))

/** A page of few calls, and what the palette finds by a word of its name. */
function respond({ gateway }: PageTest): void {
  gateway.on(calls.nodes.list, [])
  gateway.on(
    calls.channels.search,
    ({ query }) =>
      upstream.filter(({ name }) => name.toLowerCase().includes((query.keyword ?? '').toLowerCase())),
    () => ({ total: 1 }),
  )
  gateway.on(calls.userAdmin.search, ({ query }) => {
    const items = 'root'.includes(query.keyword ?? '')
      ? [{ ...sampleUser(), username: 'root', inviter_name: '' }]
      : []
    return { items, total: items.length, page: 1, page_size: 5 }
  })
  gateway.on(
    calls.tokens.list,
    ({ query }) => (JSON.stringify(query).includes('lap') ? laptop : []),
    () => ({
      total: 1,
    }),
  )
  gateway.on(calls.users.models, ['gpt-4o', 'gpt-4o-mini'])
}

describePage('the command palette', load, (page) => {
  const input = () => screen.findByRole('combobox', { name: 'Command palette' })
  const type = async (text: string) => {
    await page.user.clear(await input())
    await page.user.type(await input(), text)
  }
  const first = () => screen.getAllByRole('option')[0] as HTMLElement
  async function openPalette(): Promise<void> {
    respond(page)
    await page.open('/nodes')
    await screen.findByText('No nodes yet')
    await page.user.keyboard('{Control>}k{/Control}')
    await input()
  }

  it('has every key after the one that opens it, before its code is there', async () => {
    respond(page)
    await page.open('/nodes')
    await screen.findByText('No nodes yet')
    // `g l` would open the log.
    await page.user.keyboard('{Control>}k{/Control}g lapto')
    await page.user.keyboard('{ArrowLeft}{ArrowLeft}-')
    await screen.findByRole('listbox', { name: 'Results' })
    const box = (await input()) as HTMLInputElement
    await page.user.keyboard('+')
    expect([box.value, page.address]).toEqual(['g lap-+to', '/nodes'])
  })

  it('reads words about calls as filters of the log', async () => {
    await openPalette()
    await type('failed calls of emil since Monday')
    const link = await screen.findByRole('option', { name: /Show these calls/ })
    expect(link.textContent).toMatch(/Failed · User emil · since /)
    await type('渠道“Main upstream”昨天失败的调用')
    await screen.findByRole('option', { name: /Failed · Channel Main upstream · Yesterday/ })
    await type('failed calls of gpt-4o on channel 7 today')
    await screen.findByRole('option', { name: /Failed · Model gpt-4o · Channel 7 · Today/ })
  })

  it('finds channels, users, keys, models, settings and pages', async () => {
    await openPalette()
    for (const [typed, found] of [
      ['Main up', /Main upstream/],
      ['root', /root/],
      ['lapt', /laptop/],
      ['gpt-4o', /gpt-4o/],
      ['smtp', /SMTP/],
      ['pricing', /Pricing/],
    ] as const) {
      await type(typed)
      await screen.findAllByRole('option', { name: found })
    }
  })

  it('leads to the list where a kind has more results than the palette shows', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `model-${index}`)
    await openPalette()
    page.gateway.on(calls.users.models, names)
    await type('model-')
    await page.user.click(await screen.findByRole('option', { name: 'More in Models' }))
    await waitFor(() => expect(page.address).toBe('/pricing?keyword=model-'))
  })

  it('puts what fits best first, whatever it is', async () => {
    await openPalette()
    await type('laptop')
    await waitFor(() => within(first()).getByText('laptop'))
    await type('channels')
    await waitFor(() => expect(first().textContent).toContain('Channels'))
    await type('add user')
    await waitFor(() => expect(first().textContent).toContain('Add user'))
  })

  it('says when nothing is found, and when the server cannot be asked', async () => {
    await openPalette()
    await type('zzzzqqqq')
    await screen.findByText('No results. Try a different search.')
    page.gateway.on(calls.tokens.list, new Refusal('The disk is full', { status: 500 }))
    await type('lapto')
    const again = await screen.findByRole('option', { name: 'Try again' })
    respond(page)
    await page.user.click(again)
    await page.user.keyboard('{Control>}k{/Control}')
    await type('laptop')
    await screen.findByRole('option', { name: /laptop/ })
  })
})
