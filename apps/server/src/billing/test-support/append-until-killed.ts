import { writeSync } from 'node:fs'
import { monotonicClock } from '@tollgate/base'
import { openJournal } from '../journal/open.ts'
import { chargeOf, silentLogger } from './charges.ts'

/**
 * Child process of a test: records charges until it is killed, and tells the number of each on its standard output
 * once it is recorded. Segments are small, so that kills fall into their changes as well.
 */
const [directory = '', position = '0'] = process.argv.slice(2)
const journal = openJournal({
  directory,
  clock: monotonicClock,
  logger: silentLogger,
  segmentBytes: 64 * 1024,
})
await journal.start(Number(position))
const tellAfter = 50

for (let reported = Number(position); ; reported = journal.lastSeq) {
  while (journal.lastSeq < reported + tellAfter && journal.canAdmit(0)) {
    const { seq } = journal.append(
      chargeOf({ quota: 1 + (journal.lastSeq % 997), other: 'x'.repeat(journal.lastSeq % 3000) }),
    )
    journal.record()
    writeSync(1, `${seq}\n`)
  }
  // The turn of the event loop in which room is allocated ahead.
  await Bun.sleep(0)
}
