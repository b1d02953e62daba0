import { describe, expect, it } from 'bun:test'
import { safeAddress } from './safe-html.tsx'

describe('addresses in operator HTML', () => {
  it('lets only the listed protocols through', () => {
    const protocols = ['http:', 'https:']
    expect(safeAddress('https://example.com', protocols)).toBe('https://example.com')
    expect(safeAddress('/about', protocols)).toBe('/about')
    expect(safeAddress('javascript:alert(1)', protocols)).toBeUndefined()
    expect(safeAddress(' java\nscript:alert(1)', protocols)).toBeUndefined()
    expect(safeAddress('data:text/html,x', protocols)).toBeUndefined()
  })
})
