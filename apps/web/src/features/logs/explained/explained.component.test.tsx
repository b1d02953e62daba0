import { expect, it } from 'bun:test'
import { calls, type LogEntry, logTypes } from '@tollgate/api'
import { sampleLogs } from '../../../../dev/samples.ts'
import { customer, rootUser } from '../../../test-support/people.ts'
import { describePage, Refusal, screen, within } from '../../../test-support/render-page.tsx'

const unit = 500_000
const [sample] = sampleLogs()
if (sample === undefined) throw new Error('there is no sample of a call')
const terms = { model_ratio: 1, completion_ratio: 1, group_ratio: 1 }
const call: LogEntry = {
  ...sample,
  id: 7,
  type: logTypes.consumption,
  model_name: 'model-9',
  quota: unit,
  prompt_tokens: unit,
  completion_tokens: 0,
  other: JSON.stringify(terms),
}
const content = { expires_at: 1_900_000_000, quota_per_unit: unit }

const load = () => import('./linked-page.tsx')

describePage('a link to a charge', load, (page) => {
  it('opens without an account, with lines that add up', async () => {
    const { created_at, model_name, token_name, group, request_id, is_stream } = call
    const { quota, prompt_tokens, completion_tokens } = call
    const facts = { created_at, model_name, token_name, group, request_id, is_stream }
    const charge = { ...facts, quota, prompt_tokens, completion_tokens, terms, credited: unit }
    page.gateway.on(calls.chargeLinks.open, { ...content, charge })
    await page.open('/charge/1.abc', { as: 'guest' })
    const bill = await screen.findByRole('table')
    expect(bill.textContent).toMatch(/Input.*\$1\.000000.*Charged\$1\.000000/)
    await screen.findByText('Credited of good will:')
    expect(document.querySelector('meta[name=robots]')?.getAttribute('content')).toMatch(/noindex/)
  })

  it('to a day has its calls by model and by key, and one that has ended says so, in Chinese too', async () => {
    const lines = [{ name: 'model-9', calls: 2, amount: unit }]
    // Two keys may have one name.
    const keys = [1, 2].map(() => ({ name: 'laptop', calls: 1, amount: unit / 2 }))
    const charges = { calls: 2, amount: unit }
    const day = { from: 1_796_000_000, end: 1_796_086_400, time_zone: 'UTC', charges }
    page.gateway.on(calls.chargeLinks.open, { ...content, day: { ...day, by_model: lines, by_key: keys } })
    await page.open('/charge/1.abc', { as: 'guest', language: 'zh' })
    await screen.findByRole('heading', { name: '单日扣费' })
    const [table, byKey] = await screen.findAllByRole('table')
    expect(table?.textContent).toMatch(/按模型.*model-92\$1\.000000合计2\$1\.000000/)
    expect(byKey?.textContent).toMatch(/laptop1\$0\.500000laptop1\$0\.500000/)
    page.gateway.on(calls.chargeLinks.open, new Refusal('This link does not open any more', { status: 404 }))
    await page.open('/charge/1.abd', { as: 'guest' })
    await screen.findByText(/does not open any more/)
  })

  it('is made from the charge, and the charge is credited with one press and taken back with another', async () => {
    const { user, gateway } = page
    let credited: number | undefined
    const listed = () => ({
      ...{ items: [{ ...call, ...(credited !== undefined && { credited }) }], total: 1 },
      ...{ page: 1, page_size: 50 },
    })
    gateway.on(calls.logs.list, listed)
    gateway.on(calls.logs.stat, { quota: unit, rpm: 0, tpm: 0 })
    gateway.on(calls.logs.histogram, { step_seconds: 3600, steps: [] })
    gateway.on(calls.chargeLinks.list, [])
    gateway.on(calls.goodwill.give, () => {
      credited = unit
      return { credited: unit }
    })
    gateway.on(calls.goodwill.takeBack, () => {
      credited = undefined
      return { credited: 0 }
    })
    const path = '/charge/9.abc'
    const link = { id: 9, log_id: 7, starts_at: call.created_at, created_at: 1, expires_at: 2, path }
    gateway.on(calls.chargeLinks.create, link)
    await page.open(`/log?entry=7&at=${call.created_at}`)
    await user.click(await screen.findByRole('button', { name: 'Credit $1.00' }))
    await user.click(await screen.findByRole('button', { name: 'Take back $1.00' }))
    await screen.findByRole('button', { name: 'Credit $1.00' })
    expect(gateway.bodies(calls.goodwill.give)).toEqual([{ log_id: 7, at: call.created_at }])
    await user.click(screen.getByRole('button', { name: 'Share' }))
    const dialog = await screen.findByRole('dialog', { name: 'Share a charge' })
    await user.click(within(dialog).getByRole('radio', { name: '30 days' }))
    await user.click(within(dialog).getByRole('button', { name: 'Create link' }))
    await within(dialog).findByText(new RegExp(path))
    expect(gateway.bodies(calls.chargeLinks.create)).toMatchObject([
      { log_id: 7, at: call.created_at, days: 30 },
    ])
  })

  it('is made and revoked by the user who was charged, and by an administrator for them', async () => {
    const { user, gateway } = page
    const link = {
      id: 9,
      log_id: 7,
      starts_at: call.created_at,
      created_at: 1,
      expires_at: 2,
      path: '/charge/9.abc',
    }
    let links = [link]
    const listed = { items: [call], total: 1, page: 1, page_size: 50 }
    const revoked = () => {
      links = []
      return undefined
    }
    gateway.on(calls.logs.list, listed).on(calls.logs.listSelf, listed)
    gateway.on(calls.logs.stat, { quota: unit, rpm: 0, tpm: 0 })
    gateway.on(calls.logs.statSelf, { quota: unit, rpm: 0, tpm: 0 })
    gateway.on(calls.logs.histogram, { step_seconds: 3600, steps: [] })
    gateway.on(calls.logs.histogramSelf, { step_seconds: 3600, steps: [] })
    gateway.on(calls.chargeLinks.list, () => links).on(calls.chargeLinks.listSelf, () => links)
    gateway.on(calls.chargeLinks.createSelf, link)
    gateway.on(calls.chargeLinks.revoke, revoked).on(calls.chargeLinks.revokeSelf, revoked)
    for (const [as, revoke] of [
      [customer, calls.chargeLinks.revokeSelf],
      [rootUser, calls.chargeLinks.revoke],
    ] as const) {
      links = [link]
      await page.open(`/log?entry=7&at=${call.created_at}`, { as })
      await user.click(await screen.findByRole('button', { name: 'Share' }))
      const dialog = await screen.findByRole('dialog', { name: 'Share a charge' })
      await user.click(await within(dialog).findByRole('button', { name: 'Revoke link' }))
      await screen.findByText('Link revoked.')
      expect(gateway.sent(revoke).map(({ params }) => params)).toEqual([{ id: '9' }])
      if (as === customer) {
        await user.click(within(dialog).getByRole('button', { name: 'Create link' }))
        await within(dialog).findByText(/charge\/9\.abc/)
        expect(gateway.bodies(calls.chargeLinks.createSelf)).toEqual([
          { log_id: 7, at: call.created_at, days: 7 },
        ])
      }
    }
  })

  it('is found among the calls that cost most, by administrators and by the user who was charged', async () => {
    const { gateway } = page
    const ranked = { items: [call], complete: true, since: 0 }
    gateway.on(calls.logs.top, ranked).on(calls.logs.topSelf, ranked)
    for (const [as, ranking] of [
      [customer, calls.logs.topSelf],
      [rootUser, calls.logs.top],
    ] as const) {
      gateway.on(calls.logs.stat, { quota: unit, rpm: 0, tpm: 0 })
      gateway.on(calls.logs.statSelf, { quota: unit, rpm: 0, tpm: 0 })
      gateway.on(calls.logs.histogram, { step_seconds: 3600, steps: [] })
      gateway.on(calls.logs.histogramSelf, { step_seconds: 3600, steps: [] })
      await page.open('/log?sort=quota', { as })
      await screen.findByText(/^The hundred calls of this span that cost most/)
      await screen.findByText('model-9')
      expect(gateway.sent(ranking)[0]?.query).toMatchObject({ by: 'quota' })
    }
  })
})
