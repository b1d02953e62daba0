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
