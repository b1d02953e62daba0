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

function watch(admit: () => RelayCaller, refuse?: (caller: RelayCaller) => void) {
  const bus = createEventBus<ChangeEvents>(() => undefined)
  const reasons: RelayError[] = []
  const failures: unknown[] = []
  let now = 0
  deadlines = new Deadlines({ now: () => now }, 1)
  const failed = (error: unknown) => failures.push(error)
  const channelsSettled = async () => undefined
  const watching = createCallerWatch(caller, admit, { bus, deadlines, channelsSettled, failed })
  const call = { channelId: 3, refuse: refuse ?? (() => undefined) }
  const end = watching((reason) => reasons.push(reason), call)
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

  it('reports at once that the call may not go on, when its channel or an option changes', async () => {
    const gone = new RelayError('no_available_channel', 'gone')
    const everything = [
      { 'channels-changed': { ids: [3] } },
      { 'options-changed': { keys: [] } },
      { 'everything-changed': {} },
    ]
    for (const event of everything) {
      let isGone = false
      const { bus, reasons, end } = watch(
        () => caller,
        () => {
          if (isGone) throw gone
        },
      )
      await Bun.sleep(0)
      isGone = true
      bus.publish('channels-changed', { ids: [4] })
      await Bun.sleep(0)
      expect(reasons).toEqual([])
      for (const [name, payload] of Object.entries(event))
        bus.publish(name as 'options-changed', payload as { keys: [] })
      await Bun.sleep(0)
      expect(reasons).toEqual([gone])
      end()
    }
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
