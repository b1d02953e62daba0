import { afterEach, describe, expect, it } from 'bun:test'
import { createEventBus } from '../../../lib/async/event-bus.ts'
import type { ChangeEvents } from '../../../store/change-events.ts'
import { Deadlines } from '../../../upstream/deadlines.ts'
import type { RelayCaller } from '../admission.ts'
import { RelayError } from '../relay-error.ts'
import { createCallerWatch } from './caller-watch.ts'

const caller = { user: { id: 5 }, tokenId: 7 } as RelayCaller
const disabled = new RelayError('token_disabled', 'This key is disabled.')
let deadlines: Deadlines
afterEach(() => deadlines.close())

function watch(admit: () => RelayCaller) {
  const bus = createEventBus<ChangeEvents>(() => undefined)
  const reasons: RelayError[] = []
  const failures: unknown[] = []
  let now = 0
  deadlines = new Deadlines({ now: () => now }, 1)
  const failed = (error: unknown) => failures.push(error)
  const end = createCallerWatch(caller, admit, { bus, deadlines, failed })((reason) => reasons.push(reason))
  const pass = async (ms: number) => {
    now += ms
    await Bun.sleep(20)
  }
  return { bus, reasons, failures, end, pass }
}

describe('createCallerWatch', () => {
  it('reports at once that the key or its owner may not call any more', async () => {
    for (const event of [{ 'token-changed': { id: 7 } }, { 'user-changed': { id: 5 } }] as const) {
      let admit = () => caller
      const { bus, reasons } = watch(() => admit())
      admit = () => {
        throw disabled
      }
      bus.publish('token-changed', { id: 8, keyHash: '' })
      expect(reasons).toEqual([])
      for (const [name, { id }] of Object.entries(event))
        bus.publish(name as 'token-changed', { id, keyHash: '' })
      await Bun.sleep(0)
      expect(reasons).toEqual([disabled])
    }
  })

  it('notices what changed before it began, an end of time that nothing announces, and another owner', async () => {
    let admit = (): RelayCaller => {
      throw disabled
    }
    const early = watch(() => admit())
    await Bun.sleep(0)
    expect(early.reasons).toEqual([disabled])
    admit = () => caller
    const later = watch(() => admit())
    await later.pass(20_000)
    expect(later.reasons).toEqual([])
    admit = () => ({ ...caller, user: { ...caller.user, id: 6 } })
    await later.pass(20_000)
    expect(later.reasons.map(({ code }) => code)).toEqual(['invalid_api_key'])
  })

  it('goes on while the database is away, and hears nothing after its end', async () => {
    const away = new RelayError('database_unavailable', 'away')
    const { bus, reasons, failures, end, pass } = watch(() => {
      throw away
    })
    await Bun.sleep(0)
    expect([reasons, failures]).toEqual([[], [away]])
    end()
    bus.publish('token-changed', { id: 7, keyHash: '' })
    await pass(20_000)
    expect(failures).toHaveLength(1)
  })
})
