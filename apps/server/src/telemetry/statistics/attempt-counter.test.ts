import { describe, expect, it } from 'bun:test'
import { otherModels } from '@tollgate/api'
import type { AttemptCount } from '../../store/channels/attempt-counts.ts'
import { AttemptCounter, type CountedAttempt, type CountedCall } from './attempt-counter.ts'
import { createAttemptCountWriter } from './write-attempt-counts.ts'

const hour = 1_700_000_000 - (1_700_000_000 % 3600)
const attempt: CountedAttempt = { channelId: 1, model: 'gpt-4o', outcome: 'ok', ms: 40 }
const call: CountedCall = { model: 'gpt-4o', userId: 7, tokenId: 9, outcome: 'ok', isTried: true }

function setUp() {
  const clock = { now: hour }
  return { clock, counter: new AttemptCounter(() => clock.now) }
}

const sum = (rows: readonly AttemptCount[], where: Partial<AttemptCount>) =>
  rows
    .filter((row) =>
      Object.entries(where).every(([name, value]) => row[name as keyof AttemptCount] === value),
    )
    .reduce((total, { count }) => total + count, 0)

describe('AttemptCounter', () => {
  it('counts attempts by channel and model each minute and hour, calls by user and key each hour', () => {
    const { clock, counter } = setUp()
    counter.countAttempt(attempt)
    counter.countCall(call)
    clock.now += 60
    counter.countAttempt({ ...attempt, outcome: 'upstream' })
    counter.countAttempt(attempt)
    counter.countCall(call)
    counter.countCall({ ...call, outcome: 'broken', tokenId: 0 })
    const rows = counter.take().flat()
    expect(sum(rows, { step: 60, startsAt: hour })).toBe(1)
    expect(sum(rows, { step: 60, startsAt: hour + 60, kind: 'channel', id: 1, model: 'gpt-4o' })).toBe(2)
    expect(sum(rows, { step: 3600, startsAt: hour, kind: 'channel', outcome: 'ok' })).toBe(2)
    expect(sum(rows, { kind: 'user-calls', id: 7, model: 'gpt-4o' })).toBe(3)
    expect(sum(rows, { kind: 'user-calls', outcome: 'upstream' })).toBe(0)
    expect(sum(rows, { kind: 'calls', id: 0, outcome: 'broken' })).toBe(1)
    expect(sum(rows, { kind: 'token-calls', id: 9, model: '' })).toBe(2)
    expect(counter.take()).toEqual([])
  })

  it('sums times of successes alone', () => {
    const { counter } = setUp()
    counter.countAttempt(attempt)
    counter.countAttempt({ ...attempt, ms: 60 })
    counter.countAttempt({ ...attempt, ms: 5000, outcome: 'upstream' })
    const ofMinute = counter
      .take()
      .flat()
      .filter(({ step }) => step === 60)
    expect(ofMinute.map(({ outcome, ms }) => [outcome, ms])).toEqual([
      ['ok', 100],
      ['upstream', 0],
    ])
  })

  it('keeps no more names of models that callers make up than a few hundred an hour, and loses no call', () => {
    const { counter } = setUp()
    for (let index = 0; index < 5000; index += 1)
      counter.countCall({ ...call, model: `made-up-${index}`, outcome: 'no_channel', isTried: false })
    const rows = counter
      .take()
      .flat()
      .filter(({ kind }) => kind === 'calls')
    expect(rows.length).toBe(201)
    expect(sum(rows, { model: otherModels })).toBe(4800)
    expect(sum(rows, {})).toBe(5000)
  })

  it('has a bounded number of rows however many users call, and loses no call', () => {
    const { counter } = setUp()
    for (let userId = 1; userId <= 30_000; userId += 1) counter.countCall({ ...call, userId, tokenId: 0 })
    const rows = counter
      .take()
      .flat()
      .filter(({ kind }) => kind === 'user-calls')
    expect(rows.length).toBe(20_001)
    expect(sum(rows, {})).toBe(30_000)
    expect(sum(rows, { id: -1 })).toBe(10_000)
  })
})

describe('the writer of counts', () => {
  it('writes again what a database that was away did not take', async () => {
    const { counter } = setUp()
    const written: AttemptCount[] = []
    let isAway = true
    const write = createAttemptCountWriter({
      counter,
      attemptCounts: {
        async add(counts) {
          if (isAway) throw new Error('away')
          written.push(...counts)
        },
      },
    })
    counter.countAttempt(attempt)
    expect(await write().catch((error: Error) => error.message)).toBe('away')
    counter.countAttempt(attempt)
    isAway = false
    await Promise.all([write(), write()])
    await write()
    expect(sum(written, { kind: 'channel', step: 60 })).toBe(2)
  })
})
