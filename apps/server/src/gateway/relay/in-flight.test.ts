import { describe, expect, it } from 'bun:test'
import type { DisconnectListener } from '@tollgate/http/server'
import { createInFlight } from './in-flight.ts'

const staying = { isDisconnected: false, onDisconnect() {} }

/** A caller who hangs up when told to. */
function leaving() {
  let listener: DisconnectListener | undefined
  return {
    isDisconnected: false,
    onDisconnect(reported: DisconnectListener) {
      listener = reported
    },
    hangUp: () => listener?.disconnected(),
  }
}

describe('InFlight', () => {
  it('drains at once when nothing is being served', async () => {
    await createInFlight().drain(1000)
  })

  it('waits for calls that end by themselves and ends those that do not', async () => {
    const inFlight = createInFlight()
    const quick = inFlight.enter(staying)
    const slow = inFlight.enter(staying)
    const ended: string[] = []
    slow.opened({
      end(reason) {
        ended.push(reason)
        slow.leave()
      },
    })
    quick.opened({ end: (reason) => ended.push(`quick ${reason}`) })
    setTimeout(() => quick.leave(), 5)
    await inFlight.drain(40)
    expect(ended).toEqual(['shutdown'])
    expect(inFlight.count).toBe(0)
  })

  it('counts calls by the channel that serves each of them now', () => {
    const inFlight = createInFlight()
    const [moved, ended] = [inFlight.enter(staying), inFlight.enter(staying)]
    inFlight.enter(staying)
    for (const entry of [moved, ended]) entry.reaches(7)
    expect([...inFlight.countByChannel()]).toEqual([[7, 2]])
    moved.reaches(8)
    ended.leave()
    expect([...inFlight.countByChannel()]).toEqual([[8, 1]])
  })

  it('has what could go on without end retire, also what is opened later, and leaves every other call alone', () => {
    const inFlight = createInFlight()
    const reported: string[] = []
    const open = (name: string) =>
      inFlight
        .enter(staying)
        .opened({ end: () => reported.push(`end ${name}`), retire: () => reported.push(name) })
    open('session')
    inFlight.enter(staying).opened({ end: () => reported.push('end call') })
    inFlight.retire()
    open('late session')
    expect(reported).toEqual(['session', 'late session'])
  })

  it('ends what a caller who hangs up has open upstream, and whatever is opened for them afterwards', () => {
    const caller = leaving()
    const entry = createInFlight().enter(caller)
    const ended: string[] = []
    entry.opened({ end: (reason) => ended.push(`first ${reason}`) })
    entry.opened({ end: (reason) => ended.push(`second ${reason}`) })
    caller.hangUp()
    entry.opened({ end: (reason) => ended.push(`third ${reason}`) })
    expect(ended).toEqual(['second client', 'third client'])
  })

  it('lets a sent exchange go on without its caller, until the response starts to flow', () => {
    const caller = leaving()
    const entry = createInFlight().enter(caller, true)
    const ended: string[] = []
    const sent = { isSent: true, end: (reason: string) => ended.push(`sent ${reason}`) }
    entry.opened({ end: (reason) => ended.push(`unsent ${reason}`) })
    caller.hangUp()
    expect(ended).toEqual(['unsent client'])
    entry.opened(sent)
    expect(ended).toHaveLength(1)
    entry.endsWithCaller()
    expect(ended).toEqual(['unsent client', 'sent client'])
  })

  it('ends a call that outlives its caller when the time to stop is over', async () => {
    const caller = leaving()
    const inFlight = createInFlight()
    const entry = inFlight.enter(caller, true)
    const ended: string[] = []
    entry.opened({
      isSent: true,
      end(reason) {
        ended.push(reason)
        entry.leave()
      },
    })
    caller.hangUp()
    await inFlight.drain(5)
    expect(ended).toEqual(['shutdown'])
  })
})
