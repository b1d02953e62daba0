import { describe, expect, it } from 'bun:test'
import { createKeyRing, keyIdOf } from './key-ring.ts'
import { sealedInFirstForm } from './test-support/first-form.ts'

const former = 'the former secret of this installation'
const next = 'the next secret of this installation'
const position = { column: 'channels.keys_sealed', row: '7' }

describe('createKeyRing', () => {
  it('names the key in the text, and nothing of the secret', () => {
    const sealed = createKeyRing([former]).seal('sk-upstream', position)
    expect(sealed).toStartWith(`v2.${keyIdOf(former)}.`)
    expect(sealed).not.toContain('sk-upstream')
    expect(createKeyRing([former]).open(sealed, position)).toBe('sk-upstream')
  })

  it('opens a text in its own place alone', () => {
    const ring = createKeyRing([former])
    const sealed = ring.seal('sk-upstream', position)
    expect(() => ring.open(sealed, { ...position, row: '8' })).toThrow()
    expect(() => ring.open(sealed, { ...position, column: 'tokens.key_sealed' })).toThrow()
    expect(() => ring.open(`${sealed.slice(0, -4)}AAA=`, position)).toThrow()
  })

  it('opens what a former key sealed as long as the key is accepted', () => {
    const sealed = createKeyRing([former]).seal('sk-upstream', position)
    const ring = createKeyRing([next])
    expect(() => ring.open(sealed, position)).toThrow('a key that is not known')
    ring.accept(former)
    expect(ring.open(sealed, position)).toBe('sk-upstream')
    expect(sealed.startsWith(ring.prefix)).toBe(false)
    ring.forgetOthers()
    expect(() => ring.open(sealed, position)).toThrow()
  })

  it('seals with the active key', () => {
    const ring = createKeyRing([former, next])
    expect(ring.active).toBe(keyIdOf(former))
    ring.activate(keyIdOf(next))
    expect(createKeyRing([next]).open(ring.seal('text', position), position)).toBe('text')
    expect(() => ring.activate('no key')).toThrow()
  })

  it('opens texts of the first form with any of its keys', () => {
    const sealed = sealedInFirstForm('sk-old', former)
    expect(createKeyRing([next, former]).open(sealed, position)).toBe('sk-old')
    expect(() => createKeyRing([next]).open(sealed, position)).toThrow()
  })
})
