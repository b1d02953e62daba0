import { expect, it } from 'bun:test'
import { type AuditRecordRow, calls } from '@tollgate/api'
import {
  describePage,
  type PageTest,
  Refusal,
  screen,
  waitFor,
  within,
} from '../../test-support/render-page.tsx'

const load = () => import('./page.tsx')
const frozen: AuditRecordRow = {
  id: 31,
  created_at: 1_800_000_000,
  actor_id: 1,
  actor_name: 'root',
  actor_role: 100,
  address: '127.0.0.1',
  action: 'token.freeze',
  target_kind: 'token',
  target_id: 7,
  target_name: 'laptop',
  before: '{"frozen":false}',
  after: '{"frozen":true}',
  reverts: 0,
  reverted_by: 0,
}
const undo: AuditRecordRow = { ...frozen, id: 32, action: 'token.unfreeze', reverts: 31 }

function serve({ gateway }: PageTest, items: readonly AuditRecordRow[]): void {
  gateway.on(calls.auditLog.list, { items: [...items], total: items.length, page: 1, page_size: 20 })
  gateway.on(calls.auditLog.get, ({ params }) => items.find(({ id }) => id === Number(params.id)) ?? frozen)
  gateway.on(calls.logs.histogram, { step_seconds: 3600, steps: [] })
}
const sheet = async () => within(await screen.findByRole('dialog'))

describePage('a record of the audit log', load, (page) => {
  it('is reverted from its sheet, and says why it was not', async () => {
    serve(page, [frozen])
    page.gateway.on(calls.auditLog.revert, new Refusal('It was changed again since'))
    await page.open('/audit?record=31')
    await page.press('Revert', await sheet())
    await page.reads('It was changed again since')
    page.gateway.on(calls.auditLog.revert, undefined)
    await page.press('Revert', await sheet())
    await page.reads('Change reverted')
    expect(page.gateway.sent(calls.auditLog.revert)[0]?.params).toEqual({ id: '31' })
  })

  it('that changes prices or switches a channel off asks before it is reverted, and leads back', async () => {
    const price = { action: 'model.price', target_kind: 'model', target_name: 'house', before: '{}' } as const
    const raised: AuditRecordRow = { ...frozen, ...price, id: 41, target_id: 0 }
    const enabled: AuditRecordRow = { ...frozen, action: 'channel.enable', target_kind: 'channel', id: 42 }
    const back: AuditRecordRow = { ...raised, id: 43, reverts: 41 }
    serve(page, [back, raised, enabled])
    const used = { calls: 9, users: 2, attempts: 0 }
    page.gateway
      .on(calls.auditLog.revert, undefined)
      .on(calls.channels.stops, ({ body }) =>
        body.record === 41
          ? { models: [], model_count: 0, ...used, spend: { before: 500_000, after: 1_000_000 } }
          : { models: [{ model: 'house', groups: ['default'] }], model_count: 1, ...used },
      )
    const asked = async (id: number, sentence: RegExp) => {
      await page.open(`/audit?record=${id}`)
      await page.press('Revert', await sheet())
      const question = within(await screen.findByRole('alertdialog', { name: 'Revert this change?' }))
      await question.findByText(sentence)
      expect(page.gateway.sent(calls.auditLog.revert)).toEqual([])
      return question
    }
    await page.press('Cancel', await asked(42, /no other channel/i))
    await page.press('Revert', await asked(41, /it would be about \$1\.00 more an hour/))
    await page.reads('Change reverted')
    await page.press('Undo')
    await waitFor(() =>
      expect(page.gateway.sent(calls.auditLog.revert).map(({ params }) => params['id'])).toEqual([
        '41',
        '43',
      ]),
    )
    expect(page.gateway.bodies(calls.channels.stops)).toEqual([{ record: 42 }, { record: 41 }])
  })

  it('that was reverted leads to the one that did, which leads back, and offers it no more', async () => {
    serve(page, [undo, { ...frozen, reverted_by: 32 }])
    await page.open('/audit?record=31')
    const link = await (await sheet()).findByRole('link', { name: '#32' })
    expect(screen.queryByRole('button', { name: 'Revert' })).toBeNull()
    await page.user.click(link)
    await waitFor(() => expect(page.address).toContain('record=32'))
    await (await sheet()).findByRole('link', { name: '#31' })
  })
})
