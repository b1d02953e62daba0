import { describe, expect, it } from 'bun:test'
import { logRow } from '../../records/logs/test-support/usage-in-memory.ts'
import type { LogRow } from '../../store/log/index/log-row.ts'
import { type Redaction, usageRecord } from './usage-record.ts'

const plain: Redaction = { leaveOut: [], hash: [], content: false, hashOf: (text) => `#${text}` }
const row: LogRow = {
  id: 7,
  ...logRow({
    createdAt: 1_800_000_000,
    type: 'consumption',
    userId: 3,
    username: 'ann',
    quota: 1,
    other: '{"model_ratio":1}',
    content: 'Model ratio 1',
  }),
  cost: 250_000,
}

describe('a record of usage', () => {
  it('says what was called, charged and spent, to the unit', () => {
    expect(usageRecord(row, 500_000, plain)).toMatchObject({
      id: 7,
      time: '2027-01-15T08:00:00.000Z',
      kind: 'charge',
      user_id: 3,
      username: 'ann',
      quota: 1,
      amount: '0.000002',
      cost: '0.5',
      details: { model_ratio: 1 },
    })
  })

  it('has no sentence of the log unless it is asked for', () => {
    expect(usageRecord(row, 500_000, plain)).not.toHaveProperty('content')
    expect(usageRecord(row, 500_000, { ...plain, content: true }).content).toBe('Model ratio 1')
  })

  it("has no words of upstreams at the attempts unless it is asked for the log's sentences", () => {
    const other = '{"admin_info":{"use_channel":["1"],"attempts":[{"channel":1,"said":"no credit"}]}}'
    const reported = (content: boolean) =>
      JSON.stringify(usageRecord({ ...row, other }, 500_000, { ...plain, content }).details)
    expect(reported(false)).toBe('{"admin_info":{"use_channel":["1"],"attempts":[{"channel":1}]}}')
    expect(reported(true)).toBe(other)
  })

  it('leaves fields out, and hashes others, each for itself', () => {
    const redacted = usageRecord(row, 500_000, {
      ...plain,
      leaveOut: ['details', 'cost', 'key_name'],
      hash: ['username', 'user_id'],
    })
    expect(redacted).toMatchObject({ username: '#username:ann', user_id: '#user_id:3' })
    for (const name of ['details', 'cost', 'key_name']) expect(redacted).not.toHaveProperty(name)
  })

  it('goes without details that are no JSON, and without a cost that is not known', () => {
    const odd = usageRecord({ ...row, other: '{', cost: null }, 500_000, plain)
    expect(odd).not.toHaveProperty('details')
    expect(odd).not.toHaveProperty('cost')
  })
})
