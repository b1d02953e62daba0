import { describe, expect, it } from 'bun:test'
import {
  checkedAllowIps,
  checkedExpiry,
  checkedModelLimits,
  checkedName,
  checkedQuota,
} from './token-fields.ts'

const now = 1_800_000_000

describe('name of a key', () => {
  it('is trimmed and required', () => {
    expect(checkedName('  laptop ')).toBe('laptop')
    expect(() => checkedName(' \t')).toThrow('Please enter a name')
  })

  it('is measured in characters, not in bytes', () => {
    expect(checkedName('密'.repeat(30))).toHaveLength(30)
    expect(checkedName('🙂'.repeat(30))).toBe('🙂'.repeat(30))
    expect(() => checkedName('a'.repeat(31))).toThrow('at most 30 characters')
  })
})

describe('quota of a key', () => {
  it.each([0, 1, 10 ** 15])('may be %d', (quota) => expect(checkedQuota(quota)).toBe(quota))
  it.each([-1, 0.5, Number.NaN, 10 ** 15 + 1, Number.MAX_SAFE_INTEGER, 2 ** 60])('may not be %d', (quota) => {
    expect(() => checkedQuota(quota)).toThrow('whole number')
  })
})

describe('expiry of a key', () => {
  it('is a time in the future, or -1 for never', () => {
    expect(checkedExpiry(-1, now)).toBeNull()
    expect(checkedExpiry(now + 1, now)).toBe(now + 1)
  })

  it.each([
    ['the past', now - 1],
    ['this very second', now],
    ['zero', 0],
    ['another negative number', -2],
    ['milliseconds sent for seconds', now * 1000],
  ])('is never %s', (_, expiry) => {
    expect(() => checkedExpiry(expiry, now)).toThrow(/expiry/i)
  })
})

describe('allowed models of a key', () => {
  it('are trimmed and listed once', () => {
    expect(checkedModelLimits(' gpt-4o, claude ,gpt-4o,,')).toEqual(['gpt-4o', 'claude'])
    expect(checkedModelLimits(null)).toEqual([])
  })

  it('are refused when the list is too long to keep', () => {
    expect(() =>
      checkedModelLimits(Array.from({ length: 400 }, (_, n) => `some-model-${n}`).join(',')),
    ).toThrow('too long')
  })
})

describe('allowed addresses of a key', () => {
  it('are single addresses and ranges of both kinds, one per line', () => {
    const text = ' 10.0.0.1 \r\n\n192.168.0.0/16,\n2001:db8::/32\n10.0.0.1'
    expect(checkedAllowIps(text)).toBe('10.0.0.1\n192.168.0.0/16\n2001:db8::/32')
    expect(checkedAllowIps(null)).toBe('')
  })

  it('are refused by name when one cannot be read, so that no key stays open by mistake', () => {
    expect(() => checkedAllowIps('10.0.0.1\n10.0.0.0/33')).toThrow('10.0.0.0/33')
    expect(() => checkedAllowIps('example.com')).toThrow('example.com')
  })

  it('are refused when there are more than can be kept', () => {
    const many = Array.from({ length: 600 }, (_, n) => `10.0.${Math.floor(n / 250)}.${n % 250}`).join('\n')
    expect(() => checkedAllowIps(many)).toThrow('allow_ips')
  })
})
