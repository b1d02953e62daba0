import { describe, expect, it } from 'bun:test'
import { createEventLog } from './event-log.ts'
import { usageInMemory } from './test-support/usage-in-memory.ts'

describe('event log', () => {
  it('writes rows that are not charges under their own type, at the time of the clock, with the code of what happened', async () => {
    const usage = usageInMemory()
    const log = createEventLog({ usage, clock: { now: () => 1_700_000_000_999 } })
    const ann = { userId: 4, username: 'ann' }
    const params = { actor: { id: 1, name: 'root' }, change: 5, balance: 15 }
    await log.appendManagementLog(ann, { event: 'quota_changed', params })
    await log.appendSystemLog(ann, { event: 'gift_new_account', params: { quota: 50 } }, 50)
    await log.appendTopUpLog(ann, { event: 'code_redeemed', params: { quota: 500, code: 1 } }, 500)
    expect(usage.rows.map((row) => [row.type, JSON.parse(row.other), row.quota])).toEqual([
      ['management', { event: 'quota_changed', params }, 0],
      ['system', { event: 'gift_new_account', params: { quota: 50 } }, 50],
      ['top-up', { event: 'code_redeemed', params: { quota: 500, code: 1 } }, 500],
    ])
    expect(usage.rows.map(({ content }) => content)).toEqual([
      'root (id 1) changed the quota by 5 to 15',
      'Gift for a new account: 50 points of quota',
      'Redeemed 500 points of quota, code id 1',
    ])
    expect(usage.rows[0]).toMatchObject({ userId: 4, username: 'ann', createdAt: 1_700_000_000, tokenId: 0 })
  })
})
