import { describe, expect, it } from 'bun:test'
import type { CallOutcome } from '@tollgate/api'
import { callsByModel, daysOf, stateOf } from './model-states.ts'

const calls = (outcome: CallOutcome, count: number, step = 0) => ({ model: 'm', step, outcome, count })

describe('days of a model', () => {
  const daysOfRows = (...rows: ReturnType<typeof calls>[]) => daysOf(callsByModel(rows, 3).get('m'), 3)

  it('count what callers received, and no refusal for a fault of their own', () => {
    const own = [calls('caller', 900), calls('balance', 900), calls('limit', 900)]
    expect(daysOfRows(calls('ok', 90), calls('upstream', 6), calls('broken', 4), ...own)).toEqual([
      0.9,
      null,
      null,
    ])
    expect(daysOfRows(calls('no_channel', 15, 2), calls('gateway', 5, 2))).toEqual([null, null, 0])
  })

  it('have no share where few calls would be read from it, and never all for almost all', () => {
    expect(
      daysOfRows(calls('ok', 19), calls('ok', 20, 1), calls('ok', 9999, 2), calls('broken', 1, 2)),
    ).toEqual([null, 1, 0.999])
    expect(daysOf(undefined, 2)).toEqual([null, null])
  })
})

describe('the state of a model', () => {
  const state = (ok: number, failed: number, hasSucceeded = true, isOut = false) =>
    stateOf({ recent: { ok, failed }, hasSucceeded, isOut })

  it('follows the last minutes where there are enough calls', () => {
    expect([state(95, 5), state(94, 6), state(50, 50), state(49, 51)]).toEqual([
      'operational',
      'degraded',
      'degraded',
      'outage',
    ])
  })

  it('is an outage while no channel takes calls, and unknown where nothing has responded', () => {
    expect([state(4, 0), state(0, 4), state(0, 4, false), state(100, 0, true, true)]).toEqual([
      'operational',
      'operational',
      'unknown',
      'outage',
    ])
    expect(stateOf({ recent: undefined, hasSucceeded: false, isOut: false })).toBe('unknown')
  })
})
