import { describe, expect, it } from 'bun:test'
import { createClientAddresses } from './client-address.ts'

function addressesOf(trustedProxies: readonly string[], serverAddress = '') {
  return createClientAddresses({ trustedProxies, serverAddress: () => serverAddress })
}

function addressOf(trusted: string[], peer: string, headers: Record<string, string> = {}) {
  return addressesOf(trusted).of({ peerAddress: peer, headers: new Headers(headers) })
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

  it('is the farthest proxy when every proxy of the chain is trusted', () => {
    expect(addressOf(['10.0.0.0/8'], '10.0.0.1', { 'x-forwarded-for': '10.0.0.9, 10.0.0.2' })).toBe(
      '10.0.0.9',
    )
  })

  it('stops at an entry that is not an address', () => {
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

  it('is empty when the peer is unknown', () => {
    expect(addressOf([], '')).toBe('')
    expect(addressesOf([]).of(undefined)).toBe('')
  })
})

const seen = (peerAddress: string, headers: Record<string, string> & { host?: string } = {}) => ({
  peerAddress,
  headers: new Headers({ host: 'gate.example', ...headers }),
})

describe('secure', () => {
  function isSecure(trusted: string[], headers: Record<string, string>) {
    return addressesOf(trusted).isSecure(seen('10.0.0.1', headers))
  }

  it('believes the protocol of a trusted proxy alone', () => {
    expect(isSecure(['10.0.0.1'], { 'x-forwarded-proto': 'https' })).toBe(true)
    expect(isSecure(['10.0.0.1'], { 'x-forwarded-proto': 'http' })).toBe(false)
    expect(isSecure([], { 'x-forwarded-proto': 'https' })).toBe(false)
    expect(isSecure(['10.0.0.1'], {})).toBe(false)
  })

  it('follows from an https address of the site, but on this machine', () => {
    const { isSecure } = addressesOf([], 'https://gate.example')
    expect(isSecure(seen('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }))).toBe(true)
    expect(isSecure(seen('203.0.113.9'))).toBe(true)
    expect(isSecure(seen('127.0.0.1', { host: 'localhost:3000' }))).toBe(false)
    expect(addressesOf([], 'http://gate.example').isSecure(seen('203.0.113.9'))).toBe(false)
  })
})

describe('a visitor on this machine', () => {
  const { isLocal } = addressesOf(['127.0.0.1'])

  it.each([
    ['127.0.0.1', 'localhost:3000'],
    ['127.8.0.1', '127.0.0.1:3000'],
    ['::ffff:127.0.0.1', 'gate.localhost'],
    ['::1', '[::1]:3000'],
  ])('is %s that asks for %s', (peer, host) => expect(isLocal(seen(peer, { host }))).toBe(true))

  it.each([
    ['192.168.0.2', { host: 'localhost' }],
    ['', { host: 'localhost' }],
    // A name of another site that leads here.
    ['127.0.0.1', { host: 'rebound.example' }],
    ['127.0.0.1', { host: '' }],
    ['127.0.0.1', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }],
    ['127.0.0.1', { host: 'localhost', forwarded: 'for=127.0.0.1' }],
    ['127.0.0.1', { host: 'localhost', 'x-real-ip': '127.0.0.1' }],
    ['127.0.0.1', { host: 'localhost', 'cf-connecting-ip': '203.0.113.9' }],
    ['127.0.0.1', { host: 'localhost', 'x-forwarded-proto': 'https' }],
    ['127.0.0.1', { host: 'localhost', via: '1.1 proxy' }],
  ])('is not %p with %j', (peer, headers) => expect(isLocal(seen(peer, headers))).toBe(false))

  it('does not send HTTP/1.0, as a proxy without forwarding headers does', () => {
    const headers = Object.assign(new Headers({ host: '127.0.0.1:3000' }), { isOld: true })
    expect(isLocal({ peerAddress: '127.0.0.1', headers })).toBe(false)
    expect(isLocal(undefined)).toBe(false)
  })
})

describe('whom limits count', () => {
  const { limitSubject } = addressesOf(['10.0.0.1'])

  it('is the peer on the internet, and whom a trusted proxy names', () => {
    const header = { 'x-forwarded-for': '203.0.113.9' }
    expect(limitSubject(seen('198.51.100.7', header))).toEqual({ address: '198.51.100.7' })
    expect(limitSubject(seen('10.0.0.1', header))).toEqual({ address: '203.0.113.9' })
    expect(limitSubject(undefined)).toEqual({ address: '' })
  })

  it('is the proxy alone when a trusted proxy names no client, since all clients may come through it', () => {
    expect(limitSubject(seen('10.0.0.1'))).toEqual({ address: undefined, proxy: '10.0.0.1' })
  })

  it.each([
    [{ 'x-forwarded-for': '6.6.6.6, 203.0.113.9' }, '203.0.113.9'],
    [{ 'x-forwarded-for': '203.0.113.9, 192.168.7.7' }, '203.0.113.9'],
    [{ 'x-forwarded-for': '192.168.7.7' }, '192.168.7.7'],
    [{ 'x-real-ip': '203.0.113.9' }, '203.0.113.9'],
    [{ 'x-forwarded-for': 'unknown' }, undefined],
    [{ 'x-forwarded-proto': 'https' }, undefined],
    [{}, undefined],
  ])('behind a private address that is not trusted is whom it names, and it: %j', (headers, address) => {
    expect(limitSubject(seen('172.17.0.1', headers))).toEqual({ address, proxy: '172.17.0.1' })
  })
})

describe('a proxy that is not trusted', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9' }

  it('is logged once, with its address', () => {
    const reported: string[] = []
    const addresses = createClientAddresses({
      trustedProxies: ['10.0.0.1'],
      serverAddress: () => '',
      onUntrustedProxy: (address) => reported.push(address),
    })
    for (const sender of [seen('203.0.113.7', forwarded), seen('10.0.0.1', forwarded), seen('127.0.0.1')])
      addresses.limitSubject(sender)
    expect(addresses.untrustedProxy).toBe('')
    addresses.limitSubject(seen('::ffff:172.17.0.1', forwarded))
    addresses.limitSubject(seen('172.17.0.2', forwarded))
    expect(addresses.untrustedProxy).toBe('172.17.0.1')
    expect(reported).toEqual(['172.17.0.1'])
  })
})

it.each([
  ['10.0.0.1', true],
  ['::ffff:10.0.0.1', true],
  ['10.0.0.2', false],
  ['', false],
])('knows whether the peer %s is a trusted proxy: %p', (peer, isTrusted) => {
  const { isTrustedProxy } = createClientAddresses({ trustedProxies: ['10.0.0.1'], serverAddress: () => '' })
  expect(isTrustedProxy(peer)).toBe(isTrusted)
})
