import { describe, expect, it } from 'bun:test'
import type { Siblings } from './machine-reach.ts'
import { createHeartbeat } from './nodes.ts'

const node = { id: 'a', version: '1', address: 'here', startedMs: 0 }

/** A heartbeat by a clock of the test's own, over a database that may be gone. */
async function beating(live: readonly string[], siblings?: Siblings) {
  const state = { now: 0, isGone: false, live, company: 0 }
  const heartbeat = createHeartbeat({
    nodes: {
      beat: async () => {
        if (state.isGone) throw new Error('gone')
        return state.live
      },
      remove: async () => undefined,
    },
    node,
    figures: () => ({ journalSeq: 0, journalLag: 0, keyIds: '', drainingCalls: '' }),
    draining: () => false,
    onCompany: () => {
      state.company += 1
    },
    siblings,
    logger: { warn: () => undefined },
    now: () => state.now,
  })
  await heartbeat.start()
  state.isGone = true
  return { state, heartbeat }
}

describe('the only node of a database', () => {
  it('knows after three beats that it is cut off, and keeps its lease for as long as that lasts', async () => {
    const { state, heartbeat } = await beating(['a'])
    expect(heartbeat.isLoneCutOff()).toBe(false)
    state.now = 7000
    expect(heartbeat.isLoneCutOff()).toBe(true)
    state.now = 3_600_000
    expect(heartbeat.shareLease()).toBe(1)
    await heartbeat.stop()
  })

  it('has a lease of another number when it is back, so that it reads its shares anew', async () => {
    const { state, heartbeat } = await beating(['a'])
    state.now = 3_600_000
    state.isGone = false
    heartbeat.hurry()
    await heartbeat.stop()
    expect([heartbeat.isLoneCutOff(), heartbeat.shareLease()]).toEqual([false, 2])
  })
})

it('says once that a node is alone no more', async () => {
  const { state, heartbeat } = await beating(['a'])
  Object.assign(state, { isGone: false, live: ['a', 'b'] })
  heartbeat.hurry()
  heartbeat.hurry()
  await heartbeat.stop()
  expect(state.company).toBe(1)
})

it('lets a node of several know that others may have returned its shares', async () => {
  const { state, heartbeat } = await beating(['a', 'b', 'c'])
  state.now = 60_000
  expect([heartbeat.isLoneCutOff(), heartbeat.shareLease()]).toEqual([false, undefined])
  await heartbeat.stop()
})

describe('the workers of a machine that is alone', () => {
  /** Two workers, whose last words were of so many nodes elsewhere. */
  async function working(live: readonly string[]) {
    const words: number[] = []
    let hear: (elsewhere: number) => void = () => undefined
    const worker = await beating(live, {
      ids: () => new Set(['a', 'b']),
      reached: (elsewhere) => words.push(elsewhere),
      subscribe(reached) {
        hear = reached
      },
    })
    return { ...worker, words, hear: (elsewhere: number) => hear(elsewhere) }
  }

  it('are cut off together', async () => {
    const { state, heartbeat, words } = await working(['a', 'b'])
    state.now = 60_000
    expect([heartbeat.isLoneCutOff(), heartbeat.shareLease(), words]).toEqual([true, 1, [0]])
    await heartbeat.stop()
  })

  it('are not while one of them reaches the database, which others may then change', async () => {
    const { state, heartbeat, hear } = await working(['a', 'b'])
    state.now = 60_000
    hear(0)
    expect([heartbeat.isLoneCutOff(), heartbeat.shareLease()]).toEqual([false, undefined])
    state.now = 67_000
    expect(heartbeat.isLoneCutOff()).toBe(true)
    hear(1)
    state.now = 90_000
    expect(heartbeat.isLoneCutOff()).toBe(false)
    await heartbeat.stop()
  })

  it('are not where a node of another machine lives', async () => {
    const { state, heartbeat, words } = await working(['a', 'b', 'c'])
    state.now = 60_000
    expect([heartbeat.isLoneCutOff(), words]).toEqual([false, [1]])
    await heartbeat.stop()
  })
})
