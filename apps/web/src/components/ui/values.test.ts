import { describe, expect, it } from 'bun:test'
import { parseNumber } from './field/input.tsx'
import { splitValues } from './select/multi-select.tsx'
import { sparklinePoints } from './sparkline.tsx'

describe('typed numbers', () => {
  it('reads whole numbers and decimals, and nothing else', () => {
    expect(parseNumber(' 1,234 ', false)).toBe(1234)
    expect(parseNumber('-5', false)).toBe(-5)
    expect(parseNumber('1.5', false)).toBeUndefined()
    expect(parseNumber('1.5', true)).toBe(1.5)
    expect(parseNumber('', true)).toBeUndefined()
    expect(parseNumber('1e9', false)).toBeUndefined()
    expect(parseNumber('99999999999999999999', false)).toBeUndefined()
  })
})

describe('typed lists', () => {
  it('splits at commas of both languages and at line ends, without doubles', () => {
    expect(splitValues('a, b，c\na,,d', ['d'])).toEqual(['a', 'b', 'c'])
  })
})

describe('sparkline', () => {
  it('spans its width and puts higher values higher', () => {
    const points = sparklinePoints([0, 10, 5])
    expect(points.map(([x]) => x)).toEqual([2, 48, 94])
    expect(points.map(([, y]) => y)).toEqual([22, 2, 12])
    expect(sparklinePoints([])).toEqual([])
  })
})
