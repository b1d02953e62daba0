import { describe, expect, it } from 'bun:test'
import { createLogger } from '../../lib/logger.ts'
import { logRow } from '../../records/logs/test-support/usage-in-memory.ts'
import { type Destination, RefusedBatchError, type UsageBatch } from './destination.ts'
import { UsageExport } from './export-usage.ts'
import { usageRecord } from './usage-record.ts'

const never = new AbortController().signal

/** A log of ten calls and a destination of batches of four, whose responses the test decides. */
function world(respond: (batch: UsageBatch) => void = () => {}, maxRecords = 4) {
  const positions = new Map<string, number>()
  const log = { upTo: 10 }
  const sent: number[][] = []
  const reads: number[] = []
  const destination: Destination = {
    name: 'here',
    everyMs: 1000,
    maxRecords,
    async send(batch) {
      respond(batch)
      sent.push(batch.records.map(({ id }) => id))
    },
  }
  const usage = new UsageExport(destination, {
    from: 'start',
    logger: createLogger('silent'),
    recordOf: (row) => usageRecord(row, 1, { leaveOut: [], hash: [], content: false, hashOf: String }),
    exports: {
      settledId: async () => log.upTo,
      position: async (name) => positions.get(name),
      start: async (name, id) => void positions.set(name, positions.get(name) ?? id),
      async advance(name, from, to) {
        if (positions.get(name) !== from) return false
        positions.set(name, to)
        return true
      },
      async callsAfter(after, upTo, size) {
        reads.push(size)
        return Array.from({ length: upTo - after }, (_, index) => ({
          id: after + index + 1,
          ...logRow(),
          cost: null,
        })).slice(0, size)
      },
    },
  })
  return { usage, sent, reads, log, positions }
}

describe('an export of usage', () => {
  it('sends batches in the order of the log, and goes on where it stopped', async () => {
    const { usage, sent, log, positions } = world()
    await usage.run(never)
    expect(sent).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ])
    expect([positions.get('here'), usage.state.behind]).toEqual([10, 0])
    await usage.run(never)
    log.upTo = 11
    await usage.run(never)
    expect(sent.slice(3)).toEqual([[11]])
  })

  it('reads a large batch in parts, between which the event loop has turns', async () => {
    const { usage, sent, reads, log } = world(undefined, 600)
    log.upTo = 700
    await usage.run(never)
    expect(sent.map((batch) => [batch.length, batch[0], batch.at(-1)])).toEqual([
      [600, 1, 600],
      [100, 601, 700],
    ])
    expect(reads).toEqual([250, 250, 100, 250])
  })

  it('stays where it is while the destination fails, and waits longer each time', async () => {
    let isAway = true
    const { usage, sent, positions } = world(({ after }) => {
      if (isAway && after === 4) throw new Error('away')
    })
    await usage.run(never, 0)
    expect([positions.get('here'), usage.state.failures, usage.state.behind]).toEqual([4, 1, 6])
    await usage.run(never, 999)
    expect(usage.state.failures).toBe(1)
    await usage.run(never, 1000)
    await usage.run(never, 2999)
    expect(usage.state.failures).toBe(2)
    isAway = false
    await usage.run(never, 3000)
    expect(sent.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('leaves out the one record that is refused, and sends all others', async () => {
    const { usage, sent, positions } = world(({ records }) => {
      if (records.some(({ id }) => id === 6)) throw new RefusedBatchError('status 400')
    })
    await usage.run(never)
    expect(sent.flat()).toEqual([1, 2, 3, 4, 5, 7, 8, 9, 10])
    expect([positions.get('here'), usage.state.refused, usage.state.failures]).toEqual([10, 1, 0])
  })

  it('stops when another node has moved the position', async () => {
    const { usage, sent, positions } = world(() => positions.set('here', 8))
    await usage.run(never)
    expect(sent).toEqual([[1, 2, 3, 4]])
    expect(positions.get('here')).toBe(8)
  })

  it('begins with new calls where the operator wants no old ones', async () => {
    const { usage, sent, positions } = world()
    positions.set('here', 10)
    await usage.run(never)
    expect(sent).toEqual([])
  })
})
