import { describe, expect, it } from 'bun:test'
import { newTotp, stepOfCode } from './second-factor.ts'

/** `12345678901234567890` of RFC 6238, in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('time-based codes', () => {
  it('are those of RFC 6238, with its last six digits', async () => {
    for (const [seconds, code] of [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_234_567_890, '005924'],
      [20_000_000_000, '353130'],
    ] as const)
      expect(await stepOfCode(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
  })

  it('are valid one step before and after theirs, and return their step', async () => {
    const step = Math.floor(1_234_567_890 / 30)
    const at = (steps: number) => stepOfCode(secret, '005924', (step + steps) * 30_000)
    expect([await at(-2), await at(-1), await at(0), await at(1), await at(2)]).toEqual([
      undefined,
      step,
      step,
      step,
      undefined,
    ])
  })

  it('may be typed with a space, and have no other form', async () => {
    const now = 1_234_567_890_000
    expect(await stepOfCode(secret, '005 924', now)).toBeDefined()
    for (const code of ['', '5924', '0059240', '00592a', '００５９２４'])
      expect(await stepOfCode(secret, code, now)).toBeUndefined()
  })

  it('come from a new secret of 160 bits, in the form that authenticators read', async () => {
    const { secret: made, uri } = await newTotp('Our gateway', 'ann')
    expect(made).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toStartWith('otpauth://totp/Our%20gateway:ann?')
    expect(uri).toContain(`secret=${made}`)
    expect((await newTotp('Our gateway', 'ann')).secret).not.toBe(made)
  })
})
