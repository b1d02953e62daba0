import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { endOfTime } from '@tollgate/api/calendar'
import fc from 'fast-check'
import type { TestDatabase, TestStore } from '../../contract/place.ts'
import { flushOf, newToken, newUser, settlement } from '../../contract/samples.ts'
import { openStore } from '../../engine/open/open-store.ts'
import { base, fillLog, takeOverAll } from '../../log/contract/log-samples.ts'
import type { Store } from '../../store.ts'
import type { StatementFigures, StatementSubject } from '../statement.ts'

const users = [1, 2, 3]
const group = 'customers'
const subjects: readonly StatementSubject[] = [
  ...users.map((id) => ({ kind: 'user' as const, id })),
  { kind: 'group', name: group },
]
const quarters = fc.integer({ min: -4, max: 28 }).map((quarter) => base + quarter * 900)
const sumOf = (lines: readonly { readonly amount: number }[]) =>
  lines.reduce((sum, { amount }) => sum + amount, 0)

/** Promises of statements, whatever the boundaries of their times, with quarters open and taken over. */
export function statementContract(database: TestDatabase): void {
  describe.each(['open', 'taken over'])('statements, with quarters %s', (state) => {
    let testStore: TestStore
    let store: Store

    beforeAll(async () => {
      testStore = await database.createTestStore()
      store = await openStore(testStore.config)
      for (const _ of users) await store.users.create(newUser({ group }))
      await fillLog(store, 300)
      await moveMoney(store)
      await correct(store)
      if (state === 'taken over') await takeOverAll(store)
    })
    afterAll(async () => {
      await store.close()
      await testStore.remove()
    })

    const read = (subject: StatementSubject, from: number, end: number) =>
      store.statements.read(subject, { from, end })

    it('close with what they opened with, their moves and their charges, and begin where the one before closed', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...subjects),
          fc.tuple(quarters, quarters, quarters),
          async (subject, boundaries) => {
            const [from, middle, end] = boundaries.toSorted((a, b) => a - b) as [number, number, number]
            const [first, second] = [await read(subject, from, middle), await read(subject, middle, end)]
            for (const figures of [first, second]) expectSums(figures, subject)
            expect(second.opening).toBe(first.closing)
            const both = await read(subject, from, end)
            expect([both.opening, both.closing]).toEqual([first.opening, second.closing])
            expect(both.charges.amount).toBe(first.charges.amount + second.charges.amount)
          },
        ),
        { numRuns: 60 },
      )
    })

    it('end with the balance, and have a correction when it was made', async () => {
      for (const id of users) {
        const all = await read({ kind: 'user', id }, 0, endOfTime)
        expect([all.opening, all.closing]).toEqual([0, (await store.ledger.balanceOf('user', id)) ?? 0])
      }
      const corrected = (figures: StatementFigures) =>
        figures.moves.find(({ cause }) => cause === 'correction')
      const [before, after] = [
        await read({ kind: 'user', id: 1 }, 0, correctedAt),
        await read({ kind: 'user', id: 1 }, correctedAt, correctedAt + 900),
      ]
      expect([corrected(before), corrected(after)?.amount]).toEqual([undefined, 7])
      expect(sumOf(before.byModel)).toBe(before.charges.amount)
    })

    it('are of a key too, and name the keys of a user', async () => {
      const owner = await store.users.create(newUser())
      const token = await store.tokens.create(newToken(owner.id, { name: 'laptop' }))
      const charge = { userId: owner.id, tokenId: token.id, createdAt: base + 100_000, quota: 30 }
      await store.ledger.flush(flushOf('other', 0, [settlement(1, charge)]))
      const times = [base + 99_900 - (base % 900), base + 100_800 + 900 - (base % 900)] as const
      const key = await read({ kind: 'token', id: token.id }, ...times)
      expect(key.closing - key.opening).toBe(-30)
      const user = await read({ kind: 'user', id: owner.id }, ...times)
      expect(user.byAccount).toEqual([{ of: token.id, name: 'laptop', calls: 1, amount: 30 }])
    })

    it.each(['50 % off?', `it's "new"?`, 'back\\slash', '旧？', 'nul\0'])(
      'are of a group named %j',
      async (name) => {
        const [from, end] = [302_400 + 900, 302_400 + 4500].map((at) => base - (base % 3600) + at) as [
          number,
          number,
        ]
        const member = await store.users.create(newUser({ group: name }))
        const charge = { userId: member.id, createdAt: from + 10, quota: 30 }
        await store.ledger.flush(flushOf(`group ${name}`, 0, [settlement(1, charge)]))
        const figures = await read({ kind: 'group', name }, from, end)
        expect([figures.opening - figures.closing, figures.charges]).toEqual([30, { amount: 30, calls: 1 }])
        expect(figures.byAccount).toEqual([{ of: member.id, name: member.username, calls: 1, amount: 30 }])
        expect(sumOf(figures.byModel)).toBe(30)
      },
    )

    it('are of all accounts that are one, and add up by key before and after they were merged', async () => {
      const [from, into] = [await store.users.create(newUser()), await store.users.create(newUser())]
      const token = await store.tokens.create(newToken(from.id, { name: 'laptop' }))
      const start = base + 200_700 - (base % 900)
      const charge = (userId: number, at: number) => ({
        userId,
        tokenId: token.id,
        createdAt: start + at,
        quota: 30,
      })
      const move = { accountKind: 'user', actorId: 0, createdAt: start + 1000, note: '' } as const
      await store.ledger.credit({
        ...move,
        accountId: from.id,
        cause: 'top-up',
        amount: 100,
        createdAt: start,
      })
      await store.ledger.flush(flushOf('merging', 0, [settlement(1, charge(from.id, 10))]))
      await store.transaction(async (tx) => {
        await tx.people.move(from.id, into.id, start + 1000, 1)
        for (const [accountId, amount] of [
          [from.id, -70],
          [into.id, 70],
        ] as const)
          await tx.ledger.credit({ ...move, accountId, cause: 'merge', amount })
      })
      await store.ledger.flush(flushOf('merging', 1, [settlement(2, charge(into.id, 2000))]))
      for (const [end, calls, closing] of [
        [start + 900, 1, 70],
        [start + 2700, 2, 40],
      ] as const) {
        const figures = await read({ kind: 'user', id: into.id }, start, end)
        expectSums(figures, { kind: 'user', id: into.id })
        expect([figures.opening, figures.closing]).toEqual([0, closing])
        expect(figures.byAccount).toEqual([{ of: token.id, name: 'laptop', calls, amount: 30 * calls }])
      }
    })
  })
}

function expectSums(figures: StatementFigures, { kind }: StatementSubject): void {
  const { opening, closing, charges, moves, byModel, byAccount, entries } = figures
  expect(opening + sumOf(moves) - charges.amount).toBe(closing)
  expect(sumOf(byModel)).toBe(charges.amount)
  expect(kind === 'group' ? sumOf(byAccount) : sumOf(entries)).toBe(
    kind === 'group' ? charges.amount : sumOf(moves),
  )
}

const correctedAt = base + 20 * 3600

/** Credits and debits of every kind at every quarter. */
async function moveMoney(store: Store): Promise<void> {
  const causes = ['top-up', 'redemption', 'admin-change', 'refund', 'invitation'] as const
  for (let at = -4; at < 28; at += 1)
    for (const accountId of users)
      await store.ledger.credit({
        ...{ accountKind: 'user', accountId, actorId: 0, note: 'n', createdAt: base + at * 900 + accountId },
        cause: causes[(at + 4) % causes.length] ?? 'top-up',
        amount: ((at * 37) % 50) * accountId,
      })
}

/** Corrects the charges of a call of the second hour, much later. */
async function correct(store: Store): Promise<void> {
  const nobody = {
    actorName: '',
    reason: '',
    takenBackAt: 0,
    takenBackId: 0,
    takenBackBy: '',
    takenBackReason: '',
  }
  const id = await store.corrections.create({
    ...nobody,
    ...{ createdAt: correctedAt, actorId: 1, selection: {}, state: 'applying', endedAt: 0 },
    ...{ calls: 1, users: 1, amount: -7 },
  })
  const call = { userId: 1, hour: base + 900 - (base % 900), model: 'gpt-4o', tokenId: 0, channelId: 1 }
  await store.corrections.addSums(id, [{ ...call, calls: 1, amount: -7, costedQuota: 0 }])
  const step = { id, userIds: [1], isTakingBack: false, at: correctedAt, actorId: 1 }
  await store.corrections.settle(step, async () => undefined)
}
