import { afterAll, describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkClockBy } from './clock-checks.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-clock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const now = 1_764_374_400_000
const clock = { now: () => now }

describe('the clock of this machine', () => {
  it.each([
    [[400, 900_000], 'ok', '0 s ahead of'],
    [[-20_000, 900_000], 'warn', '20 s behind the servers of its channels: synchronize'],
    [[400_000, -900_000], 'fail', '400 s ahead of the servers of its channels: synchronize'],
  ] as const)('is judged by the server outside that it agrees with most: %p', (ahead, state, text) => {
    const finding = checkClockBy(ahead, folder, clock)
    expect(finding).toMatchObject({ state, what: 'clock' })
    expect(finding.text).toContain(text)
  })

  it('is judged by the files that it wrote where no server outside says the time', () => {
    const file = join(folder, 'version')
    writeFileSync(file, '')
    utimesSync(file, now / 1000, now / 1000)
    expect(checkClockBy([], folder, clock).state).toBe('ok')
    utimesSync(file, now / 1000 + 3600, now / 1000 + 3600)
    const { state, text } = checkClockBy([], folder, clock)
    expect(state).toBe('warn')
    expect(text).toContain('3600 s younger than now: the clock went back')
    expect(checkClockBy([], join(folder, 'nowhere'), clock).state).toBe('ok')
  })
})
