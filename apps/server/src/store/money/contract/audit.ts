import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import type { TestDatabase, TestStore } from '../../contract/place.ts'
import {
  flushOf,
  newChannel,
  newRedemption,
  newToken,
  newTopUpOrder,
  newUser,
  settlement,
} from '../../contract/samples.ts'
import { openStore } from '../../engine/open/open-store.ts'
import { takeOverAll } from '../../log/contract/log-samples.ts'
import type { Store } from '../../store.ts'

const hour = Date.UTC(2025, 6, 1, 9) / 1000

export function auditContract(database: TestDatabase): void {
  describe('AuditRepository', () => {
    let testStore: TestStore
    let store: Store

    beforeAll(async () => {
      testStore = await database.createTestStore()
      store = await openStore({ ...testStore.config, logBlockRows: 10, logSpanBlocks: 3 })
      const { id: userId } = await store.users.create(newUser())
      const { id: tokenId } = await store.tokens.create(newToken(userId))
      const { id: channelId } = await store.channels.create(newChannel())
      const money = { cause: 'initial', createdAt: hour, actorId: 0, note: '' } as const
      await store.ledger.credit({ ...money, accountKind: 'user', accountId: userId, amount: 10_000 })
      await store.ledger.credit({ ...money, accountKind: 'token', accountId: tokenId, amount: 5000 })
      await store.ledger.credit({ ...money, accountKind: 'channel', accountId: channelId, amount: 17 })
      const calls = Array.from({ length: 35 }, (_, index) =>
        settlement(index + 1, {
          userId,
          tokenId,
          channelId,
          createdAt: hour + index * 200,
          ...(index % 2 === 0 && { cost: 60 }),
        }),
      )
      await store.ledger.flush(flushOf('one', 0, calls))
      const unlogged = settlement(36, {
        userId,
        tokenId,
        channelId,
        createdAt: hour + 3 * 3600,
        logged: false,
        cost: 60,
      })
      await store.ledger.flush(flushOf('one', 35, [unlogged]))
      await store.usage.append([{ ...settlement(1), type: 'top-up', userId, quota: 10_000 }])
      await redeemAndPay(store, userId)
      await takeOverAll(store)
      while (Number((await testStore.sql('select count(*) as n from log_spans'))[0]?.['n']) < 1)
        await Bun.sleep(5)
    })
    afterAll(async () => {
      await store.close()
      await testStore.remove()
    })

    it('finds nothing in consistent data', async () => {
      expect(await store.audit.findings()).toEqual([])
    })

    /** The damage, its repair, and the finding of the audit. */
    const damages: readonly (readonly [damage: string, repair: string, finding: string])[] = [
      [
        'update user_accounts set quota = quota + 1',
        'update user_accounts set quota = quota - 1',
        'quota of user 1, against credits less charges: 6455, not 6456',
      ],
      [
        'update user_accounts set used_quota = 0',
        'update user_accounts set used_quota = 3600',
        'used quota of user 1, against charges: 3600, not 0',
      ],
      [
        'update user_accounts set request_count = 37',
        'update user_accounts set request_count = 36',
        'request count of user 1, against charged calls: 36, not 37',
      ],
      [
        'update token_accounts set remain_quota = 0',
        'update token_accounts set remain_quota = 1400',
        'remaining quota of token 1, against credits less charges: 1400, not 0',
      ],
      [
        'update token_accounts set used_quota = 1',
        'update token_accounts set used_quota = 3600',
        'used quota of token 1, against charges: 3600, not 1',
      ],
      [
        'update channel_accounts set used_quota = 3500',
        'update channel_accounts set used_quota = 3583',
        'used quota of channel 1, against charges less credits: 3583, not 3500',
      ],
      [
        `update usage_hourly set count = count + 1 where type = 2 and hour = ${hour}`,
        `update usage_hourly set count = count - 1 where type = 2 and hour = ${hour}`,
        'count of the hourly rollup for consumption of gpt-4o by user 1 in the hour from 2025-07-01T09:00:00.000Z, against the log: 18, not 19',
      ],
      [
        'update logs set user_id = 77 where id = 1',
        'update logs set user_id = 1 where id = 1',
        'quota of the hourly rollup for consumption of gpt-4o by user 77 in the hour from 2025-07-01T09:00:00.000Z, against the log: 100, not 0',
      ],
      [
        `update logs set model = 'o3' where id = 1`,
        `update logs set model = 'gpt-4o' where id = 1`,
        'count of the hourly rollup for consumption of o3 by user 1 in the hour from 2025-07-01T09:00:00.000Z, against the log: 1, not 0',
      ],
      [
        'update logs set token_id = 77 where id = 1',
        'update logs set token_id = 1 where id = 1',
        'quota charged to token 1 in the hour from 2025-07-01T09:00:00.000Z, against the log: 1700, not 1800',
      ],
      [
        'update logs set channel_id = 77 where id = 1',
        'update logs set channel_id = 1 where id = 1',
        'calls charged to channel 77 in the hour from 2025-07-01T09:00:00.000Z, against the log: 1, not 0',
      ],
      [
        `update ledger_charges set calls = calls + 1 where account_kind = 'token' and hour = ${hour}`,
        `update ledger_charges set calls = calls - 1 where account_kind = 'token' and hour = ${hour}`,
        'calls charged to token 1 in the hour from 2025-07-01T09:00:00.000Z, against the log: 18, not 19',
      ],
      [
        'update logs set cost = null where id = 1',
        'update logs set cost = 60 where id = 1',
        'cost charged to token 1 in the hour from 2025-07-01T09:00:00.000Z, against the log: 480, not 540',
      ],
      [
        `update ledger_charges set cost = cost + 1 where account_kind = 'channel' and hour = ${hour}`,
        `update ledger_charges set cost = cost - 1 where account_kind = 'channel' and hour = ${hour}`,
        'cost charged to channel 1 in the hour from 2025-07-01T09:00:00.000Z, against the log: 540, not 541',
      ],
      [
        `update usage_by_model set costed_quota = 0 where type = 2 and hour = ${hour}`,
        `update usage_by_model set costed_quota = 900 where type = 2 and hour = ${hour}`,
        'costed quota of the rollup by model for consumption of gpt-4o in the hour from 2025-07-01T09:00:00.000Z, against the rollup by user: 900, not 0',
      ],
      [
        `update unlogged_charges set amount = amount + 1 where account_kind = 'channel'`,
        `update unlogged_charges set amount = amount - 1 where account_kind = 'channel'`,
        'quota charged to channel 1 in the hour from 2025-07-01T12:00:00.000Z, against the log: 101, not 100',
      ],
      [
        `update ledger_entries set note = 'gone' where cause = 'redemption'`,
        `update ledger_entries set note = '1' where cause = 'redemption'`,
        'credits of user 1 for redemption code 1, against the redemption code: 1, not 0',
      ],
      [
        'update redemptions set used_user_id = 77',
        'update redemptions set used_user_id = 1',
        'quota of user 77 for redemption code 1, against the redemption code: 20, not 0',
      ],
      [
        `update top_up_orders set status = 'pending'`,
        `update top_up_orders set status = 'success'`,
        'credits of user 1 for order USR1NOpaid, against the order: 0, not 1',
      ],
      [
        'update top_up_orders set quota = 51',
        'update top_up_orders set quota = 50',
        'quota of user 1 for order USR1NOpaid, against the order: 51, not 50',
      ],
      [
        'update top_up_orders set refunded_quota = 11',
        'update top_up_orders set refunded_quota = 10',
        'quota of user 1 for the refund of order USR1NOpaid, against the order: -11, not -10',
      ],
      [
        `update ledger_entries set amount = -6 where cause = 'dispute'`,
        `update ledger_entries set amount = -5 where cause = 'dispute'`,
        'quota of user 1 for the dispute of order USR1NOpaid, against the order: -5, not -6',
      ],
      [
        'update log_blocks set quota = quota + 5 where id = 2',
        'update log_blocks set quota = quota - 5 where id = 2',
        'quota of block 2 of the log index, against the log: 1000, not 1005',
      ],
      [
        'update log_spans set count = count + 1',
        'update log_spans set count = count - 1',
        'count of span 1 of the log index, against its blocks: 30, not 31',
      ],
    ]
    for (const [damage, repair, expected] of damages)
      it(`notices: ${damage}`, async () => {
        await testStore.sql(damage)
        const reported = (await store.audit.findings()).map(
          ({ what, expected: right, found }) => `${what}: ${right}, not ${found}`,
        )
        await testStore.sql(repair)
        expect(reported).toContain(expected)
        expect(await store.audit.findings()).toEqual([])
      })

    it('notices calls that were added to a user and to every counter', async () => {
      const change = (by: string) => [
        `update user_accounts set request_count = request_count ${by}`,
        `update ledger_charges set calls = calls ${by} where account_kind in ('user', 'channel') and hour = ${hour}`,
      ]
      for (const damage of change('+ 1')) await testStore.sql(damage)
      const reported = (await store.audit.findings()).map(({ what }) => what)
      for (const repair of change('- 1')) await testStore.sql(repair)
      expect(reported).toEqual([
        'calls charged to user 1 in the hour from 2025-07-01T09:00:00.000Z, against the hourly rollup',
        'calls charged to channel 1 in the hour from 2025-07-01T09:00:00.000Z, against the log',
      ])
    })

    it('notices charges that reached only one account', async () => {
      const kind = `account_kind = 'channel' and hour = ${hour}`
      await testStore.sql(`update ledger_charges set amount = amount + 2, calls = calls + 1 where ${kind}`)
      const reported = (await store.audit.findings()).map(({ what }) => what)
      await testStore.sql(`update ledger_charges set amount = amount - 2, calls = calls - 1 where ${kind}`)
      expect(reported).toEqual([
        'used quota of channel 1, against charges less credits',
        'quota charged to channels in the hour from 2025-07-01T09:00:00.000Z, against users',
        'calls charged to channels in the hour from 2025-07-01T09:00:00.000Z, against users',
        'quota charged to channel 1 in the hour from 2025-07-01T09:00:00.000Z, against the log',
        'calls charged to channel 1 in the hour from 2025-07-01T09:00:00.000Z, against the log',
      ])
    })
  })
}

/** A code worth 20 and an order worth 50, of which 10 are refunded and 5 disputed. */
async function redeemAndPay(store: Store, userId: number): Promise<void> {
  const [code] = await store.redemptions.createMany([newRedemption({ quota: 20 })])
  const order = await store.topUpOrders.create(newTopUpOrder({ userId, tradeNo: 'USR1NOpaid', quota: 50 }))
  if (code === undefined) throw new Error('no code was created')
  await store.redemptions.markUsed(code, userId, hour)
  await store.topUpOrders.markPaid(order.id, { at: hour })
  const money = { accountKind: 'user', accountId: userId, createdAt: hour, actorId: 0 } as const
  await store.ledger.credit({ ...money, cause: 'redemption', amount: 20, note: String(code.id) })
  await store.ledger.credit({ ...money, cause: 'top-up', amount: 50, note: order.tradeNo })
  await store.topUpOrders.markReversed(order, {
    refundedQuota: 10,
    disputedQuota: 5,
    reversal: 'disputed',
    ...{ refundedMinor: 1, disputedMinor: 1, handRefundedMinor: 0 },
  })
  await store.ledger.credit({ ...money, cause: 'refund', amount: -10, note: order.tradeNo })
  await store.ledger.credit({ ...money, cause: 'dispute', amount: -5, note: order.tradeNo })
}
