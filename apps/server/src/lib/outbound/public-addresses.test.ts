import { describe, expect, it } from 'bun:test'
import ipaddr from 'ipaddr.js'
import { leadsOutside, routedBlocks, specialBlocks } from './public-addresses.ts'

const isIpv4 = (range: string) => !range.includes(':')

/** First, middle and last address of a range. */
function addressesIn(range: string): string[] {
  const [network = '', length = isIpv4(range) ? '32' : '128'] = range.split('/')
  const first = ipaddr.parse(network).toByteArray()
  const filled = (from: number, byte: number) =>
    first.map((own, index) => {
      const bits = Math.min(8, Math.max(0, (index + 1) * 8 - from))
      return bits === 0 ? own : own | (byte & ((1 << bits) - 1))
    })
  const all = [first, filled(Number(length), 0x55), filled(Number(length), 0xff)]
  return all.map((bytes) => ipaddr.fromByteArray(bytes).toString())
}

const hex = (bytes: readonly number[]) =>
  [0, 2].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16)).join(':')
const bytesOf = (ipv4: string) => ipv4.split('.').map(Number)
const inverted = (ipv4: string) => hex(bytesOf(ipv4).map((byte) => byte ^ 0xff))

/** Every way to write an IPv4 address into IPv6 whose packets the network may bring to it. */
const embeddings: Readonly<Record<string, (ipv4: string) => string>> = {
  mapped: (ipv4) => `::ffff:${ipv4}`,
  'mapped, in hexadecimal': (ipv4) => `::ffff:${hex(bytesOf(ipv4))}`,
  NAT64: (ipv4) => `64:ff9b::${ipv4}`,
  '6to4': (ipv4) => `2002:${hex(bytesOf(ipv4))}::1`,
  'client of Teredo': (ipv4) => `2001:0:808:808::${inverted(ipv4)}`,
  'server of Teredo': (ipv4) => `2001:0:${hex(bytesOf(ipv4))}::${inverted('8.8.8.8')}`,
}

/** Forms that no network of the internet routes, whatever address is inside. */
const unrouted: Readonly<Record<string, (ipv4: string) => string>> = {
  compatible: (ipv4) => `::${ipv4}`,
  'translated (SIIT)': (ipv4) => `::ffff:0:${ipv4}`,
  'a translator of its own network': (ipv4) => `64:ff9b:1::${ipv4}`,
}

describe('addresses of the internet', () => {
  for (const { range, name } of specialBlocks)
    it(`have none of ${range} (${name}) among them, in any form`, () => {
      for (const address of addressesIn(range)) {
        const forms = isIpv4(range)
          ? Object.values({ ...embeddings, ...unrouted }).map((form) => form(address))
          : []
        for (const text of [address, ...forms]) expect([text, leadsOutside(text)]).toEqual([text, false])
      }
    })

  it('have public IPv4 among them, itself and inside what networks route', () => {
    for (const address of [
      '1.1.1.1',
      '8.8.8.8',
      '100.128.0.1',
      '172.32.0.1',
      '198.20.0.1',
      '223.255.255.254',
    ])
      for (const text of [address, ...Object.values(embeddings).map((form) => form(address))])
        expect([text, leadsOutside(text)]).toEqual([text, true])
    for (const form of Object.values(unrouted)) expect(leadsOutside(form('8.8.8.8'))).toBe(false)
  })

  it('have nothing of IPv6 among them outside of what is routed', () => {
    expect(routedBlocks.map(({ range }) => range)).toEqual(['0.0.0.0/0', '2000::/3'])
    for (let top = 0; top < 256; top += 1) {
      const text = `${(top << 8).toString(16)}:1234::9`
      expect([text, leadsOutside(text)]).toEqual([text, top >= 0x20 && top <= 0x3f])
    }
  })

  it('have no text among them that is no address', () => {
    for (const text of ['', 'localhost', 'fe80::1%eth0', '2606:4700::1111%1', '1.2.3', '0x7f.1'])
      expect([text, leadsOutside(text)]).toEqual([text, false])
  })
})
