import { describe, expect, it } from 'bun:test'
import { pageAcrossUsers } from './page-across-users.ts'
import { logRow, usageInMemory } from './test-support/usage-in-memory.ts'

async function logOf(counts: Readonly<Record<number, number>>) {
  const usage = usageInMemory()
  for (const [userId, count] of Object.entries(counts)) {
    await usage.append(Array.from({ length: count }, () => logRow({ userId: Number(userId) })))
  }
  return usage
}

describe('pages over several people', () => {
  it.each([1, 2, 3, 4, 5, 10, 100])(
    'of %d rows show every row once, person by person, newest first',
    async (size) => {
      const usage = await logOf({ 1: 5, 2: 0, 3: 7, 4: 3 })
      const seen: number[] = []
      for (let page = 1; ; page++) {
        const { rows, total } = await pageAcrossUsers(usage, {}, [4, 3, 2], page, size)
        expect(total).toBe(10)
        expect(rows.length).toBe(Math.max(0, Math.min(size, 10 - (page - 1) * size)))
        if (rows.length === 0) break
        seen.push(...rows.map((row) => row.id))
      }
      expect(seen).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6])
    },
  )

  it('are empty without users', async () => {
    expect(await pageAcrossUsers(await logOf({ 1: 5 }), {}, [], 1, 10)).toEqual({ rows: [], total: 0 })
  })

  it('keep the other filters', async () => {
    const usage = await logOf({ 1: 2 })
    await usage.append([logRow({ userId: 1, model: 'o3' }), logRow({ userId: 2, model: 'o3' })])
    const { rows, total } = await pageAcrossUsers(usage, { model: 'o3' }, [2, 1], 1, 10)
    expect([rows.map((row) => row.userId), total]).toEqual([[2, 1], 2])
  })
})
