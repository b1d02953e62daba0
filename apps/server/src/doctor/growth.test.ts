import { describe, expect, it } from 'bun:test'
import { checkGrowth, isOutgrown } from './growth.ts'

const usageOf = (extent: { rows: number; bytes: number } | undefined) =>
  ({ usage: { fileExtent: async () => extent } }) as unknown as Parameters<typeof checkGrowth>[0]

describe('the size of a file', () => {
  it('is outgrown by the rows of the log, or by its bytes', () => {
    expect(isOutgrown({ rows: 10_000_000, bytes: 2 ** 35 })).toBe(false)
    expect(isOutgrown({ rows: 10_000_001, bytes: 0 })).toBe(true)
    expect(isOutgrown({ rows: 0, bytes: 2 ** 35 + 1 })).toBe(true)
  })

  it('is told with the command that moves it, and not at all where the database is a server', async () => {
    const [found] = await checkGrowth(usageOf({ rows: 12_000_000, bytes: 5 * 2 ** 30 }))
    expect(found).toMatchObject({ state: 'warn', what: 'size' })
    expect(found?.text).toContain('12000000 rows, in a file of 5.0 GiB')
    expect(found?.text).toContain('tollgate move --to')
    expect(await checkGrowth(usageOf({ rows: 7, bytes: 4096 }))).toMatchObject([{ state: 'ok' }])
    expect(await checkGrowth(usageOf(undefined))).toEqual([])
  })
})
