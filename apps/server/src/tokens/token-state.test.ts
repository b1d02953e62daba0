import { describe, expect, it } from 'bun:test'
import { refuseEnablingSpent, shownStatus } from './token-state.ts'

const now = 1000
const alive = { expiresAt: null, unlimitedQuota: false, remainQuota: 5 }

describe('status of a key', () => {
  it('shows an enabled key as expired or exhausted as soon as it is', () => {
    expect(shownStatus('enabled', alive, now)).toBe('enabled')
    expect(shownStatus('enabled', { ...alive, expiresAt: now }, now)).toBe('enabled')
    expect(shownStatus('enabled', { ...alive, expiresAt: now - 1 }, now)).toBe('expired')
    expect(shownStatus('enabled', { ...alive, remainQuota: 0 }, now)).toBe('exhausted')
    expect(shownStatus('enabled', { ...alive, remainQuota: -3, unlimitedQuota: true }, now)).toBe('enabled')
  })

  it('leaves a status that somebody set', () => {
    for (const status of ['disabled', 'expired', 'exhausted'] as const) {
      expect(shownStatus(status, { ...alive, expiresAt: 1 }, now)).toBe(status)
    }
  })

  it('allows enabling only what would work', () => {
    refuseEnablingSpent(alive, now)
    expect(() => refuseEnablingSpent({ ...alive, expiresAt: 1 }, now)).toThrow('has expired')
    expect(() => refuseEnablingSpent({ ...alive, remainQuota: 0 }, now)).toThrow('used up')
  })
})
