import { describe, expect, it } from 'bun:test'
import { checkSize, isOutgrown } from './size-checks.ts'

const gibibyte = 2 ** 30

function check(extent: { rows: number; bytes: number } | undefined, freeBytes = 0) {
  const bytes = extent?.bytes ?? gibibyte
  const store = {
    installation: { size: async () => ({ bytes, freeBytes }) },
    usage: { fileExtent: async () => extent },
  }
  return checkSize(store as unknown as Parameters<typeof checkSize>[0])
}

describe('the size of a database', () => {
  it('outgrows one file by the rows of the log, or by its bytes', () => {
    expect(isOutgrown({ rows: 10_000_000, bytes: 32 * gibibyte })).toBe(false)
    expect(isOutgrown({ rows: 10_000_001, bytes: 0 })).toBe(true)
    expect(isOutgrown({ rows: 0, bytes: 32 * gibibyte + 1 })).toBe(true)
  })

  it('is told with the command that moves a file, and never to a server', async () => {
    const [found] = await check({ rows: 12_000_000, bytes: 5 * gibibyte })
    expect(found).toMatchObject({ state: 'warn', what: 'database size' })
    expect(found?.text).toContain('5.0 GiB, and up to 12000000 rows of log')
    expect(found?.text).toContain('tollgate move --to')
    expect(await check({ rows: 7, bytes: 4096 })).toMatchObject([{ state: 'ok' }])
    expect(await check(undefined)).toMatchObject([{ state: 'ok' }])
  })

  it('is told with the command that gives back what a cleared log left', async () => {
    expect(await check({ rows: 7, bytes: 4 * gibibyte }, 3 * gibibyte)).toMatchObject([
      { state: 'warn', text: expect.stringContaining('3.0 GiB are unused') },
    ])
    expect(await check({ rows: 12_000_000, bytes: 40 * gibibyte }, 30 * gibibyte)).toHaveLength(2)
    expect(await check({ rows: 7, bytes: 40 * gibibyte }, 2 * gibibyte)).toMatchObject([
      { text: expect.stringContaining('move --to') },
    ])
  })
})
