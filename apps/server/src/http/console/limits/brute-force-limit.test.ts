import { describe, expect, it } from 'bun:test'
import { createBruteForceLimit } from './rate-limits.ts'

const limit = 20

function setUp() {
  const time = { ms: 0 }
  return {
    time,
    defence: createBruteForceLimit({ limit, windowSeconds: 1200, clock: { now: () => time.ms } }),
  }
}

const hex = (value: number) => value.toString(16)

describe('tries at secrets', () => {
  it('are bounded for a /48, however many of its addresses try', () => {
    const { defence } = setUp()
    let admitted = 0
    for (let subnet = 0; subnet < 65_536; subnet += 16)
      for (let host = 1; host <= 3; host += 1)
        if (defence.take(`2001:db8:1:${hex(subnet)}::${hex(host)}`)) admitted += 1
    expect(admitted).toBe(4 * limit)
    expect(defence.isSpent('2001:db8:1:abcd::99')).toBe(true)
    expect(defence.isSpent('2001:db8:2::1')).toBe(false)
    expect(defence.isSpent('192.0.2.1')).toBe(false)
  })

  it('are bounded for a /56 and for a /64', () => {
    const { defence } = setUp()
    const tries = (address: (turn: number) => string) =>
      Array.from({ length: 200 }, (_, turn) => defence.take(address(turn))).filter(Boolean).length
    expect(tries((turn) => `2001:db8:1:100::${hex(turn + 1)}`)).toBe(limit)
    expect(tries((turn) => `2001:db8:3:${hex(0x100 + turn)}::1`)).toBe(2 * limit)
  })

  it('are forgotten by nothing but time: addresses without room share one count', () => {
    const { defence, time } = setUp()
    let admitted = 0
    for (let site = 0; site < 300_000; site += 1)
      if (defence.take(`10.${site >> 16}.${(site >> 8) & 255}.${site & 255}`)) admitted += 1
    expect(admitted).toBe(100_000 + 50 * limit)
    for (let again = 0; again < limit; again += 1) defence.take('10.0.0.0')
    expect(defence.isSpent('10.0.0.0')).toBe(true)
    time.ms = 3 * 1_200_000
    expect(defence.take('203.0.113.7')).toBe(true)
  })

  it('that were right are given back at every width', () => {
    const { defence } = setUp()
    for (let turn = 0; turn < 1000; turn += 1) {
      const address = `2001:db8:1:${hex(turn)}::1`
      expect(defence.take(address)).toBe(true)
      defence.giveBack(address)
    }
  })

  it('say when a spent network may try again', () => {
    const { defence, time } = setUp()
    for (let subnet = 0; subnet < 200; subnet += 1) defence.take(`2001:db8:1:${hex(subnet * 256)}::1`)
    const wait = defence.retryAfterSeconds('2001:db8:1:ffff::1')
    time.ms += wait * 1000
    expect(defence.take('2001:db8:1:ffff::1')).toBe(true)
  })
})
