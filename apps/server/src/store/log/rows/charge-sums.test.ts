import { describe, expect, it } from 'bun:test'
import { settlement } from '../../contract/samples.ts'
import { ChargeSums } from './charge-sums.ts'

describe('ChargeSums', () => {
  it('adds up per account and quarter hour, and leaves out calls without a token and costs that are not known', () => {
    const sums = new ChargeSums()
    sums.add([
      settlement(1, { createdAt: 3600, userId: 1, tokenId: 4, channelId: 7, quota: 10, cost: 6 }),
      settlement(2, { createdAt: 4499, userId: 1, tokenId: 0, channelId: 8, quota: 5 }),
      settlement(3, { createdAt: 7200, userId: 1, tokenId: 4, channelId: 7, quota: 1, cost: 3 }),
    ])
    const total = sums.total()
    const { byStart } = sums
    expect([...total.user.values()]).toEqual([
      { id: 1, quota: 16, calls: 3, at: 7200, cost: 9, costedQuota: 11, costedCalls: 2 },
    ])
    expect([...total.token.values()]).toEqual([
      { id: 4, quota: 11, calls: 2, at: 7200, cost: 9, costedQuota: 11, costedCalls: 2 },
    ])
    expect(total.channel.size).toBe(2)
    expect([...byStart.keys()]).toEqual([3600, 7200])
    expect(byStart.get(3600)?.user.get(1)).toEqual({
      id: 1,
      quota: 15,
      calls: 2,
      at: 4499,
      cost: 6,
      costedQuota: 10,
      costedCalls: 1,
    })
  })

  it('refuses to round', () => {
    const quota = Number.MAX_SAFE_INTEGER
    expect(() => new ChargeSums().add([settlement(1, { quota }), settlement(2, { quota })])).toThrow(
      RangeError,
    )
  })
})
