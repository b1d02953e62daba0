import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { FrameTooLargeError } from './framing/frame.ts'
import { JsonArrayScanner } from './json-array.ts'

const encode = (text: string) => new TextEncoder().encode(text)

function scan(chunks: readonly Uint8Array[], maxElementBytes = 1 << 20) {
  const scanner = new JsonArrayScanner(maxElementBytes)
  const elements = chunks.flatMap((chunk) => [...scanner.push(chunk)])
  return { elements, isComplete: scanner.isComplete }
}

function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...new Set([...places.map((place) => place % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  )
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end))
}

describe('JsonArrayScanner', () => {
  it('gives the elements of a list as the service streams it', () => {
    const { elements, isComplete } = scan([encode('[{"a":"]},["}\r\n,\r\n{"b":[1,{"c":2}]}\r\n]\n')])
    expect(elements).toEqual(['{"a":"]},["}', '{"b":[1,{"c":2}]}'])
    expect(isComplete).toBe(true)
  })

  it('gives an element as soon as its last byte is there', () => {
    const scanner = new JsonArrayScanner(100)
    expect(scanner.push(encode('[{"a":1'))).toEqual([])
    expect(scanner.push(encode('}'))).toEqual(['{"a":1}'])
    expect(scanner.isComplete).toBe(false)
  })

  it('takes a text that is no list for one element', () => {
    expect(scan([encode(' {"error":{"code":400}}\n')])).toEqual({
      elements: ['{"error":{"code":400}}'],
      isComplete: true,
    })
  })

  it('is not complete when the bytes end before the list does', () => {
    expect(scan([encode('[{"a":1},{"b"')])).toEqual({ elements: ['{"a":1}'], isComplete: false })
    expect(scan([]).isComplete).toBe(false)
    expect(scan([encode('[]')])).toEqual({ elements: [], isComplete: true })
  })

  it('ignores what follows the list, and a byte order mark before it', () => {
    expect(scan([encode('\ufeff[1]{"x":1}')]).elements.map((text) => JSON.parse(text))).toEqual([1])
  })

  it('refuses an element beyond the limit, however its bytes come', () => {
    const bytes = encode(`[{"a":"${'x'.repeat(100)}"}]`)
    expect(() => scan([bytes], 50)).toThrow(FrameTooLargeError)
    expect(() =>
      scan(
        [...bytes].map((byte) => Uint8Array.of(byte)),
        50,
      ),
    ).toThrow(FrameTooLargeError)
    expect(scan([bytes], 200).elements).toHaveLength(1)
  })

  it('gives the same elements for every split of the bytes', () => {
    const values = fc.array(fc.jsonValue(), { maxLength: 6 })
    fc.assert(
      fc.property(values, fc.array(fc.nat(500)), fc.constantFrom(undefined, 2), (list, places, space) => {
        const bytes = encode(JSON.stringify(list, undefined, space))
        const { elements, isComplete } = scan(cut(bytes, places))
        expect(elements.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(list)))
        expect(isComplete).toBe(true)
      }),
    )
  })

  it('never throws for bytes that are anything', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (chunks) => {
        scan(chunks)
      }),
    )
  })
})
