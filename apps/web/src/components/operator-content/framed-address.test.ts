import { describe, expect, it } from 'bun:test'
import { framedAddress } from './operator-content.tsx'

describe('an address as content', () => {
  const own = 'https://gate.example'

  it('is framed when it is https and elsewhere', () => {
    expect(framedAddress(' https://home.example/start?a=1\n', own)).toBe('https://home.example/start?a=1')
  })

  it('is text otherwise', () => {
    expect(framedAddress('http://home.example', own)).toBeUndefined()
    expect(framedAddress('https://home.example is our page', own)).toBeUndefined()
    expect(framedAddress('https://gate.example/about', own)).toBeUndefined()
    expect(framedAddress('https://', own)).toBeUndefined()
    expect(framedAddress('javascript:alert(1)', own)).toBeUndefined()
  })
})
