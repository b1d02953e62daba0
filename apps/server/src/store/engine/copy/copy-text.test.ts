import { describe, expect, it } from 'bun:test'
import { encodeCopyRows } from './copy-text.ts'

const line = (value: string | number | null | Uint8Array) => encodeCopyRows([{ value }], ['value']).toString()

describe('encodeCopyRows', () => {
  it('writes a line for each row, with tabs between the values in the given order', () => {
    const rows = [
      { a: 1, b: 'one', c: null },
      { c: 2.5, b: 'two', a: -3 },
    ]
    expect(encodeCopyRows(rows, ['b', 'a', 'c']).toString()).toBe('one\t1\t\\N\ntwo\t-3\t2.5\n')
  })

  it('escapes what COPY reads as something else', () => {
    expect(line('a\tb\nc\rd\\N')).toBe('a\\tb\\nc\\rd\\\\N\n')
    expect(line('\\.')).toBe('\\\\.\n')
    expect(line('')).toBe('\n')
    expect(line(Uint8Array.of(0, 255, 16))).toBe('\\\\x00ff10\n')
  })

  it('writes the largest integers and fractions as they are', () => {
    expect(line(Number.MAX_SAFE_INTEGER)).toBe('9007199254740991\n')
    expect(line(0.1 + 0.2)).toBe('0.30000000000000004\n')
  })

  it('puts in the place of NUL, which PostgreSQL does not have, what the store writes there', () => {
    expect(line('a\0b')).toBe('a\ufffdb\n')
  })
})
