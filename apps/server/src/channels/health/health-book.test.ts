import { describe, expect, it } from 'bun:test'
import type { UpstreamErrorInfo, UpstreamErrorKind } from '@tollgate/formats'
import fc from 'fast-check'
import { createDecisionLog } from './decision-log.ts'
import { createHealthBook } from './health-book.ts'

const second = 1000
const minute = 60 * second

function errorOf(kind: UpstreamErrorKind, more: Partial<UpstreamErrorInfo> = {}): UpstreamErrorInfo {
  return { kind, status: 500, message: '', type: '', code: '', param: null, ...more }
}

function setUp(keyCount = 1) {
  /** `now` is the monotonic clock's time; the wall clock is ahead of it by `wallOffset`. */
  const time = { now: 5_000, wallOffset: 1_000_000_000_000 }
  const monotonic = { now: () => time.now }
  const wallClock = { now: () => time.now + time.wallOffset }
  const decisions = createDecisionLog({ wallClock, logger: { info: () => undefined } })
  const book = createHealthBook({
    monotonic,
    wallClock,
    random: () => 0,
    decisions,
    keyCount: () => keyCount,
  })
  const fail = (kind: UpstreamErrorKind, more: Partial<UpstreamErrorInfo> = {}, model = 'm', keyIndex = 0) =>
    book.record({ channelId: 1, keyIndex, model, ms: 0, error: errorOf(kind, more) })
  const succeed = (model = 'm', keyIndex = 0, ms = 0) => book.record({ channelId: 1, keyIndex, model, ms })
  return {
    time,
    book,
    decisions,
    fail,
    succeed,
    admits: (model = 'm', key = 0) => book.admits(1, key, model),
  }
}

function times(count: number, act: () => void): void {
  for (let index = 0; index < count; index += 1) act()
}

describe('the breaker of a channel and model', () => {
  it('opens when five or more calls and half of all failed within a minute', () => {
    const { admits, fail, succeed } = setUp()
    times(5, () => succeed())
    times(4, () => fail('overloaded'))
    expect(admits()).toBe(true)
    fail('timeout')
    expect(admits()).toBe(false)
  })

  it('stays closed while less than half fail', () => {
    const { admits, fail, succeed } = setUp()
    times(20, () => succeed())
    times(19, () => fail('upstream_bug'))
    expect(admits()).toBe(true)
  })

  it('forgets failures older than a minute', () => {
    const { admits, fail, time } = setUp()
    times(4, () => fail('overloaded'))
    time.now += minute + 10 * second
    fail('overloaded')
    expect(admits()).toBe(true)
  })

  it('never counts what callers do wrong', () => {
    const { admits, fail, book } = setUp()
    times(50, () => fail('bad_request'))
    times(50, () => fail('content_policy'))
    expect(admits()).toBe(true)
    expect(book.view(1).errorRate).toBe(0)
  })

  it('affects neither other models nor other channels', () => {
    const { admits, fail, book } = setUp()
    times(5, () => fail('overloaded'))
    expect(admits('m')).toBe(false)
    expect(admits('other')).toBe(true)
    expect(book.admits(2, 0, 'm')).toBe(true)
  })

  it('lets one probe through after its pause, and closes when that succeeds', () => {
    const { admits, fail, succeed, time } = setUp()
    times(5, () => fail('overloaded'))
    time.now += 5 * second
    expect(admits()).toBe(true)
    expect(admits()).toBe(false)
    succeed()
    expect(admits()).toBe(true)
    expect(admits()).toBe(true)
  })

  it('doubles its pause after each failed probe, up to five minutes', () => {
    const { book, admits, fail, time } = setUp()
    times(5, () => fail('overloaded'))
    const pauses: number[] = []
    times(9, () => {
      const ms = book.cooldownMs(1, 'm')
      pauses.push(ms / second)
      time.now += ms
      expect(admits()).toBe(true)
      fail('overloaded')
    })
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
  })

  it('does not grow by failures of calls that were under way when it opened', () => {
    const { book, fail } = setUp()
    times(100, () => fail('overloaded'))
    expect(book.cooldownMs(1, 'm')).toBe(5 * second)
  })

  it('lets another probe go when the first one never reports', () => {
    const { admits, fail, time } = setUp()
    times(5, () => fail('overloaded'))
    time.now += 5 * second
    expect(admits()).toBe(true)
    time.now += 15 * second
    expect(admits()).toBe(true)
  })

  it('lets the next probe go at once when the first was refused for its own content', () => {
    const { admits, fail, time } = setUp()
    times(5, () => fail('overloaded'))
    time.now += 5 * second
    expect(admits()).toBe(true)
    fail('bad_request')
    expect(admits()).toBe(true)
  })

  it('closes early when calls with nowhere else to go succeed three times', () => {
    const { admits, fail, succeed } = setUp()
    times(5, () => fail('overloaded'))
    times(3, () => succeed())
    expect(admits()).toBe(true)
  })
})

describe('a missing model', () => {
  it('can fail and recover again after it was forgotten for being healthy', () => {
    const { admits, book, fail, succeed, time } = setUp()
    for (let round = 0; round < 3; round += 1) {
      times(5, () => fail('overloaded'))
      expect(admits()).toBe(false)
      const ms = book.cooldownMs(1, 'm')
      expect(ms).toBeLessThanOrEqual(minute)
      time.now += ms
      expect(admits()).toBe(true)
      succeed()
      times(20, () => {
        time.now += minute
        expect(admits()).toBe(true)
        succeed()
      })
      expect(book.view(1)).toMatchObject({ state: 'closed', errorRate: 0 })
    }
  })

  it('starts a cooldown at once when the upstream says that it has no such model', () => {
    const { admits, fail } = setUp()
    fail('not_found', { status: 404, code: 'model_not_found' })
    expect(admits('m')).toBe(false)
    expect(admits('other')).toBe(true)
  })

  it('starts none because one caller used a path that the model does not serve', () => {
    const { admits, fail } = setUp()
    fail('not_found', { status: 404 })
    expect(admits()).toBe(true)
  })
})

describe('keys', () => {
  it('cool down for as long as Retry-After says, other keys go on', () => {
    const { admits, fail, time } = setUp(2)
    fail('rate_limited', { status: 429, retryAfterMs: 42 * second }, 'm', 0)
    expect(admits('m', 0)).toBe(false)
    expect(admits('m', 1)).toBe(true)
    time.now += 41 * second
    expect(admits('m', 0)).toBe(false)
    time.now += second
    expect(admits('m', 0)).toBe(true)
  })

  it('cool down for ten seconds, growing to five minutes, when a limit comes without Retry-After', () => {
    const { book, admits, fail, time } = setUp()
    const pauses: number[] = []
    times(7, () => {
      fail('rate_limited', { status: 429 })
      pauses.push(book.cooldownMs(1, 'm') / second)
      time.now += book.cooldownMs(1, 'm')
      expect(admits()).toBe(true)
    })
    expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300])
  })

  it('do not believe an absurd Retry-After', () => {
    const { book, fail } = setUp()
    fail('rate_limited', { retryAfterMs: 1e12 })
    expect(book.cooldownMs(1, 'm')).toBe(60 * minute)
  })

  it('cool down for the limited or forbidden model alone', () => {
    const { admits, fail } = setUp()
    fail('rate_limited', { status: 429 }, 'busy')
    fail('forbidden', { status: 403 }, 'closed')
    expect([admits('busy'), admits('closed'), admits('quiet')]).toEqual([false, false, true])
  })

  it('cool down for every model when refused or out of credit', () => {
    for (const kind of ['unauthorized', 'quota'] as const) {
      const { admits, fail } = setUp(2)
      fail(kind, {}, 'm', 1)
      expect([admits('m', 1), admits('other', 1), admits('m', 0)]).toEqual([false, false, true])
    }
  })

  it('all cool down before the channel has to wait', () => {
    const { book, fail } = setUp(2)
    fail('rate_limited', { retryAfterMs: 30 * second }, 'm', 0)
    expect(book.cooldownMs(1, 'm')).toBe(0)
    fail('rate_limited', { retryAfterMs: 20 * second }, 'm', 1)
    expect(book.cooldownMs(1, 'm')).toBe(20 * second)
  })

  it('end their cooldown when a probe succeeds', () => {
    const { book, admits, fail, succeed, time } = setUp()
    fail('unauthorized', { status: 401 })
    time.now += book.cooldownMs(1, 'm')
    expect(admits()).toBe(true)
    expect(admits()).toBe(false)
    succeed()
    expect(admits('other')).toBe(true)
  })
})

describe('what people see', () => {
  it('names state, error rate, reason and the time of the next try', () => {
    const { book, fail, succeed, time } = setUp()
    succeed()
    times(5, () => fail('overloaded', { status: 503 }))
    const view = book.view(1)
    expect(view.state).toBe('open')
    expect(view.errorRate).toBeCloseTo(5 / 6)
    expect(view.reason).toBe('m: 5 of 6 calls failed in a minute: overloaded (status 503)')
    expect(view.retryAt).toBe(time.now + time.wallOffset + 5 * second)
  })

  it('lists keys in cooldown with their reason', () => {
    const { book, fail, time } = setUp(3)
    fail('unauthorized', { status: 401 }, 'm', 2)
    expect(book.view(1).coolingKeys).toEqual(
      new Map([[2, { reason: 'key refused (status 401)', retryAt: time.now + time.wallOffset + minute }]]),
    )
  })

  it('shows the mean latency of each minute of the last hour that had calls, oldest first', () => {
    const { book, succeed, time } = setUp()
    for (let call = 0; call < 70; call += 1) {
      succeed('m', 0, call)
      succeed('n', 0, call + 3)
      time.now += minute
    }
    expect(book.view(1).recentMs).toEqual(Array.from({ length: 59 }, (_, index) => index + 13))
    succeed('m', 0, 500)
    expect(book.view(1).recentMs.slice(-2)).toEqual([71, 500])
    time.now += 30 * minute
    expect(book.view(1).recentMs.at(-1)).toBe(500)
    time.now += 30 * minute
    expect(book.view(1).recentMs).toEqual([])
  })

  it('writes each decision down once', () => {
    const { decisions, fail, succeed, time } = setUp()
    times(50, () => fail('overloaded', { status: 503 }))
    time.now += 5 * second
    succeed()
    expect(decisions.latest().map(({ kind, model }) => [kind, model])).toEqual([
      ['recover', 'm'],
      ['cooldown', 'm'],
    ])
  })

  it('keeps the latest two hundred decisions', () => {
    const { decisions } = setUp()
    for (let id = 1; id <= 300; id += 1) decisions.add({ kind: 'cooldown', channelId: id, reason: '' })
    expect(decisions.latest().map((decision) => decision.channelId)).toEqual(
      Array.from({ length: 200 }, (_, index) => 300 - index),
    )
  })
})

describe('a step of the wall clock', () => {
  it('neither ends a cooldown nor lengthens it, and is seen in the time that is shown', () => {
    for (const step of [-60 * minute, 60 * minute]) {
      const { book, admits, fail, time } = setUp()
      times(5, () => fail('overloaded'))
      time.wallOffset += step
      expect(admits()).toBe(false)
      expect(book.view(1).retryAt).toBe(time.now + time.wallOffset + 5 * second)
      time.now += 5 * second
      expect(admits()).toBe(true)
    }
  })

  it('leaves the failures of the last minute in the window', () => {
    const { admits, fail, time } = setUp()
    times(4, () => fail('overloaded'))
    time.wallOffset += 60 * minute
    fail('overloaded')
    expect(admits()).toBe(false)
  })
})

describe('reset', () => {
  it('forgets what was known, and what attempts from before still have to say', () => {
    const { book, admits, fail, time } = setUp()
    fail('unauthorized')
    book.reset(1)
    expect(admits()).toBe(true)
    time.now += second
    book.record({ channelId: 1, keyIndex: 0, model: 'm', ms: 2 * second, error: errorOf('unauthorized') })
    expect(admits()).toBe(true)
    book.record({ channelId: 1, keyIndex: 0, model: 'm', ms: second / 2, error: errorOf('unauthorized') })
    expect(admits()).toBe(false)
  })
})

function asked(retryAfterMs: number | undefined): Partial<UpstreamErrorInfo> {
  return retryAfterMs === undefined ? {} : { retryAfterMs }
}

describe('whatever happens', () => {
  const event = fc.record({
    wait: fc.integer({ min: 0, max: 10 * minute }),
    ask: fc.boolean(),
    key: fc.integer({ min: 0, max: 1 }),
    kind: fc.constantFrom<(UpstreamErrorKind | 'success')[]>(
      'success',
      'bad_request',
      'content_policy',
      'unauthorized',
      'forbidden',
      'not_found',
      'rate_limited',
      'quota',
      'overloaded',
      'timeout',
      'upstream_bug',
    ),
    retryAfterMs: fc.option(fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER }), { nil: undefined }),
  })

  it('a breaker never stays shut: after an hour a probe goes through, and its success opens the way', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const { time, admits, fail, succeed } = setUp(2)
        for (const { wait, ask, key, kind, retryAfterMs } of events) {
          time.now += wait
          if (ask) admits('m', key)
          if (kind === 'success') succeed('m', key)
          else fail(kind, { ...asked(retryAfterMs), code: 'model_not_found' }, 'm', key)
        }
        time.now += 60 * minute + 15 * second
        for (const key of [0, 1]) {
          expect(admits('m', key)).toBe(true)
          succeed('m', key)
          expect(admits('m', key)).toBe(true)
          expect(admits('m', key)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('never lets two probes through at once', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const { time, book, admits, fail, succeed } = setUp()
        for (const { wait, kind, retryAfterMs } of events) {
          time.now += wait
          const isCooling = book.view(1).state !== 'closed' || book.view(1).coolingKeys.size > 0
          if (admits() && isCooling) expect(admits()).toBe(false)
          if (kind === 'success') succeed()
          else fail(kind, asked(retryAfterMs))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('memory follows models and keys, not calls or callers', () => {
    const { book, time } = setUp()
    for (let call = 0; call < 5000; call += 1) {
      book.record({
        channelId: 1,
        keyIndex: 0,
        model: `gpt-4-gizmo-g-${call}`,
        ms: 1,
        error: errorOf('overloaded'),
      })
      time.now += 10
    }
    expect(book.admits(1, 0, 'gpt-4-gizmo-never-seen')).toBe(false)
    expect(book.view(1).reason).toStartWith('gpt-4-gizmo-*: ')
  })
})
