import { expect, it } from 'bun:test'
import { type ChannelStops, calls, type GroupField, type GroupRow } from '@tollgate/api'
import { hasUnsavedWork } from '../../lib/session/unsaved-work.ts'
import { brokenRules } from '../../test-support/broken-rules.ts'
import { customer } from '../../test-support/people.ts'
import { describePage, screen, waitFor, within } from '../../test-support/render-page.tsx'

const general: GroupRow = {
  ...{ name: 'default', has_ratio: true, ratio: 1, is_open: true, description: 'for everybody' },
  ...{ top_up_ratio: 1, user_limits: null, requests_per_minute: 0, tokens_per_minute: 0, concurrency: 0 },
  ...{ users: 12, tokens: 30, channels: 2 },
}
const vip: GroupRow = {
  ...general,
  ...{ name: 'vip', ratio: 0.8, is_open: false, description: '', requests_per_minute: 60, users: 1 },
}
const nameless: GroupRow = { name: 'gone', has_ratio: false, users: 1, tokens: 0, channels: 0 }
const since = 1_800_000_000
const unconcerned: ChannelStops = { models: [], model_count: 0, calls: 0, users: 0, attempts: 0 }

describePage(
  'the page of groups',
  () => import('./page.tsx'),
  (page) => {
    const respond = () => {
      page.gateway.on(calls.groups.overview, [general, vip, nameless], () => ({
        writable: ['ratio', 'requests_per_minute', 'is_open', 'description'] satisfies GroupField[],
      }))
      page.gateway.on(calls.groups.usage, [{ name: 'vip', calls: 7, quota: 250_000, since }])
      page.gateway.on(calls.options.list, [])
      page.gateway.on(calls.channels.stops, unconcerned)
      page.gateway.on(calls.pricing.list, [], () => ({
        group_ratio: {},
        usable_group: {},
        user_group: 'default',
        supported_endpoint: {},
      }))
    }
    const row = async (name: string) => (await screen.findByText(name, { selector: 'td *' })).closest('tr')

    it('lists ratios, limits and members, and leads from calls to the rows that it counts', async () => {
      respond()
      await page.open('/group')
      const rich = await row('vip')
      expect(rich?.textContent).toContain('×0.8')
      expect(rich?.textContent).toContain('60 RPM')
      const counted = within(rich as HTMLElement).getByRole('link', { name: '7' })
      const address = new URL(counted.getAttribute('href') ?? '', 'http://console')
      expect([address.pathname, Object.fromEntries(address.searchParams)]).toEqual([
        '/log',
        { type: '2', group: 'vip', range: 'custom', from: String(since) },
      ])
      expect((await row('gone'))?.textContent).toContain('No ratio')
      expect(await brokenRules()).toEqual([])
    })

    it('saves what was typed for a group, with what it was', async () => {
      respond()
      page.gateway.on(calls.groups.update, undefined)
      await page.open('/group?group=vip')
      const sheet = within(await screen.findByRole('dialog'))
      await page.fill('Price ratio', '0.7', sheet)
      await page.press(/^Save group/, sheet)
      await page.reads('Group saved')
      expect(page.gateway.bodies(calls.groups.update)).toEqual([
        { name: 'vip', ratio: 0.7, base: { ratio: 0.8 } },
      ])
    })

    it('keeps a name that was typed in a dialog, unless its loss is confirmed', async () => {
      respond()
      await page.open('/group?group=vip')
      await page.press('Rename')
      const dialog = within(await screen.findByRole('dialog', { name: 'Rename group vip' }))
      const box = await dialog.findByRole('textbox')
      await page.fill(box, 'gold')
      await page.user.keyboard('{Escape}')
      await page.confirm('Keep editing')
      const reloads = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
      expect([(box as HTMLInputElement).value, reloads()]).toEqual(['gold', false])
      await page.user.keyboard('{Escape}')
      await page.confirm('Discard changes')
      await waitFor(() =>
        expect(screen.queryByRole('dialog', { name: 'Rename group vip' }) === null).toBe(true),
      )
      expect([reloads(), hasUnsavedWork()]).toEqual([true, false])
    })

    it('says before a group is closed whose calls fail, and what its ratio becomes', async () => {
      respond()
      page.gateway.on(calls.channels.stops, {
        ...unconcerned,
        charges: [{ model: '', group: 'default', part: 'GroupRatio', unit: 'factor', before: 1, after: 2 }],
        charge_count: 1,
        calls: 9,
        users: 2,
        spend: { before: 500_000, after: 1_000_000 },
      })
      await page.open('/group?group=default')
      await screen.findByRole('textbox', { name: 'Price ratio' })
      const sheet = within(screen.getByRole('dialog'))
      await page.fill('Price ratio', '2', sheet)
      await page.user.click(sheet.getByText('All users can choose this group'))
      await page.press(/^Save group/, sheet)
      const closing = await screen.findByRole('alertdialog', { name: 'Change the group default?' })
      expect(closing.textContent).toContain('Group ratio of default: × 1 → × 2')
      expect(closing.textContent).toContain('Users of other groups can choose it no more')
      expect(closing.textContent).toContain('by the new ratio it would be about $1.00 more an hour')
      expect(closing.textContent).toContain('9 calls came from 2 users with a key in this group')
      await page.press('Cancel', within(closing))
      expect(page.gateway.bodies(calls.groups.update)).toEqual([])
    })

    it('says what is wrong with a new group beside its field', async () => {
      respond()
      await page.open('/group?add=true')
      // A dialog that is looked up before its form is there may be another than the one that has it.
      await screen.findByRole('textbox', { name: 'Name' })
      const sheet = within(screen.getByRole('dialog'))
      await page.fill('Name', 'vip', sheet)
      await page.press(/^Add group|^Save group/, sheet)
      await sheet.findByText('A group with this name exists')
      expect(page.gateway.bodies(calls.groups.create)).toEqual([])
    })

    it('is for administrators alone, and read in Chinese too', async () => {
      await page.open('/group', { as: customer })
      await screen.findByText(/Only administrators can open this page/)
      respond()
      await page.open('/group', { language: 'zh' })
      await screen.findByRole('heading', { name: '分组' })
    })
  },
)
