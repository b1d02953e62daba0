import { expect, it } from 'bun:test'
import { logRow, usageInMemory } from '../test-support/usage-in-memory.ts'
import { createRefusedUsers } from './refused-users.ts'

const now = 1_700_000_600
const clock = { now: () => now * 1000 }

it('lists users whose balance still does not cover their last refused call', async () => {
  const usage = usageInMemory()
  const refused = (userId: number, ago: number, needed?: number) => {
    const error = { reason: 'insufficient_user_quota', ...(needed !== undefined && { params: { needed } }) }
    return logRow({ type: 'error', createdAt: now - ago, userId, other: JSON.stringify({ error }) })
  }
  await usage.append([
    refused(1, 300, 900),
    refused(1, 60, 500),
    refused(2, 50, 500),
    refused(3, 40, 500),
    refused(4, 40),
    refused(5, 90_000, 500),
    refused(6, 20, 500),
  ])
  const balances = new Map([
    [1, 499],
    [2, 500],
    [3, 0],
    [4, 1],
    [5, 0],
  ])
  const users = {
    listByIds: async (ids: readonly number[]) =>
      new Map(
        ids.flatMap((id) => {
          const quota = balances.get(id)
          return quota === undefined ? [] : [[id, { username: `user ${id}`, quota } as never] as const]
        }),
      ),
  }
  const ledger = { currentBalance: (_kind: string, _id: number, stored: number) => stored }
  const refusals = createRefusedUsers({ usage, users, ledger, clock })
  expect(await refusals.list()).toEqual([
    { user_id: 1, username: 'user 1', quota: 499, count: 2, last_at: now - 60 },
    { user_id: 3, username: 'user 3', quota: 0, count: 1, last_at: now - 40 },
  ])
  // The same of one, as their own dashboard has it.
  const ofOne = (id: number) => refusals.ofUser(id, balances.get(id) ?? 0)
  expect(await Promise.all([1, 2, 5].map(ofOne))).toEqual([
    { count: 2, last_at: now - 60, needed: 500 },
    null,
    null,
  ])
})
