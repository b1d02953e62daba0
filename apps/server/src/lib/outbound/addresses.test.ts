import { describe, expect, it } from 'bun:test'
import {
  type AddressRange,
  canonicalAddress,
  createAddressMatcher,
  parseAddressRange,
  subscriberOf,
} from './addresses.ts'

function matcherOf(...texts: string[]) {
  return createAddressMatcher(texts.map((text) => parseAddressRange(text) as AddressRange))
}

describe('parseAddressRange', () => {
  it.each(['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '2001:db8::1', '2001:db8::/32', '::ffff:10.0.0.0/104'])(
    'reads %s',
    (text) => expect(parseAddressRange(text)).toBeDefined(),
  )

  it.each([
    '',
    'localhost',
    '10.0.0',
    '010.0.0.1',
    '256.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '2001:db8::/129',
    'fe80::1%eth0',
    '::ffff:10.0.0.0/95',
    '1',
    '0x7f.0.0.1',
  ])('refuses %p', (text) => expect(parseAddressRange(text)).toBeUndefined())
})

describe('createAddressMatcher', () => {
  it('finds addresses inside a range and not those beside it', () => {
    const matches = matcherOf('10.1.0.0/16', '2001:db8::/32', '192.0.2.7')
    expect(['10.1.255.255', '2001:db8:1::1', '192.0.2.7'].map(matches)).toEqual([true, true, true])
    expect(['10.2.0.0', '2001:db9::1', '192.0.2.8'].map(matches)).toEqual([false, false, false])
  })

  it('treats an IPv4 address inside IPv6 as the IPv4 address, on both sides', () => {
    expect(matcherOf('10.0.0.0/8')('::ffff:10.2.3.4')).toBe(true)
    expect(matcherOf('::ffff:10.0.0.0/104')('10.2.3.4')).toBe(true)
    expect(matcherOf('::ffff:10.0.0.0/104')('11.2.3.4')).toBe(false)
  })

  it('matches nothing without ranges, and never text that is not an address', () => {
    expect(matcherOf()('10.0.0.1')).toBe(false)
    expect(matcherOf('0.0.0.0/0')('')).toBe(false)
    expect(matcherOf('0.0.0.0/0')('unknown')).toBe(false)
  })
})

it('writes each address in one way', () => {
  expect(canonicalAddress('::ffff:1.2.3.4')).toBe('1.2.3.4')
  expect(canonicalAddress('2001:DB8:0::1')).toBe('2001:db8::1')
  expect(canonicalAddress('::10.0.0.1')).toBe('::a00:1')
  expect(canonicalAddress('64:ff9b::10.0.0.1')).toBe('64:ff9b::a00:1')
  expect(canonicalAddress('nonsense')).toBeUndefined()
})

it('counts all addresses of one IPv6 /64 as one subscriber', () => {
  expect(subscriberOf('2001:db8:1:2:3:4:5:6')).toBe(subscriberOf('2001:db8:1:2::9'))
  expect(subscriberOf('2001:db8:1:2::9')).not.toBe(subscriberOf('2001:db8:1:3::9'))
  expect(subscriberOf('192.0.2.1')).toBe('192.0.2.1')
})
