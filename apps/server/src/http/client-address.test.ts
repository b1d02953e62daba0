import { describe, expect, it } from 'bun:test'
import { createClientAddresses } from './client-address.ts'

function addressOf(trusted: string[], peer: string, headers: Record<string, string> = {}) {
  return createClientAddresses(trusted).of({ peerAddress: peer, headers: new Headers(headers) })
}

describe('client address', () => {
  it('is the peer, whatever forwarding headers a stranger sends', () => {
    expect(addressOf([], '192.0.2.1', { 'x-forwarded-for': '10.0.0.1' })).toBe('192.0.2.1')
    expect(addressOf(['10.0.0.0/8'], '192.0.2.1', { 'x-forwarded-for': '10.0.0.1' })).toBe('192.0.2.1')
  })

  it('is the right-most address that no trusted proxy owns', () => {
    const header = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.0.0.2' }
    expect(addressOf(['10.0.0.0/8'], '10.0.0.1', header)).toBe('203.0.113.9')
  })

  it('is the farthest proxy when the whole chain is trusted', () => {
    expect(addressOf(['10.0.0.0/8'], '10.0.0.1', { 'x-forwarded-for': '10.0.0.9, 10.0.0.2' })).toBe(
      '10.0.0.9',
    )
  })

  it('stops at an entry that is no address', () => {
    const header = { 'x-forwarded-for': '203.0.113.9, unknown, 10.0.0.2' }
    expect(addressOf(['10.0.0.0/8'], '10.0.0.1', header)).toBe('10.0.0.2')
    expect(addressOf(['10.0.0.0/8'], '10.0.0.1', { 'x-forwarded-for': '' })).toBe('10.0.0.1')
  })

  it('reads entries with ports and brackets, and writes IPv4 inside IPv6 as IPv4', () => {
    expect(addressOf(['10.0.0.0/8'], '::ffff:10.0.0.1', { 'x-forwarded-for': '203.0.113.9:4711' })).toBe(
      '203.0.113.9',
    )
    expect(addressOf(['::1'], '::1', { 'x-forwarded-for': '[2001:db8::7]:4711' })).toBe('2001:db8::7')
  })

  it('is empty when nobody knows the peer', () => {
    expect(addressOf([], '')).toBe('')
    expect(createClientAddresses([]).of(undefined)).toBe('')
  })
})

describe('secure', () => {
  function isSecure(trusted: string[], headers: Record<string, string>) {
    const sender = { peerAddress: '10.0.0.1', headers: new Headers(headers) }
    return createClientAddresses(trusted).isSecure(sender)
  }

  it('believes the protocol of a trusted proxy alone', () => {
    expect(isSecure(['10.0.0.1'], { 'x-forwarded-proto': 'https' })).toBe(true)
    expect(isSecure(['10.0.0.1'], { 'x-forwarded-proto': 'http' })).toBe(false)
    expect(isSecure([], { 'x-forwarded-proto': 'https' })).toBe(false)
    expect(isSecure(['10.0.0.1'], {})).toBe(false)
  })
})
