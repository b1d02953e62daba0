import { expect, it } from 'bun:test'
import { calls, type ManagedIncident } from '@tollgate/api'
import { brokenRules } from '../../../test-support/broken-rules.ts'
import { describePage, Refusal, screen, waitFor, within } from '../../../test-support/render-page.tsx'

const published: ManagedIncident = {
  ...{ id: 4, title: 'Calls to gpt-4o fail', state: 'identified', models: ['gpt-4o'] },
  ...{ started_at: 1_800_000_000, ended_at: 0, published: true, incident_id: 9 },
  updates: [
    { at: 1_800_000_100, state: 'investigating', text: 'We are looking.' },
    { at: 1_800_000_200, state: 'identified', text: 'It is the provider.' },
  ],
}
const off: ManagedIncident = {
  ...published,
  ...{ id: 5, title: 'Slow last week', ended_at: 1_800_000_300, published: false },
  updates: [{ at: 1_800_000_100, state: 'resolved', text: 'Over.' }],
}

describePage(
  'the tab of what is published',
  () => import('./published-page.tsx'),
  (page) => {
    const open = async (more = '') => {
      const { gateway } = page
      const rows = { items: [published, off], total: 2, page: 1, page_size: 10 }
      gateway.on(calls.statusPage.list, rows)
      gateway.on(calls.pricing.list, [], () => ({
        ...{ group_ratio: {}, usable_group: {}, user_group: 'default', supported_endpoint: {} },
      }))
      await page.open(`/incidents?tab=status${more}`)
      await screen.findByText('Calls to gpt-4o fail')
    }
    const row = (title: string) => screen.getByText(title).closest('tr') as HTMLElement
    const act = async (title: string, action: string) => {
      await page.user.click(within(row(title)).getByRole('button', { name: 'Actions' }))
      await page.user.click(await screen.findByRole('menuitem', { name: action }))
    }

    it('publishes a cause with its models and times, and says when it is published already', async () => {
      page.gateway.on(calls.statusPage.draft, {
        ...{ models: ['gpt-4o', 'o3'], started_at: 1_800_000_000, ended_at: 0 },
      })
      let tries = 0
      page.gateway.on(calls.statusPage.create, () => {
        tries += 1
        return tries === 1
          ? new Refusal('Published already', { code: 'status_incident_published' })
          : published
      })
      await open('&publish=9')
      const title = await screen.findByRole<HTMLInputElement>('textbox', { name: /Title/ })
      expect(title.value).toBe('Calls to gpt-4o and other models fail')
      await page.fill(title, 'gpt-4o fails')
      await page.press(/^Publish/)
      await page.reads('Published already')
      expect(title.value).toBe('gpt-4o fails')
      await page.press(/^Publish/)
      await waitFor(() => expect(page.address).toBe('/incidents?tab=status'))
      expect(page.gateway.sent(calls.statusPage.create)[1]?.body).toMatchObject({
        ...{ title: 'gpt-4o fails', state: 'investigating', models: ['gpt-4o', 'o3'] },
        ...{ started_at: 1_800_000_000, incident_id: 9 },
      })
    })

    it('resolves with an update, corrects what was written, takes off and publishes again', async () => {
      const { gateway } = page
      gateway.on(calls.statusPage.addUpdate, published)
      gateway.on(calls.statusPage.update, published)
      gateway.on(calls.statusPage.unpublish, published)
      gateway.on(calls.statusPage.publish, published)
      await open()
      expect(row('Slow last week').textContent).toContain('Unpublished')
      expect(await brokenRules()).toEqual([])
      await act('Calls to gpt-4o fail', 'Resolve')
      await page.press(/^Add update/, within(await screen.findByRole('dialog')))
      await page.reads('Enter a text')
      await page.fill(/What everybody reads/, 'It works again.')
      await page.press(/^Add update/, within(screen.getByRole('dialog')))
      await waitFor(() =>
        expect(gateway.sent(calls.statusPage.addUpdate)[0]).toMatchObject({
          params: { id: '4' },
          body: { state: 'resolved', text: 'It works again.' },
        }),
      )
      await act('Calls to gpt-4o fail', 'Edit')
      await page.fill(/^Investigating/, 'We look into it.')
      await page.press(/^Save/)
      await waitFor(() =>
        expect(gateway.sent(calls.statusPage.update)[0]?.body).toMatchObject({
          texts: ['We look into it.', 'It is the provider.'],
          base: { texts: ['We are looking.', 'It is the provider.'] },
        }),
      )
      await act('Calls to gpt-4o fail', 'Unpublish')
      await waitFor(() => expect(gateway.sent(calls.statusPage.unpublish)).toHaveLength(1))
      await act('Slow last week', 'Publish again')
      await waitFor(() => expect(gateway.sent(calls.statusPage.publish)).toHaveLength(1))
    })

    it('says while the page is off, in both languages', async () => {
      await open()
      await page.reads('The status page is off')
      await page.open('/incidents?tab=status', { language: 'zh' })
      await page.reads('状态页未启用')
    })
  },
)
