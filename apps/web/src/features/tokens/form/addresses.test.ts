import { describe, expect, it } from 'bun:test'
import { addressLines, firstBadAddress, hasBadFinishedLine, isAddressRange } from './addresses.ts'

const good = [
  '10.0.0.1',
  '255.255.255.255',
  '10.0.0.0/8',
  '0.0.0.0/0',
  '10.0.0.1/32',
  '::',
  '::1',
  '2001:db8::1',
  '2001:db8::/32',
  '2001:DB8:0:0:0:0:0:1/128',
  '::ffff:10.0.0.1',
  '::ffff:10.0.0.0/104',
]
const bad = [
  '10.0.0',
  '10.0.0.256',
  '010.0.0.1',
  '10.0.0.1/33',
  '10.0.0.1/',
  '10.0.0.1/a',
  '10.0.0.1/8/8',
  '10.0.0.1 ',
  '2001:db8::1::2',
  '2001:db8:::1',
  '2001:db8::/129',
  'fe80::1%eth0',
  '2001:db8::1:',
  '12345::',
  'example.com',
  '[::1]',
  '::1]/@x',
  '::ffff:10.0.0.0/8',
]

describe('allowed addresses', () => {
  it.each(good)('takes %s', (text) => {
    expect(isAddressRange(text)).toBe(true)
  })

  it.each(bad)('refuses %p', (text) => {
    expect(isAddressRange(text)).toBe(false)
  })

  it('are one per line or parted by commas, none twice', () => {
    expect(addressLines(' 10.0.0.1\n\n10.0.0.0/8, ::1，10.0.0.1\n')).toEqual([
      '10.0.0.1',
      '10.0.0.0/8',
      '::1',
    ])
    expect(addressLines('')).toEqual([])
  })

  it('names the first line that is none', () => {
    expect(firstBadAddress('10.0.0.1\nhome, 10.0.0.300')).toBe('home')
    expect(firstBadAddress('10.0.0.1')).toBeUndefined()
  })

  it('leave the line alone that is being typed', () => {
    expect(hasBadFinishedLine('10.0.')).toBe(false)
    expect(hasBadFinishedLine('10.0.0.1\n10.')).toBe(false)
    expect(hasBadFinishedLine('10.0.\n')).toBe(true)
  })
})
