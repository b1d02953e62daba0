import { describe, expect, it } from 'bun:test'
import { localTarget, loginSearch } from './search.ts'

describe('login address', () => {
  it('leads back into the console and nowhere else', () => {
    expect(localTarget('/log?page=2')).toBe('/log?page=2')
    expect(localTarget('//evil.example')).toBeUndefined()
    expect(localTarget('/\\evil.example')).toBeUndefined()
    expect(localTarget('https://evil.example')).toBeUndefined()
    expect(localTarget(undefined)).toBeUndefined()
  })

  it('counts parameters that do not fit as absent', () => {
    expect(loginSearch({ expired: 'maybe', redirect: {} })).toEqual({})
    expect(loginSearch({ expired: true, other: 1, aff: 'aBc1' })).toEqual({ expired: true, aff: 'aBc1' })
  })
})
