import { describe, expect, it } from 'bun:test'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '@tollgate/base'
import { chargeOf, recordIn, silentLogger } from '../test-support/charges.ts'
import { openJournal } from './open.ts'

const segmentBytes = 256 * 1024

/** A disk of two megabytes, where the tests may mount one. */
function mountSmallDisk(): string | undefined {
  const directory = fs.mkdtempSync(path.join(tmpdir(), 'tollgate-full-'))
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', directory])
  if (mounted.success) return directory
  fs.rmdirSync(directory)
  return undefined
}

function unmount(directory: string): void {
  Bun.spawnSync(['umount', directory])
  fs.rmdirSync(directory)
}

/** Takes every byte that is left. */
function fill(directory: string): string {
  const file = path.join(directory, 'filler')
  const descriptor = fs.openSync(file, 'w')
  try {
    while (true) fs.writeSync(descriptor, new Uint8Array(4096))
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
    return file
  } finally {
    fs.closeSync(descriptor)
  }
}

const disk = mountSmallDisk()

describe.if(disk !== undefined)('journal on a disk that fills up', () => {
  it('records every call that was admitted, stops admitting, and starts again when there is room', async () => {
    if (disk === undefined) return
    try {
      const options = {
        directory: path.join(disk, 'journal'),
        clock: systemClock,
        logger: silentLogger,
        segmentBytes,
      }
      const journal = openJournal(options)
      const admits = (inFlight = 0) => journal.canAdmit(inFlight)
      await journal.start(0)
      while (!admits(150)) await Bun.sleep(1)
      const filler = fill(disk)
      while (admits()) recordIn(journal, chargeOf())
      const recorded = journal.lastSeq
      expect(recorded).toBeGreaterThan(150)
      expect([...journal.entriesAfter(0)].length).toBe(recorded)
      fs.unlinkSync(filler)
      while (!admits()) await Bun.sleep(20)
      recordIn(journal, chargeOf())
      await journal.close()
      const next = openJournal(options)
      expect([...next.entriesAfter(0)].length).toBe(recorded + 1)
      await next.close()
    } finally {
      unmount(disk)
    }
  })
})
