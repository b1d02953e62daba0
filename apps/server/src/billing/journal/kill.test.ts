import { expect, it, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@tollgate/base'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { settledIn, silentLogger } from '../test-support/charges.ts'
import { openJournal } from './open.ts'

setDefaultTimeout(deadline(60_000))

const child = new URL('../test-support/append-until-killed.ts', import.meta.url).pathname

/** Runs the child until it has reported enough, kills it at any moment after that, returns the last number it reported. */
async function appendUntilKilled(directory: string, position: number, tellings: number): Promise<number> {
  const output = path.join(directory, 'told')
  writeFileSync(output, '')
  const appending = Bun.spawn([process.execPath, child, directory, String(position)], {
    stdout: Bun.file(output),
  })
  while (statSync(output).size < tellings && appending.exitCode === null) await sleep(1)
  await sleep(Math.random() * 5)
  appending.kill('SIGKILL')
  await appending.exited
  const reported = readFileSync(output, 'utf8')
  return Number(reported.slice(0, reported.lastIndexOf('\n')).split('\n').at(-1))
}

it('finds every charge exactly once whose recording returned before the process was killed', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'tollgate-kill-'))
  let position = 0
  try {
    for (let round = 1; round <= 8; round += 1) {
      const reported = await appendUntilKilled(directory, position, round * 700)
      const journal = openJournal({
        directory,
        clock: systemClock,
        logger: silentLogger,
        segmentBytes: 64 * 1024,
      })
      const found = settledIn(journal.entriesAfter(position))
      await journal.close()
      expect(reported).toBeGreaterThan(position)
      // The one that was being recorded may be there as well.
      expect([reported, reported + 1]).toContain(found.at(-1)?.seq ?? 0)
      expect(found.map(({ seq }) => seq)).toEqual(found.map((_, index) => position + 1 + index))
      for (const { seq, quota, other } of found) {
        expect(quota).toBe(1 + ((seq - 1) % 997))
        expect(other.length).toBe((seq - 1) % 3000)
      }
      position = found.at(-1)?.seq ?? position
    }
  } finally {
    rmSync(directory, { recursive: true })
  }
})
