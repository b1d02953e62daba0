import { beforeEach, describe, expect, it } from 'bun:test'
import type { TestStore } from '../../contract/place.ts'
import { rejection } from '../../contract/rejection.ts'
import { flushOf, newChannel, newToken, newUser, settlement, unique } from '../../contract/samples.ts'
import { openStore } from '../../engine/open/open-store.ts'
import { AccountUnknownError, BalanceRangeError, JournalPositionError } from '../../errors.ts'
import type { AccountKind } from '../../settlement.ts'
import type { Store } from '../../store.ts'

const fiveBillion = 5_000_000_000

export function ledgerContract(store: () => Store, location: () => TestStore): void {
  describe('LedgerRepository', () => {
    let userId = 0
    let tokenId = 0
    let channelId = 0
    let node = ''

    beforeEach(async () => {
      userId = (await store().users.create(newUser())).id
      tokenId = (await store().tokens.create(newToken(userId))).id
      channelId = (await store().channels.create(newChannel())).id
      node = unique('node')
    })

    const credit = (accountKind: AccountKind, accountId: number, amount: number) =>
      store().ledger.credit({
        accountKind,
        accountId,
        cause: 'admin-change',
        amount,
        createdAt: 1,
        actorId: 9,
        note: 'a note',
      })
    const paid = (seq: number, change = {}) => settlement(seq, { userId, tokenId, channelId, ...change })
    const flush = (after: number, ...settlements: ReturnType<typeof paid>[]) =>
      store().ledger.flush(flushOf(node, after, settlements))
    const count = async (table: string) =>
      Number((await location().sql(`select count(*) as n from ${table}`))[0]?.['n'])

    it('knows an entry by the start that numbered it, whatever node brings it again and however late', async () => {
      const run = unique('run')
      const bring = (as: string, after: number, ...seqs: number[]) => {
        const request = flushOf(
          as,
          after,
          seqs.map((seq) => paid(seq, { quota: 5 })),
        )
        const [first = 0] = seqs
        const last = seqs.at(-1) ?? 0
        return store().ledger.flush({
          ...request,
          last: Math.max(after, last),
          spans: [{ run, first, last }],
        })
      }
      await bring(node, 0, 1, 2)
      await bring(node, 2, 3)
      await bring(node, 3, 7, 8)
      expect(await store().ledger.journalSpans([run])).toEqual([
        { run, first: 1, last: 3 },
        { run, first: 7, last: 8 },
      ])
      const other = unique('node')
      for (const again of [
        () => bring(other, 0, 1, 2, 3),
        () => bring(other, 0, 3, 4),
        () => bring(node, 8, 8),
      ])
        expect(await rejection(again())).toBeInstanceOf(JournalPositionError)
      expect(await store().ledger.journalPosition(other)).toBe(0)
      // Found late, behind the position.
      await bring(node, 8, 4, 5, 6)
      expect(await store().ledger.journalPosition(node)).toBe(8)
      expect(await rejection(bring(node, 8, 5))).toBeInstanceOf(JournalPositionError)
      expect((await store().channels.find(channelId))?.usedQuota).toBe(40)
      expect(await store().ledger.journalSpans([unique('unknown')])).toEqual([])
      expect(await store().ledger.journalSpans([])).toEqual([])
    })

    it('keeps a finding of a journal once, however many starts find it', async () => {
      const finding = {
        id: unique('loss'),
        node,
        kind: 'damage',
        files: '0001.journal.damaged-1',
        atLeast: 1,
        atMost: 3,
        foundAt: 4_000_000_000,
      } as const
      expect(await store().journalFindings.add([finding])).toEqual([finding])
      expect(await store().journalFindings.add([{ ...finding, foundAt: 4_000_000_001 }])).toEqual([])
      expect(await store().journalFindings.listSince(4_000_000_000)).toEqual([finding])
      expect(await store().journalFindings.listSince(4_000_000_001)).toEqual([])
    })

    it('commits a credit together with its cause, or neither', async () => {
      const inTransaction = (name: string, fails: boolean) => async (tx: Store) => {
        await tx.users.update(userId, { displayName: name })
        if (fails) throw new Error('the code was used')
      }
      const entry = {
        accountKind: 'user' as const,
        accountId: userId,
        cause: 'admin-change' as const,
        amount: 5,
        createdAt: 1,
        actorId: 9,
        note: '',
      }
      const refused = store().ledger.credit(entry, inTransaction('refused', true))
      expect(await rejection(refused)).toEqual(new Error('the code was used'))
      expect(await store().users.find(userId)).toMatchObject({ displayName: 'Ann', quota: 0 })
      expect(await store().ledger.credit(entry, inTransaction('done', false))).toBe(5)
      expect(await store().users.find(userId)).toMatchObject({ displayName: 'done', quota: 5 })
    })

    it('gives out no id up to those of calls whose accounts it does not have', async () => {
      const ids = {
        user: new Set([userId, userId + 40]),
        token: new Set([0, tokenId + 7]),
        channel: new Set([channelId]),
      }
      expect(await store().ledger.passAccountIds(ids)).toBe(2)
      expect((await store().users.create(newUser())).id).toBeGreaterThan(userId + 40)
      expect((await store().tokens.create(newToken(userId))).id).toBeGreaterThan(tokenId + 7)
      expect((await store().channels.create(newChannel())).id).toBeGreaterThan(channelId)
    })

    it('credits each kind of account and returns the new balance, beyond 32 bits', async () => {
      expect(await credit('user', userId, fiveBillion)).toBe(fiveBillion)
      expect(await credit('user', userId, -1)).toBe(fiveBillion - 1)
      expect(await credit('token', tokenId, 7)).toBe(7)
      expect(await credit('channel', channelId, 3)).toBe(3)
      expect(await store().ledger.balanceOf('user', userId)).toBe(fiveBillion - 1)
      expect(await store().ledger.balanceOf('token', tokenId)).toBe(7)
      expect(await store().ledger.balanceOf('channel', channelId)).toBe(3)
      expect((await store().channels.find(channelId))?.usedQuota).toBe(-3)
      expect(await store().ledger.balanceOf('user', 987_654)).toBeUndefined()
      const other = (await store().users.create(newUser())).id
      expect(await store().ledger.balancesOf('user', [other, 987_654, userId])).toEqual(
        new Map([
          [userId, fiveBillion - 1],
          [other, 0],
        ]),
      )
    })

    it('sets a balance with the difference to it, by what the node has paid for', async () => {
      await credit('user', userId, 100)
      await flush(0, paid(1, { quota: 30 }))
      const entry = {
        accountKind: 'user',
        accountId: userId,
        cause: 'admin-change',
        createdAt: 1,
        actorId: 9,
        note: '',
      } as const
      const set = { node, balanceAt: (position: number) => 50 + position }
      expect(await store().ledger.setBalance(entry, set)).toBe(51)
      expect(await store().ledger.list('user', userId, 1)).toMatchObject([{ amount: -19 }])
      const missing = store().ledger.setBalance({ ...entry, accountId: 987_654 }, set)
      expect(await rejection(missing)).toBeInstanceOf(AccountUnknownError)
    })

    it('stores an entry per credit, and lists them newest first', async () => {
      await credit('user', userId, 10)
      await credit('user', userId, -4)
      const [newest, oldest, ...others] = await store().ledger.list('user', userId, 9)
      expect(others).toEqual([])
      expect(newest).toMatchObject({ amount: -4, cause: 'admin-change', actorId: 9, note: 'a note' })
      expect(oldest).toMatchObject({ accountKind: 'user', accountId: userId, amount: 10, createdAt: 1 })
      expect(await store().ledger.list('user', userId, 1)).toEqual([newest as NonNullable<typeof newest>])
    })

    it("syncs a credit to the disk, whatever the server's default", async () => {
      if (store().kind !== 'postgres') return
      const elsewhere = await openRelaxed(location())
      try {
        const { id } = await elsewhere.users.create(newUser())
        await location().sql(`create table seen (setting text)`)
        await location().sql(`create function see() returns trigger language plpgsql as
          $$ begin insert into seen values (current_setting('synchronous_commit')); return new; end $$`)
        await location().sql(`create trigger seeing after insert on ledger_entries execute function see()`)
        const money = {
          accountKind: 'user',
          cause: 'admin-change',
          createdAt: 1,
          actorId: 0,
          note: '',
        } as const
        await elsewhere.ledger.credit({ ...money, accountId: id, amount: 5 })
        await elsewhere.transaction((tx) => tx.ledger.credit({ ...money, accountId: id, amount: 5 }))
        expect(await location().sql('select setting from seen')).toEqual([
          { setting: 'on' },
          { setting: 'on' },
        ])
      } finally {
        await location().sql('drop function see cascade')
        await location().sql('drop table seen')
        await elsewhere.close()
      }
    })

    it('refuses to credit a missing account', async () => {
      const entries = await count('ledger_entries')
      expect(await rejection(credit('token', 987_654, 10))).toBeInstanceOf(AccountUnknownError)
      expect(await count('ledger_entries')).toBe(entries)
    })

    it('never rounds: a balance beyond what a number holds is an error, and nothing is changed', async () => {
      const max = Number.MAX_SAFE_INTEGER
      for (const kind of ['user', 'token', 'channel'] as const) {
        const id = { user: userId, token: tokenId, channel: channelId }[kind]
        const before = (await store().ledger.balanceOf(kind, id)) ?? 0
        await credit(kind, id, max - before)
        const entries = await count('ledger_entries')
        for (const amount of [1, 10, max, 2 * max])
          expect(await rejection(credit(kind, id, amount))).toBeInstanceOf(BalanceRangeError)
        expect(await store().ledger.balanceOf(kind, id)).toBe(max)
        await credit(kind, id, -max)
        await credit(kind, id, -max)
        expect(await rejection(credit(kind, id, -1))).toBeInstanceOf(BalanceRangeError)
        expect(await count('ledger_entries')).toBe(entries + 2)
        await credit(kind, id, max)
        await credit(kind, id, before)
      }
    })

    it('keeps the room that open holds need to come back', async () => {
      const max = Number.MAX_SAFE_INTEGER
      await credit('user', userId, max)
      const hold = {
        id: unique('room'),
        accounts: [{ kind: 'user', id: userId }],
        amount: 100,
        createdAt: 1,
      } as const
      await store().ledger.hold(hold)
      expect(await rejection(credit('user', userId, 1))).toBeInstanceOf(BalanceRangeError)
      await store().ledger.endHold(hold.id, 2)
      expect(await store().ledger.balanceOf('user', userId)).toBe(max)
      await credit('user', userId, -max)
    })

    it('never lets the earnings of invitations pass what a number holds', async () => {
      await store().users.addInvitation(userId, Number.MAX_SAFE_INTEGER)
      expect(await rejection(store().users.addInvitation(userId, 1))).toBeInstanceOf(BalanceRangeError)
      expect((await store().users.find(userId))?.affCount).toBe(1)
      expect(await store().users.addInvitationQuota(userId, -5)).toBe(true)
      expect(await store().users.addInvitation(987_654, 1)).toBe(false)
    })

    it('adds concurrent credits up', async () => {
      await Promise.all(Array.from({ length: 20 }, () => credit('user', userId, 5)))
      expect(await store().ledger.balanceOf('user', userId)).toBe(100)
    })

    it('flushes charges into every counter, rollup and row, and moves the position', async () => {
      await credit('user', userId, 1000)
      await flush(
        0,
        paid(1, { quota: 100, createdAt: 7200 }),
        paid(2, { quota: 30, createdAt: 7300 }),
        paid(3, { quota: 5, tokenId: 0, createdAt: 10_800 }),
      )
      expect(await store().ledger.journalPosition(node)).toBe(3)
      expect(await store().users.find(userId)).toMatchObject({ quota: 865, usedQuota: 135, requestCount: 3 })
      expect(await store().tokens.find(tokenId)).toMatchObject({
        remainQuota: -130,
        usedQuota: 130,
        accessedAt: 1_750_000_000,
      })
      expect((await store().channels.find(channelId))?.usedQuota).toBe(135)
      const charges = await location().sql(
        `select hour - hour % 3600 as start, account_kind as kind, sum(amount) as amount, sum(calls) as calls from ledger_charges
          where (account_kind = 'user' and account_id = ${userId}) or (account_kind = 'token' and account_id = ${tokenId})
          group by 1, 2 order by account_kind, start`,
      )
      expect(
        charges.map(({ start, kind, amount, calls }) => [kind, ...[start, amount, calls].map(Number)]),
      ).toEqual([
        ['token', 7200, 130, 2],
        ['user', 7200, 130, 2],
        ['user', 10_800, 5, 1],
      ])
      const { rows, total } = await store().usage.page({ userId }, 1, 10)
      expect(total).toBe(3)
      const {
        seq: _seq,
        kind: type,
        logged: _logged,
        ...newest
      } = paid(3, { quota: 5, tokenId: 0, createdAt: 10_800 })
      expect(rows[0]).toEqual({ ...newest, cost: null, id: rows[0]?.id ?? 0, type })
    })

    it('stores the latest use of a token', async () => {
      await flush(0, paid(1, { createdAt: 1_800_000_000 }))
      await flush(1, paid(2, { createdAt: 1_790_000_000 }))
      expect((await store().tokens.find(tokenId))?.accessedAt).toBe(1_800_000_000)
    })

    it('charges without a row when logging is off', async () => {
      await flush(0, paid(1, { logged: false, quota: 40 }))
      expect(await store().ledger.balanceOf('user', userId)).toBe(-40)
      expect(await store().usage.page({ userId }, 1, 10)).toEqual({ rows: [], total: 0 })
      expect(await store().usage.sumQuota({ userId })).toBe(0)
    })

    it('gives a failed call a row, and counts it as a failure alone', async () => {
      const failed = { kind: 'error', quota: 0, createdAt: 7200, requestId: unique('failed') } as const
      await flush(0, paid(1, { quota: 100, createdAt: 7200 }), paid(2, failed), paid(3, failed))
      expect(await store().users.find(userId)).toMatchObject({ quota: -100, usedQuota: 100, requestCount: 1 })
      expect((await store().channels.find(channelId))?.usedQuota).toBe(100)
      const { rows, total } = await store().usage.page({ userId, type: 'error' }, 1, 10)
      expect(total).toBe(2)
      expect(rows[0]).toMatchObject({ type: 'error', requestId: failed.requestId, quota: 0 })
      expect((await store().usage.page({ userId }, 1, 10)).total).toBe(3)
      expect(await store().usage.recent({ userId }, 0)).toEqual({ requests: 1, tokens: 15 })
      const rollup = await location().sql(
        `select type, count from usage_hourly where user_id = ${userId} order by type`,
      )
      expect(rollup.map(({ type, count: calls }) => [type, calls].map(Number))).toEqual([
        [2, 1],
        [5, 2],
      ])
      const charged = await location().sql(
        `select sum(calls) as n from ledger_charges where account_kind = 'user' and account_id = ${userId}`,
      )
      expect(Number(charged[0]?.['n'])).toBe(1)
      expect((await store().audit.findings()).filter(({ what }) => what.includes('rollup'))).toEqual([])
    })

    it('flushes failed calls alone', async () => {
      await flush(0, paid(1, { kind: 'error', quota: 0 }))
      expect(await store().ledger.journalPosition(node)).toBe(1)
      expect((await store().usage.page({ userId }, 1, 10)).total).toBe(1)
    })

    it('flushes a batch exactly once', async () => {
      await flush(0, paid(1), paid(2))
      expect(await rejection(flush(0, paid(1), paid(2)))).toBeInstanceOf(JournalPositionError)
      expect(await rejection(flush(1, paid(2)))).toBeInstanceOf(JournalPositionError)
      expect(await rejection(flush(5, paid(6)))).toBeInstanceOf(JournalPositionError)
      expect(await store().ledger.balanceOf('user', userId)).toBe(-200)
      expect(await store().ledger.journalPosition(node)).toBe(2)
      expect((await store().usage.page({ userId }, 1, 10)).total).toBe(2)
    })

    it('has one winner when two flushes of one batch run at once', async () => {
      const results = await Promise.allSettled([flush(0, paid(1)), flush(0, paid(1)), flush(0, paid(1))])
      expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
      expect(await store().ledger.balanceOf('user', userId)).toBe(-100)
    })

    it('follows the positions of a journal with a hole, and does nothing for an empty batch', async () => {
      await flush(0, paid(1), paid(4))
      expect(await store().ledger.journalPosition(node)).toBe(4)
      await flush(99)
      expect(await store().ledger.journalPosition(node)).toBe(4)
      expect(await store().ledger.journalPosition('a node nobody knows')).toBe(0)
    })

    it('undoes all of a flush when a part of it fails', async () => {
      const rows = await count('logs')
      // Passes the sums, but a 64-bit column cannot hold it as an integer.
      const broken = paid(2, { channelId: 1.5 })
      expect(await rejection(flush(0, paid(1), broken))).toBeInstanceOf(Error)
      expect(await store().ledger.journalPosition(node)).toBe(0)
      expect(await store().ledger.balanceOf('user', userId)).toBe(0)
      expect((await store().channels.find(channelId))?.usedQuota).toBe(0)
      expect(await count('logs')).toBe(rows)
      await flush(0, paid(1))
      expect(await store().ledger.balanceOf('user', userId)).toBe(-100)
    })

    it('flushes for deleted accounts, and stores their charges', async () => {
      await store().channels.delete(channelId)
      await flush(0, paid(1))
      expect(await store().ledger.balanceOf('user', userId)).toBe(-100)
      const charges = await location().sql(
        `select amount from ledger_charges where account_kind = 'channel' and account_id = ${channelId}`,
      )
      expect(charges.map(({ amount }) => Number(amount))).toEqual([100])
    })

    it('flushes texts that a database cannot hold or index', async () => {
      const model = `wild\0card\ud800${'x'.repeat(5000)}`
      await flush(0, paid(1, { model, content: 'nul \0, half \udc00, slash \\u0000', tokenName: '\ud83d' }))
      const { rows, total } = await store().usage.page({ userId, model }, 1, 10)
      expect(total).toBe(1)
      expect(rows[0]?.content).toBe('nul \ufffd, half \ufffd, slash \\u0000')
      expect(rows[0]?.model).toStartWith('wild\ufffdcard\ufffdxxx')
      expect(rows[0]?.model).toHaveLength(255)
    })

    it('merges names that are equal once shortened or cleaned', async () => {
      const long = 'x'.repeat(300)
      const names = [`${long}a`, `${long}b`, 'a\0', 'a\ud800']
      const settlements = names.map((model, at) => paid(at + 1, { model }))
      await store().ledger.flush(flushOf('alike', 0, settlements))
      expect(await store().ledger.journalPosition('alike')).toBe(names.length)
    })

    it('takes rows of any month, past and to come', async () => {
      const months = ['2023-02-28', '2026-12-31', '2031-07-01'].map(
        (day) => Date.parse(`${day}T23:59:59Z`) / 1000,
      )
      await flush(0, ...months.map((createdAt, index) => paid(index + 1, { createdAt })))
      const { rows } = await store().usage.page({ userId }, 1, 10)
      expect(rows.map((row) => row.createdAt)).toEqual(months.toReversed())
    })
  })
}

/** A second store over the same database, whose connections do not wait for the disk by default. */
function openRelaxed({ config }: TestStore): Promise<Store> {
  const url = new URL(config.databaseUrl ?? '')
  url.searchParams.set('options', '-c synchronous_commit=off')
  return openStore({ ...config, databaseUrl: url.href })
}

export function transactionContract(store: () => Store): void {
  describe('transaction', () => {
    it('commits all of it, and shows it to itself before', async () => {
      const user = await store().transaction(async (tx) => {
        const { id } = await tx.users.create(newUser())
        await tx.ledger.credit({ ...entry, accountId: id, amount: 50 })
        await tx.usage.append([{ ...settlement(1), type: 'management', userId: id }])
        expect((await tx.usage.page({ userId: id }, 1, 5)).total).toBe(1)
        return await tx.users.find(id)
      })
      expect(user?.quota).toBe(50)
      expect(await store().users.find(user?.id ?? 0)).toEqual(user)
    })

    it('rolls all of it back when the work throws', async () => {
      const { id } = await store().users.create(newUser())
      const failing = store().transaction(async (tx) => {
        await tx.ledger.credit({ ...entry, accountId: id, amount: 50 })
        await tx.ledger.flush(flushOf(unique('node'), 0, [settlement(1, { userId: id })]))
        throw new Error('changed my mind')
      })
      expect(String(await rejection(failing))).toContain('changed my mind')
      expect(await store().users.find(id)).toMatchObject({ quota: 0, usedQuota: 0 })
      expect(await store().ledger.list('user', id, 5)).toEqual([])
    })

    it('cannot commit after a statement in it failed', async () => {
      const { username } = await store().users.create(newUser())
      const other = newUser()
      const swallowing = store().transaction(async (tx) => {
        await tx.users.create(other)
        await tx.users.create(newUser({ username })).catch(() => undefined)
      })
      expect(await rejection(swallowing)).toBeInstanceOf(Error)
      expect(await store().users.findByLogin(other.username)).toBeUndefined()
    })

    it('joins a transaction that is begun within it', async () => {
      const user = newUser()
      const failing = store().transaction(async (tx) => {
        await tx.transaction((inner) => inner.users.create(user))
        throw new Error('outer failed')
      })
      expect(String(await rejection(failing))).toContain('outer failed')
      expect(await store().users.findByLogin(user.username)).toBeUndefined()
    })

    it('lets no other call in between', async () => {
      const { id } = await store().users.create(newUser())
      const add = () =>
        store().transaction(async (tx) => {
          const { affCount } = (await tx.users.update(id, { displayName: 'held' })) ?? { affCount: 0 }
          await tx.users.update(id, { affCount: affCount + 1 })
        })
      await Promise.all(Array.from({ length: 10 }, add))
      expect((await store().users.find(id))?.affCount).toBe(10)
    })

    const entry = { accountKind: 'user', cause: 'initial', createdAt: 1, actorId: 0, note: '' } as const
  })
}
