import '../../test-support/dom.ts'
import { afterEach, beforeEach, expect, it } from 'bun:test'
import { whenUsed } from './when-used.ts'

const { requestIdleCallback: request, cancelIdleCallback: cancel } = globalThis
let waiting: Map<number, () => void>
let runs: number

beforeEach(() => {
  waiting = new Map()
  runs = 0
  Object.assign(globalThis, {
    requestIdleCallback: (run: () => void) => {
      waiting.set(waiting.size + 1, run)
      return waiting.size
    },
    cancelIdleCallback: (handle: number) => waiting.delete(handle),
  })
})
afterEach(() => {
  Object.assign(globalThis, { requestIdleCallback: request, cancelIdleCallback: cancel })
})

const count = () => {
  runs += 1
}
function beIdle(): void {
  for (const run of waiting.values()) run()
  waiting.clear()
}

it.each(['pointermove', 'pointerdown', 'keydown'])(
  'runs once after %s, when nothing else is to be done',
  (sign) => {
    whenUsed(count)
    beIdle()
    expect([waiting.size, runs]).toEqual([0, 0])
    window.dispatchEvent(new Event(sign))
    window.dispatchEvent(new Event(sign))
    expect([waiting.size, runs]).toEqual([1, 0])
    beIdle()
    expect(runs).toBe(1)
  },
)

it('is called off before a sign, and between a sign and a pause', () => {
  whenUsed(count)()
  window.dispatchEvent(new Event('keydown'))
  expect(waiting.size).toBe(0)
  const callOff = whenUsed(count)
  window.dispatchEvent(new Event('keydown'))
  callOff()
  beIdle()
  expect(runs).toBe(0)
})
