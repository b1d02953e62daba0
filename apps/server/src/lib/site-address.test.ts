import { describe, expect, it } from 'bun:test'
import { relyingParty, siteAddress } from './site-address.ts'

describe('the address of this site', () => {
  it('is the operator’s, or else the one that the browser used', () => {
    const reached = { host: 'gateway.example:3000', secure: false }
    expect(siteAddress('https://public.example/', reached)).toBe('https://public.example')
    expect(siteAddress('', reached)).toBe('http://gateway.example:3000')
    expect(siteAddress('', { ...reached, secure: true })).toBe('https://gateway.example:3000')
  })

  it('names the relying party of passkeys, and the origins that may request them', () => {
    const reached = { host: 'localhost:3000', secure: false }
    expect(relyingParty('https://public.example:8443/console', reached)).toEqual({
      id: 'public.example',
      origins: ['https://public.example:8443'],
    })
    expect(relyingParty('', reached)).toEqual({
      id: 'localhost',
      origins: ['http://localhost:3000', 'https://localhost:3000'],
    })
  })
})
