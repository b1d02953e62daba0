import { describe, expect, it } from 'bun:test'
import { failureReasonOf } from './failure-reasons.ts'

describe('why a call failed', () => {
  it('is the own reason, not the code of the upstream', () => {
    const error = { code: 'model_not_found', status: 404, reason: 'upstream_error' }
    expect(failureReasonOf({ error })).toBe('upstream_error')
  })

  it('is read from rows that have a code only', () => {
    expect(failureReasonOf({ error: { code: 'model_price_error', status: 400 } })).toBe('model_price_error')
    expect(failureReasonOf({ error: { code: 'rate_limit_exceeded', status: 429 } })).toBe('upstream_error')
  })

  it('of work that its upstream took is what the row says', () => {
    expect(
      failureReasonOf({ error: { code: 'task_failed', status: 0, reason: 'task_failed' } }),
    ).toBeUndefined()
  })

  it('is unknown where the row says nothing', () => {
    expect(failureReasonOf({})).toBeUndefined()
  })
})
