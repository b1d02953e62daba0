import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { encodeUtf8 } from '../json/utf8.ts'
import { JsonArrayScanner } from './json-array.ts'
import { cutBytes, readFrames } from './test-support/read-frames.ts'

function scan(text: string, positions: readonly number[] = []) {
  const scanner = new JsonArrayScanner(1 << 20)
  const elements = readFrames(scanner, cutBytes(encodeUtf8(text), positions)).map(({ data }) => data)
  return { elements, isComplete: scanner.isComplete }
}

describe('JsonArrayScanner', () => {
  it('gives the elements of a list as the service streams it', () => {
    expect(scan('[{"a":"]},[\\"}"}\r\n,\r\n{"b":[1,{"c":2}]}\r\n]\n')).toEqual({
      elements: ['{"a":"]},[\\"}"}', '{"b":[1,{"c":2}]}'],
      isComplete: true,
    })
  })

  it('gives an element as soon as its last byte is there', () => {
    const scanner = new JsonArrayScanner(100)
    expect(scanner.push(encodeUtf8('[{"a":1'))).toEqual([])
    expect(scanner.push(encodeUtf8('}'))).toHaveLength(1)
    expect(scanner.isComplete).toBe(false)
  })

  it('takes an object outside a list for one element', () => {
    const error = '{"error":{"code":400}}'
    expect(scan(` ${error}\n`)).toEqual({ elements: [error], isComplete: true })
  })

  it('is not complete when the bytes end before the list does', () => {
    expect(scan('[{"a":1},{"b"')).toEqual({ elements: ['{"a":1}'], isComplete: false })
    expect(scan('').isComplete).toBe(false)
    expect(scan('[]')).toEqual({ elements: [], isComplete: true })
  })

  it('ignores what follows the list, and a byte order mark before it', () => {
    expect(scan('\ufeff[1]{"x":1}').elements).toEqual(['1'])
  })

  it('gives every element of every list, however the bytes are cut', () => {
    const values = fc.array(fc.jsonValue(), { maxLength: 6 })
    fc.assert(
      fc.property(values, fc.array(fc.nat(500)), fc.constantFrom(undefined, 2), (list, positions, space) => {
        const { elements, isComplete } = scan(JSON.stringify(list, undefined, space), positions)
        expect(elements.map((text) => JSON.parse(text ?? ''))).toEqual(JSON.parse(JSON.stringify(list)))
        expect(isComplete).toBe(true)
      }),
    )
  })
})
