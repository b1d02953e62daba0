import { describe, expect, it } from 'bun:test'
import { keyLines, looksLikePartOfKey, maskedKey, searchTermsOf, visibleKey } from './keys.ts'

const key = 'abcdEFGH0123456789abcdEFGH0123456789abcdEFGH9876'

describe('keys', () => {
  it('are shown with their prefix, and masked to both ends', () => {
    expect(visibleKey({ key })).toBe(`sk-${key}`)
    expect(maskedKey({ key })).toBe('sk-abcd…9876')
  })

  it('are copied as name, four spaces, key, one per line', () => {
    const tokens = [
      { name: 'laptop', key },
      { name: 'build server', key },
    ]
    expect(keyLines(tokens)).toBe(`laptop    sk-${key}\nbuild server    sk-${key}`)
  })
})

describe('search', () => {
  it('is by key for a whole one, with or without its prefix, and by name for anything else', () => {
    expect(searchTermsOf(` sk-${key} `)).toEqual({ token: `sk-${key}` })
    expect(searchTermsOf(key)).toEqual({ token: key })
    expect(searchTermsOf('laptop')).toEqual({ keyword: 'laptop' })
    expect(searchTermsOf('sk-abcd')).toEqual({ keyword: 'sk-abcd' })
    expect(searchTermsOf('  ')).toEqual({})
  })

  it('knows part of a key, so that the page can say why nothing was found', () => {
    expect(looksLikePartOfKey('sk-abcd')).toBe(true)
    expect(looksLikePartOfKey(`sk-${key}`)).toBe(false)
    expect(looksLikePartOfKey('laptop')).toBe(false)
  })
})
