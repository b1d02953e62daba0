import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'
import type { Place, TestDatabase } from './place.ts'
import { flushOf, newChannel, newToken, newUser, settlement } from './samples.ts'

const hour = Date.UTC(2025, 6, 1, 9) / 1000

export function auditContract(database: TestDatabase): void {
  describe('AuditRepository', () => {
    let place: Place
    let store: Store

    beforeAll(async () => {
      place = await database.newPlace()
      store = await openStore({ ...place.config, logBlockRows: 10 })
      const { id: userId } = await store.users.create(newUser())
      const { id: tokenId } = await store.tokens.create(newToken(userId))
      const { id: channelId } = await store.channels.create(newChannel())
      const money = { cause: 'initial', createdAt: hour, actorId: 0, note: '' } as const
      await store.ledger.credit({ ...money, accountKind: 'user', accountId: userId, amount: 10_000 })
      await store.ledger.credit({ ...money, accountKind: 'token', accountId: tokenId, amount: 5000 })
      await store.ledger.credit({ ...money, accountKind: 'channel', accountId: channelId, amount: 17 })
      const calls = Array.from({ length: 35 }, (_, index) =>
        settlement(index + 1, { userId, tokenId, channelId, createdAt: hour + index * 200 }),
      )
      await store.ledger.flush(flushOf('one', 0, calls))
      await store.usage.append([{ ...settlement(1), type: 'top-up', userId, quota: 10_000 }])
      while (Number((await place.sql('select count(*) as n from log_blocks'))[0]?.['n']) < 3)
        await Bun.sleep(5)
    })
    afterAll(async () => {
      await store.close()
      await place.remove()
    })

    it('finds nothing where everything adds up', async () => {
      expect(await store.audit.findings()).toEqual([])
    })

    /** What is damaged, how it is repaired, and what the audit says. */
    const damages: readonly (readonly [damage: string, repair: string, finding: string])[] = [
      [
        'update user_accounts set quota = quota + 1',
        'update user_accounts set quota = quota - 1',
        'quota of user 1, against credits less charges: 6500, not 6501',
      ],
      [
        'update user_accounts set used_quota = 0',
        'update user_accounts set used_quota = 3500',
        'used quota of user 1, against charges: 3500, not 0',
      ],
      [
        'update user_accounts set request_count = 36',
        'update user_accounts set request_count = 35',
        'request count of user 1, against charged calls: 35, not 36',
      ],
      [
        'update token_accounts set remain_quota = 0',
        'update token_accounts set remain_quota = 1500',
        'remaining quota of token 1, against credits less charges: 1500, not 0',
      ],
      [
        'update token_accounts set used_quota = 1',
        'update token_accounts set used_quota = 3500',
        'used quota of token 1, against charges: 3500, not 1',
      ],
      [
        'update channel_accounts set used_quota = 3500',
        'update channel_accounts set used_quota = 3483',
        'used quota of channel 1, against charges less credits: 3483, not 3500',
      ],
      [
        `update usage_hourly set count = count + 1 where type = 2 and hour = ${hour}`,
        `update usage_hourly set count = count - 1 where type = 2 and hour = ${hour}`,
        'count of the hourly rollup for consumption in the hour from 2025-07-01T09:00:00.000Z, against the log: 18, not 19',
      ],
      [
        'update log_blocks set quota = quota + 5 where id = 2',
        'update log_blocks set quota = quota - 5 where id = 2',
        'quota of block 2 of the log index, against the log: 1000, not 1005',
      ],
    ]
    for (const [damage, repair, expected] of damages)
      it(`notices: ${damage}`, async () => {
        await place.sql(damage)
        const told = (await store.audit.findings()).map(
          ({ what, expected: right, found }) => `${what}: ${right}, not ${found}`,
        )
        await place.sql(repair)
        expect(told).toContain(expected)
        expect(await store.audit.findings()).toEqual([])
      })

    it('notices charges that reached one account alone', async () => {
      const kind = `account_kind = 'channel' and hour = ${hour}`
      await place.sql(`update ledger_charges set amount = amount + 2, calls = calls + 1 where ${kind}`)
      const told = (await store.audit.findings()).map(({ what }) => what)
      await place.sql(`update ledger_charges set amount = amount - 2, calls = calls - 1 where ${kind}`)
      expect(told).toEqual([
        'used quota of channel 1, against charges less credits',
        'quota charged to channels in the hour from 2025-07-01T09:00:00.000Z, against users',
        'calls charged to channels in the hour from 2025-07-01T09:00:00.000Z, against users',
      ])
    })
  })
}
