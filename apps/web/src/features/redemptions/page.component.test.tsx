import { expect, it } from 'bun:test'
import { calls, redemptionStatuses, type WireRedemption } from '@tollgate/api'
import { watchDownloads } from '../../test-support/downloads.ts'
import { customer } from '../../test-support/people.ts'
import { describePage, Refusal, screen, waitFor, within } from '../../test-support/render-page.tsx'

const welcome: WireRedemption = {
  id: 1,
  user_id: 1,
  name: 'welcome',
  key: '0123456789abcdef0123456789abcdef',
  status: redemptionStatuses.unused,
  quota: 100_000,
  created_time: 1_800_000_000,
  redeemed_time: 0,
  used_user_id: 0,
  used_username: '',
  count: 0,
  DeletedAt: null,
}
const spring: WireRedemption = { ...welcome, id: 2, name: 'spring gift', key: 'f'.repeat(32) }
const used: WireRedemption = {
  ...welcome,
  id: 3,
  name: 'mine',
  status: redemptionStatuses.used,
  redeemed_time: 1_800_000_100,
  used_user_id: 2,
  used_username: 'ann',
}

const listOf = (items: readonly WireRedemption[]) => ({
  items: [...items],
  total: items.length,
  page: 1,
  page_size: 50,
})

const load = () => import('./page.tsx')

describePage('redemption codes', load, (page) => {
  const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })
  const press = async (name: string | RegExp, inside: HTMLElement = document.body) =>
    page.user.click(await within(inside).findByRole('button', { name }))

  it.each(['two presses', 'Enter that is held down'])('are created once by %s', async (gesture) => {
    const { gateway, user } = page
    gateway.on(calls.redemptions.list, listOf([]))
    gateway.on(calls.redemptions.create, () => ['0'.repeat(32)])
    await page.open('/redemption/add')
    const sheet = await screen.findByRole('dialog', { name: 'Create codes' })
    await page.fill('Name', 'once', within(sheet))
    if (gesture === 'two presses') await user.dblClick(within(sheet).getByRole('button', { name: /^Create/ }))
    else await user.type(within(sheet).getByRole('textbox', { name: 'Name' }), '{Enter>9/}')
    await screen.findByRole('dialog', { name: 'Your code is ready' })
    expect(gateway.bodies(calls.redemptions.create)).toHaveLength(1)
  })

  it('teach the first code, and offer new ones as a file named after them', async () => {
    const { gateway, user } = page
    const downloads = watchDownloads()
    gateway.on(calls.redemptions.list, listOf([]))
    gateway.on(calls.redemptions.create, ({ body }) =>
      Array.from({ length: body.count }, (_, index) => String(index).repeat(32)),
    )
    await page.open('/redemption')
    await screen.findByText('No redemption codes yet')
    await user.click(screen.getAllByRole('link', { name: 'Create codes' })[0] as HTMLElement)
    const sheet = await screen.findByRole('dialog', { name: 'Create codes' })
    const type = async (name: string, text: string) => {
      const box = within(sheet).getByRole('textbox', { name })
      await user.clear(box)
      await user.type(box, text)
    }
    await type('Number of codes', '101')
    await press('Create 101 codes', sheet)
    await within(sheet).findByText('Enter a whole number from 1 to 100')
    expect(gateway.bodies(calls.redemptions.create)).toEqual([])
    await type('Name', 'spring gift')
    await press('$10', sheet)
    await type('Number of codes', '3')
    await press('Create 3 codes', sheet)
    const ready = await screen.findByRole('dialog', { name: '3 codes are ready' })
    expect(gateway.bodies(calls.redemptions.create)).toEqual([
      { name: 'spring gift', quota: 5_000_000, count: 3 },
    ])
    await press('Download', ready)
    const [file] = downloads.files
    expect(file?.name).toBe('spring gift.txt')
    expect(await file?.content.text()).toBe(['0', '1', '2'].map((one) => one.repeat(32)).join('\n'))
    await press('Done', ready)
    await waitFor(() => expect(page.address).toBe('/redemption'))
  })

  it('are named after what they are worth when they are given no name, by key', async () => {
    const { gateway, user } = page
    gateway.on(calls.redemptions.list, listOf([spring]))
    gateway.on(calls.redemptions.create, [welcome.key])
    await page.open('/redemption')
    await row('spring gift')
    await user.keyboard('c')
    const sheet = await screen.findByRole('dialog', { name: 'Create codes' })
    await press('Create code', sheet)
    await screen.findByRole('dialog', { name: 'Your code is ready' })
    expect(gateway.bodies(calls.redemptions.create)).toEqual([{ name: '$0.20', quota: 100_000, count: 1 }])
  })

  it('are disabled and enabled, and say while they are disabled why they cannot be edited', async () => {
    const { gateway, user } = page
    let code = welcome
    gateway.on(calls.redemptions.list, () => listOf([code]))
    gateway.on(calls.redemptions.get, () => code)
    gateway.on(calls.redemptions.update, ({ body }) => {
      code = { ...code, status: body.status ?? code.status }
      return code
    })
    await page.open('/redemption')
    await press('Disable welcome', await row('welcome'))
    await within(await row('welcome')).findByRole('button', { name: 'Enable welcome' })
    await user.click(within(await row('welcome')).getByText('Disabled'))
    const view = await screen.findByRole('dialog', { name: 'Redemption code' })
    await within(view).findByText('Enable it in the list first', { exact: false })
    await press('Close', view)
    await press('Enable welcome', await row('welcome'))
    await within(await row('welcome')).findByRole('button', { name: 'Disable welcome' })
    expect(
      gateway.sent(calls.redemptions.update).map(({ query, body }) => [query['status_only'], body.status]),
    ).toEqual([
      ['true', 2],
      ['true', 1],
    ])
  })

  it('are edited and deleted one by one, after a question', async () => {
    const { gateway, user } = page
    let stored = [welcome]
    gateway.on(calls.redemptions.list, () => listOf(stored))
    gateway.on(calls.redemptions.get, welcome)
    gateway.on(calls.redemptions.update, ({ body }) => {
      const changed = { ...welcome, name: body.name ?? welcome.name }
      stored = [changed]
      return changed
    })
    gateway.on(calls.redemptions.delete, () => {
      stored = []
      return undefined
    })
    await page.open('/redemption')
    await press('More for welcome', await row('welcome'))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const sheet = await screen.findByRole('dialog', { name: 'Edit code' })
    const name = within(sheet).getByRole('textbox', { name: 'Name' })
    await user.clear(name)
    await user.type(name, 'autumn')
    const value = within(sheet).getByRole('textbox', { name: 'Value' })
    await user.clear(value)
    await user.type(value, '0.5')
    await press('Save', sheet)
    expect(gateway.bodies(calls.redemptions.update)).toMatchObject([
      { id: 1, name: 'autumn', quota: 250_000 },
    ])
    await press('More for autumn', await row('autumn'))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await press('Delete code', await screen.findByRole('alertdialog'))
    await waitFor(() => expect(screen.queryAllByRole('row', { name: /autumn/ }).length).toBe(0))
    expect(gateway.sent(calls.redemptions.delete).map(({ params }) => params)).toEqual([{ id: '1' }])
  })

  it('are searched, filtered and sorted on the server, with the state in the address', async () => {
    const { gateway, user } = page
    gateway.on(calls.redemptions.list, ({ query }) => listOf(query.status === 3 ? [] : [spring, welcome]))
    gateway.on(calls.redemptions.search, listOf([welcome]))
    await page.open('/redemption?sort=quota')
    await row('spring gift')
    expect(gateway.sent(calls.redemptions.list).at(-1)?.query).toMatchObject({ sort: 'quota' })
    await user.type(screen.getByPlaceholderText('Name or ID'), 'welc')
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
    expect(new URLSearchParams(page.address.split('?')[1]).get('keyword')).toBe('welc')
    expect(gateway.sent(calls.redemptions.search).at(-1)?.query).toMatchObject({ keyword: 'welc' })
    await page.open('/redemption?status=3')
    await screen.findByText('No results')
  })

  it('are changed together by one call, and copied with their names', async () => {
    const { gateway, user } = page
    gateway.on(calls.redemptions.list, listOf([welcome, spring]))
    gateway.on(
      calls.redemptions.bulk,
      ({ body }) => body.ids.length,
      () => ({
        outcomes: [1, 2].map((id) => ({ id, success: true, message: '' })),
      }),
    )
    await page.open('/redemption')
    await row('welcome')
    await press('Copy selected codes')
    await screen.findByText('Select at least one code first')
    const chooseAll = () => user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
    await chooseAll()
    await press('Copy codes')
    expect(await navigator.clipboard.readText()).toBe(
      `welcome    ${welcome.key}\nspring gift    ${spring.key}`,
    )
    await press('Disable')
    await screen.findByText('2 codes disabled')
    await chooseAll()
    await press('Enable')
    await screen.findByText('2 codes enabled')
    await chooseAll()
    await press('Delete')
    await press('Delete 2 codes', await screen.findByRole('alertdialog'))
    await screen.findByText('2 codes deleted')
    const sent = gateway.bodies(calls.redemptions.bulk)
    expect(sent.map(({ action }) => String(action))).toEqual(['disable', 'enable', 'delete'])
    expect(sent.map(({ ids }) => ids)).toEqual(Array.from({ length: 3 }, () => [1, 2]))
  })

  it('say by name who has redeemed them', async () => {
    page.gateway.on(calls.redemptions.list, listOf([used]))
    await page.open('/redemption?status=3')
    within(await row('mine')).getByText('ann')
  })

  it('say what could not be loaded, load it when asked again, and are not for everybody', async () => {
    page.gateway.on(calls.redemptions.list, new Refusal('broken', { status: 500 }))
    await page.open('/redemption')
    const retry = await screen.findByRole('button', { name: 'Try again' })
    page.gateway.on(calls.redemptions.list, listOf([welcome]))
    await page.user.click(retry)
    await screen.findByRole('table', { name: 'Redemption codes' })
    await page.open('/redemption', { as: customer })
    await screen.findByText(/Only administrators can open this page/)
    expect(screen.queryAllByRole('link', { name: 'Redemption codes' }).length).toBe(0)
  })
})
