import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { SeparateSearches, specialSearch } from './special-search.ts'

const plain = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x22 && code !== 0x5c)
const special = fc.constantFrom(0, 9, 10, 31, 0x22, 0x5c)
const bytes = fc
  .array(fc.oneof({ weight: 40, arbitrary: plain }, { weight: 1, arbitrary: special }), { maxLength: 300 })
  .map((codes) => Uint8Array.from(codes))

/** Every offset that a search finds, one behind the other. */
function allOf(bytes: Uint8Array, search = specialSearch(bytes)): readonly number[] {
  const found: number[] = []
  for (let at = search.next(0); at < bytes.length; at = search.next(at + 1)) found.push(at)
  return found
}

const isSpecial = (code: number) => code < 0x20 || code === 0x22 || code === 0x5c

describe.each([
  ['by vectors', specialSearch],
  ['without them', (bytes: Uint8Array) => new SeparateSearches(bytes)],
])('a search for special bytes %s', (_, search) => {
  it('finds every quote, backslash and control character, and nothing else', () => {
    fc.assert(
      fc.property(bytes, (bytes) => {
        expect(allOf(bytes, search(bytes))).toEqual(
          [...bytes.keys()].filter((at) => isSpecial(bytes[at] ?? 0)),
        )
      }),
    )
  })

  it('finds what stands at the edges of the parts that it looks at at once', () => {
    const long = new Uint8Array(200_000).fill(0x61)
    const edges = [0, 47, 48, 65_535, 65_536, 131_071, 131_072, 131_120, 199_999]
    for (const at of edges) long[at] = 0x22
    expect(allOf(long, search(long))).toEqual(edges)
  })

  it('goes on where it was when another body was searched meanwhile', () => {
    const [one, other] = [new Uint8Array(100).fill(0x61), new Uint8Array(100).fill(0x22)]
    one[50] = 0x22
    const searching = search(one)
    expect([searching.next(0), search(other).next(0), searching.next(1), searching.next(51)]).toEqual([
      50, 0, 50, 100,
    ])
  })
})

it('has vectors on the machines that it is developed on', () => {
  expect(specialSearch(new Uint8Array(1))).not.toBeInstanceOf(SeparateSearches)
})
