import { describe, expect, it } from 'bun:test'
import { checkAddresses, checkExpiry, currentStatus, refuseEnablingSpent } from './token-rules.ts'

const now = 1_800_000_000

describe('expiry of a key', () => {
  it('is a time in the future, or -1 for never', () => {
    expect(() => checkExpiry(-1, now)).not.toThrow()
    expect(() => checkExpiry(now + 1, now)).not.toThrow()
  })

  it.each([
    ['the past', now - 1],
    ['this very second', now],
    ['zero', 0],
    ['another negative number', -2],
    ['milliseconds sent for seconds', now * 1000],
  ])('is never %s', (_, expiry) => {
    expect(() => checkExpiry(expiry, now)).toThrow(/expiry/i)
  })
})

describe('allowed addresses of a key', () => {
  it('are single addresses and ranges of both kinds', () => {
    expect(() => checkAddresses('10.0.0.1\n192.168.0.0/16\n2001:db8::/32')).not.toThrow()
    expect(() => checkAddresses('')).not.toThrow()
  })

  it('are refused by name when one cannot be read, so that no key stays open by mistake', () => {
    expect(() => checkAddresses('10.0.0.1\n10.0.0.0/33')).toThrow('10.0.0.0/33')
    expect(() => checkAddresses('example.com')).toThrow('example.com')
  })
})

describe('status of a key', () => {
  const alive = { expiresAt: null, unlimitedQuota: false, remainQuota: 5 }

  it('shows an enabled key as expired or exhausted as soon as it is', () => {
    expect(currentStatus('enabled', alive, now)).toBe('enabled')
    expect(currentStatus('enabled', { ...alive, expiresAt: now }, now)).toBe('enabled')
    expect(currentStatus('enabled', { ...alive, expiresAt: now - 1 }, now)).toBe('expired')
    expect(currentStatus('enabled', { ...alive, remainQuota: 0 }, now)).toBe('exhausted')
    expect(currentStatus('enabled', { ...alive, remainQuota: -3, unlimitedQuota: true }, now)).toBe('enabled')
  })

  it('leaves a key off that a person switched off', () => {
    expect(currentStatus('disabled', { ...alive, expiresAt: 1 }, now)).toBe('disabled')
  })

  it('allows enabling only what would work', () => {
    refuseEnablingSpent(alive, now)
    expect(() => refuseEnablingSpent({ ...alive, expiresAt: 1 }, now)).toThrow('has expired')
    expect(() => refuseEnablingSpent({ ...alive, remainQuota: 0 }, now)).toThrow('used up')
  })
})
