import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { SQL } from 'bun'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../../tests/support/postgres.ts'
import { until } from '../../../../../../tests/support/until.ts'
import { flushOf, newChannel, newToken, newUser, settlement, unique } from '../../contract/samples.ts'
import { openStore } from '../../engine/open/open-store.ts'
import type { Store } from '../../store.ts'

setDefaultTimeout(deadline(20_000))

/** Time in a quarter that is not the first of its hour: its row in `open_quarters` is everybody's. */
const at = 1_749_999_600 + 1000

describe.skipIf(!hasPostgres())('transactions that count a charge and move a balance', () => {
  let postgres: Postgres
  let sql: SQL
  let store: Store
  let userId: number
  let tokenId: number
  let channelId: number

  beforeAll(async () => {
    postgres = await startPostgres()
    const databaseUrl = await postgres.createDatabase()
    store = await openStore({
      databaseUrl,
      dataDir: '',
      upgradeCopy: 'none',
      logger: { warn: () => undefined },
    })
    sql = new SQL(databaseUrl, { max: 4 })
    userId = (await store.users.create(newUser())).id
    tokenId = (await store.tokens.create(newToken(userId))).id
    channelId = (await store.channels.create(newChannel())).id
    await flush()
  })
  afterAll(async () => {
    await sql?.close()
    await store?.close()
    await postgres?.stop()
  })

  const call = () => settlement(1, { userId, tokenId, channelId, createdAt: at, quota: 1 })
  const flush = () => store.ledger.flush(flushOf(unique('node'), 0, [call()]))
  const entry = (accountId: number) =>
    ({
      accountKind: 'user',
      accountId,
      cause: 'top-up',
      amount: 5,
      createdAt: at,
      actorId: 0,
      note: '',
    }) as const
  const paymentRow = () => {
    const { kind: _kind, seq: _seq, logged: _logged, ...row } = call()
    return { ...row, type: 'top-up', tokenId: 0, channelId: 0, quota: 5 } as const
  }

  async function endHold(): Promise<void> {
    const id = unique('hold')
    await store.ledger.hold({ id, accounts: [{ kind: 'user', id: userId }], amount: 5, createdAt: at })
    const { seq: _, ...charge } = call()
    expect(await store.ledger.endHold(id, at, charge)).toBe(true)
  }

  async function correct(): Promise<void> {
    const { corrections } = store
    const id = await corrections.create({
      createdAt: at,
      actorId: 1,
      actorName: 'root',
      reason: 'a wrong price',
      selection: { from: at, to: at + 1 },
      state: 'applying',
      calls: 1,
      users: 1,
      amount: 1,
      endedAt: 0,
      takenBackAt: 0,
      takenBackId: 0,
      takenBackBy: '',
      takenBackReason: '',
    })
    const sum = { userId, hour: at - (at % 900), model: 'gpt-4o', tokenId, channelId }
    await corrections.addSums(id, [{ ...sum, calls: 1, amount: 1, costedQuota: 0 }])
    const step = { id, userIds: [userId], isTakingBack: false, at, actorId: 1 }
    expect(await corrections.settle(step, async () => undefined)).toBe(true)
  }

  const imported = { hour: at, type: 'consumption', model: 'gpt-4o', count: 1, quota: 1 } as const
  const writers: Readonly<Record<string, () => Promise<unknown>>> = {
    'the flush of a call': flush,
    'a payment with its row of the log': () =>
      store.ledger.credit(entry(userId), (tx) => tx.usage.append([paymentRow()])),
    'the end of a hold with its charge': endHold,
    'a step of a correction': correct,
    'imported usage': () =>
      store.imports.addUsage({
        calls: [{ ...imported, userId, channelId, promptTokens: 1, completionTokens: 1 }],
        charges: [],
      }),
  }

  it.each(Object.keys(writers))('%s waits for the quarter before it locks an account', async (name) => {
    let writing: Promise<unknown> | undefined
    await sql.begin(async (holder) => {
      await holder`select quarter from open_quarters for update`
      writing = writers[name]?.()
      await until(async () => {
        const [{ waiting }] = await sql`select count(*)::int as waiting from pg_locks where not granted`
        return waiting > 0 || undefined
      })
      expect(await sql`select id from user_accounts where id = ${userId} for update nowait`).toHaveLength(1)
    })
    await writing
  })

  it('run once more when the server ends one of two that deadlock', async () => {
    const others = [userId, (await store.users.create(newUser())).id]
    const before = await store.ledger.balancesOf('user', others)
    let runs = 0
    const { promise: both, resolve } = Promise.withResolvers<void>()
    const credit = ([first = 0, second = 0]: readonly number[]) =>
      store.ledger.credit(entry(second), async (tx) => {
        await tx.ledger.credit(entry(first))
        runs += 1
        if (runs === 2) resolve()
        await both
      })
    await Promise.all([credit(others), credit(others.toReversed())])
    // The second run waits until the other has gone on: it does not meet it again and again.
    expect(runs).toBeGreaterThan(2)
    expect(runs).toBeLessThan(5)
    const after = await store.ledger.balancesOf('user', others)
    for (const id of others) expect((after.get(id) ?? 0) - (before.get(id) ?? 0)).toBe(10)
  })
})
