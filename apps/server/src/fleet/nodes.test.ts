import { describe, expect, it } from 'bun:test'
import { createHeartbeat } from './nodes.ts'

const node = { id: 'a', version: '1', address: 'here', startedMs: 0 }

/** A heartbeat by a clock of the test's own, over a database that may be gone. */
async function beating(live: number) {
  const state = { now: 0, isGone: false, live }
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
    logger: { warn: () => undefined },
    now: () => state.now,
  })
  await heartbeat.start()
  state.isGone = true
  return { state, heartbeat }
}

describe('the only node of a database', () => {
  it('knows after three beats that it is cut off, and keeps its lease for as long as that lasts', async () => {
    const { state, heartbeat } = await beating(1)
    expect(heartbeat.isLoneCutOff()).toBe(false)
    state.now = 7000
    expect(heartbeat.isLoneCutOff()).toBe(true)
    state.now = 3_600_000
    expect(heartbeat.shareLease()).toBe(1)
    await heartbeat.stop()
  })

  it('has a lease of another number when it is back, so that it reads its shares anew', async () => {
    const { state, heartbeat } = await beating(1)
    state.now = 3_600_000
    state.isGone = false
    heartbeat.hurry()
    await heartbeat.stop()
    expect([heartbeat.isLoneCutOff(), heartbeat.shareLease()]).toEqual([false, 2])
  })
})

it('lets a node of several know that others may have returned its shares', async () => {
  const { state, heartbeat } = await beating(3)
  state.now = 60_000
  expect([heartbeat.isLoneCutOff(), heartbeat.shareLease()]).toEqual([false, undefined])
  await heartbeat.stop()
})
