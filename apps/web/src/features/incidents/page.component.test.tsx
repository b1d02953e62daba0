import { expect, it } from 'bun:test'
import { calls, type Incident } from '@tollgate/api'
import { brokenRules } from '../../test-support/broken-rules.ts'
import { customer } from '../../test-support/people.ts'
import { describePage, screen, waitFor, within } from '../../test-support/render-page.tsx'

const nobody = { first: [], count: 0 }
const incident: Incident = {
  ...{ id: 1, kind: 'below-cost', state: 'open', level: 2, opened_at: 1_800_000_000, ended_at: 0 },
  ...{ calls_lost: 0, money_lost: 250_000, name: '', groups: ['default', 'vip'], accepted: null },
  members: { first: ['a_b', 'c', 'd'].map((name) => ({ id: 0, name })), count: 3 },
  ...{ models: nobody, users: nobody, reason_code: '', reason_params: {} },
}
const ended: Incident = {
  ...incident,
  ...{ id: 2, kind: 'provider', state: 'ended', ended_at: 1_800_003_600, calls_lost: 4, money_lost: 0 },
  ...{ name: 'OpenAI · api.example.com', groups: [], reason_code: 'timeout' },
  members: { first: [1, 2].map((id) => ({ id, name: `c${id}` })), count: 2 },
  users: { first: [], count: 2 },
}
const accepted: Incident = {
  ...incident,
  ...{ id: 3, kind: 'of a newer node', state: 'quiet', groups: [] },
  accepted: { at: 1_800_000_100, by: 'root', until: 0, note: 'as agreed' },
}

describePage(
  'the page of incidents',
  () => import('./page.tsx'),
  (page) => {
    const respond = () =>
      page.gateway.on(calls.incidents.list, {
        items: [incident, accepted, ended],
        total: 3,
        page: 1,
        page_size: 50,
        quiet: 1,
      })

    it('lists what lasts and what ended, with losses, the concerned and the mend', async () => {
      respond()
      await page.open('/incidents?state=ended&kind=provider')
      await screen.findByText('of a newer node')
      const [, first, second, third] = screen.getAllByRole('row')
      expect(first?.textContent).toContain('2 group ratios below cost: default, vip')
      expect(first?.textContent).toContain('$0.50 below cost')
      const mend = within(first as HTMLElement).getByRole('link', { name: 'Set group ratios' })
      expect(mend.getAttribute('href')).toContain('/setting?')
      expect(second?.textContent).toContain('of a newer node')
      expect(second?.textContent).toContain('Acceptedroot')
      expect(third?.textContent).toContain('OpenAI · api.example.com: 2 channels do not respond')
      expect(third?.textContent).toContain('4 calls lost')
      expect(third?.textContent).toContain('2 users')
      expect(page.gateway.sent(calls.incidents.list)[0]?.query).toMatchObject({
        state: 'ended',
        kind: 'provider',
      })
      expect(await brokenRules()).toEqual([])
    })

    it('opens an accepted one again', async () => {
      respond()
      page.gateway.on(calls.incidents.wake, incident)
      await page.open('/incidents')
      const row = (await screen.findByText('of a newer node')).closest('tr') as HTMLElement
      await page.user.click(within(row).getByRole('button', { name: 'Accept or snooze' }))
      await page.user.click(await screen.findByRole('menuitem', { name: 'Open again' }))
      await waitFor(() => expect(page.gateway.sent(calls.incidents.wake)).toHaveLength(1))
    })

    it('copies the list as Markdown, in which names stay as they are', async () => {
      respond()
      await page.open('/incidents')
      await page.user.click(await screen.findByRole('button', { name: 'Copy as Markdown' }))
      const text = await navigator.clipboard.readText()
      expect(text.split('\n\n').map((part) => part.split('\n')[0])).toEqual([
        '## 2 group ratios below cost: default, vip',
        expect.stringContaining('- **Since**: '),
        '## of a newer node',
        expect.stringContaining('- **Since**: '),
        '## OpenAI · api.example.com: 2 channels do not respond',
        expect.stringContaining('- **Since**: '),
      ])
      expect(text).toContain('- **Lost**: $0.50 below cost')
      expect(text).toContain('- **Accepted by**: root as agreed')
    })

    it('says it in Chinese', async () => {
      respond()
      await page.open('/incidents', { language: 'zh' })
      await screen.findByRole('heading', { name: '故障' })
      await page.reads('2 个分组的倍率低于成本：default、vip')
    })

    it('says that there are none, and is for administrators alone', async () => {
      page.gateway.on(calls.incidents.list, { items: [], total: 0, page: 1, page_size: 50, quiet: 0 })
      await page.open('/incidents')
      await page.reads('No incidents')
      await page.open('/incidents', { as: customer })
      await page.reads('You don’t have access')
    })
  },
)
