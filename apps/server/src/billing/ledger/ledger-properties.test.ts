import { describe, it, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '@tollgate/base'
import fc from 'fast-check'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { Journal } from '../journal/journal.ts'
import { openJournal } from '../journal/open.ts'
import { silentLogger } from '../test-support/charges.ts'
import {
  createLedgerWorld,
  type Step,
  tokenIds,
  userIds,
  type WorldOptions,
} from '../test-support/ledger-world.ts'
import { createMemoryDisk } from '../test-support/memory-disk.ts'

setDefaultTimeout(deadline(60_000))

const user = fc.constantFrom(...userIds)
const token = fc.constantFrom(0, ...tokenIds)
const kind = fc.constantFrom('user' as const, 'token' as const)
const pick = fc.nat(5)
const quota = fc.nat(200)
const amount = fc.integer({ min: -300, max: 300 })

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('reserve' as const), user, token, estimate: quota }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('settle' as const), pick, quota }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('release' as const), pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('extend' as const), pick, amount: quota }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hold' as const), user, token, amount: quota }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('settle-hold' as const), pick, quota }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release-hold' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end-again' as const), quota }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('credit' as const), kind, id: user, amount }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('set-balance' as const), kind, id: user, balance: amount }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('credit-and-go-on' as const), id: user, amount }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fault' as const), fault: fc.constantFrom('before', 'after') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('database' as const), down: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('wait' as const), turns: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('crash-in-settle' as const), pick, bytes: fc.nat(150) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

async function live(options: WorldOptions, steps: readonly Step[]): Promise<void> {
  const world = createLedgerWorld(options)
  await world.start()
  for (const each of steps) await world.perform(each)
  await world.finish()
}

describe('the books', () => {
  it('balance under every interleaving of calls, credits, failures of the database and crashes', async () => {
    const history = fc.array(step, { minLength: 5, maxLength: 60, size: 'max' })
    const property = fc.asyncProperty(history, (steps) => {
      const files = createMemoryDisk()
      const options = { node: 'n', files, clock: systemClock, logger: silentLogger, segmentBytes: 16 * 1024 }
      return live({ openJournal: () => new Journal(options), tearLastWrite: files.tearLastWrite }, steps)
    })
    await fc.assert(property, { numRuns: 1000 })
  })

  it('balance through real files as well', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'tollgate-books-'))
    let run = 0
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
      (steps) => {
        run += 1
        const directory = path.join(root, String(run), 'journal')
        const options = { directory, clock: systemClock, logger: silentLogger, segmentBytes: 64 * 1024 }
        return live({ openJournal: () => openJournal(options) }, steps)
      },
    )
    try {
      await fc.assert(property, { numRuns: 25 })
    } finally {
      rmSync(root, { recursive: true })
    }
  })
})
