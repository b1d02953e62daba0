import { expect, it } from 'bun:test'
import { calls, type ModelStatus, type PublicIncident } from '@tollgate/api'
import { sampleStatus } from '../../../dev/samples.ts'
import { brokenRules } from '../../test-support/broken-rules.ts'
import { describePage, Refusal, screen, within } from '../../test-support/render-page.tsx'

const first = 1_800_000_000 - (1_800_000_000 % 86_400)
const days = [first, first + 86_400, first + 172_800]
const model: ModelStatus = {
  ...{ model_name: 'gpt-4o', owner_by: 'OpenAI', state: 'operational', days: [null, 0.9312, 1] },
}
const incident: PublicIncident = {
  ...{ id: 1, title: 'Slow responses', state: 'monitoring', models: ['gpt-4o'] },
  ...{ started_at: first, ended_at: 0 },
  updates: [
    { at: first, state: 'investigating', text: 'We are looking.\n<b>Soon</b> more.' },
    { at: first + 60, state: 'monitoring', text: 'It is better.' },
  ],
}

describePage(
  'the status page',
  () => import('./page.tsx'),
  (page) => {
    const switchOn = () => page.gateway.on(calls.status.read, { ...sampleStatus(), enable_status_page: true })

    it('shows states, days and incidents, the newest update first, to a visitor', async () => {
      switchOn()
      const down: ModelStatus = { ...model, model_name: 'o3', state: 'outage', days: [null, null, null] }
      const past = { ...incident, id: 2, title: 'Over', state: 'resolved', ended_at: first + 600 } as const
      const incidents = [incident, past]
      page.gateway.on(calls.statusPage.read, { days, models: [model, down], incidents })
      await page.open('/status', { as: 'guest' })
      await page.reads('1 model is degraded or down')
      const [worst, good] = within(screen.getByRole('region', { name: 'Models' })).getAllByRole('listitem')
      expect(worst?.textContent).toContain('o3OpenAIOutage')
      expect(good?.textContent).toContain('Lowest 93.1\u00a0% on')
      expect(screen.getByRole('img', { name: '3 days: no data' })).toBeDefined()
      const [current] = within(screen.getByRole('region', { name: 'Current incidents' })).getAllByRole(
        'article',
      )
      const updates = within(current as HTMLElement).getAllByRole('listitem')
      expect(updates.map(({ textContent }) => textContent)).toEqual([
        expect.stringMatching(/^Monitoring.*It is better\.$/),
        expect.stringMatching(/We are looking\.\n<b>Soon<\/b> more\.$/),
      ])
      expect(within(screen.getByRole('region', { name: 'Past incidents' })).getByText('Over')).toBeDefined()
      expect(screen.getByRole('link', { name: 'Status' }).getAttribute('href')).toBe('/status')
      expect(await brokenRules()).toEqual([])
    })

    it('says that all is in order, in Chinese too', async () => {
      switchOn()
      page.gateway.on(calls.statusPage.read, { days, models: [model], incidents: [] })
      await page.open('/status', { as: 'guest' })
      await page.reads('All models are operational')
      await page.reads('No incidents in the last 3 days')
      await page.open('/status', { as: 'guest', language: 'zh' })
      await page.reads('所有模型运行正常')
    })

    it('is an unknown address while it is off, and offers another try where it cannot be read', async () => {
      await page.open('/status', { as: 'guest' })
      await page.reads('This page does not exist')
      expect(screen.queryByRole('link', { name: 'Status' }) === null).toBe(true)
      switchOn()
      page.gateway.on(
        calls.statusPage.read,
        new Refusal('The database is away', { code: 'database_unavailable' }),
      )
      await page.open('/status', { as: 'guest' })
      await page.reads('The database is away')
      page.gateway.on(calls.statusPage.read, { days, models: [], incidents: [] })
      await page.press('Try again')
      await page.reads('No models yet')
    })
  },
)
