import { describe, expect, it } from 'bun:test'
import { createEventLog } from './event-log.ts'
import { usageInMemory } from './test-support/usage-in-memory.ts'

describe('event log', () => {
  it('writes rows that are not charges under their own type, at the time of the clock', async () => {
    const usage = usageInMemory()
    const log = createEventLog({ usage, clock: { now: () => 1_700_000_000_999 } })
    const ann = { userId: 4, username: 'ann' }
    await log.appendManagementLog(ann, 'quota changed')
    await log.appendSystemLog(ann, 'welcome', 50)
    await log.appendTopUpLog(ann, 'paid', 500)
    expect(usage.rows.map((row) => [row.type, row.content, row.quota])).toEqual([
      ['management', 'quota changed', 0],
      ['system', 'welcome', 50],
      ['top-up', 'paid', 500],
    ])
    expect(usage.rows[0]).toMatchObject({ userId: 4, username: 'ann', createdAt: 1_700_000_000, tokenId: 0 })
  })
})
