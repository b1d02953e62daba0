import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { unwrapText, ValueUnwrapper, wrapSchema, wrapText } from './wrapped-value.ts'

function inPieces(text: string, size: number): string {
  const unwrapper = new ValueUnwrapper()
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  )
  return pieces.map((piece) => unwrapper.push(piece)).join('') + unwrapper.end()
}

describe('a wrapped value', () => {
  it('comes out as the text that went in, whatever it is and however it is cut', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 9 }), (json, size) => {
        expect(unwrapText(wrapText(json))).toBe(json)
        expect(inPieces(wrapText(json), size)).toBe(json)
      }),
      { numRuns: 100 },
    )
  })

  it.each([
    '',
    '{',
    '{"tollgate_value',
    '{"tollgate_values":1}',
    '[{"tollgate_value":1}]',
    'Hello {"a":1}',
    '{} ',
  ])('is not found in %j', (text) => {
    expect(unwrapText(text)).toBe(text)
    expect(inPieces(text, 1)).toBe(text)
  })

  it('is cut where its wrapper never closed, and nothing is added to it', () => {
    const unwrapper = new ValueUnwrapper()
    expect(unwrapper.push('{"tollgate_value":{"a":1}') + unwrapper.end()).toBe('{"a":1}')
    expect([unwrapper.isWhole, unwrapper.isCut]).toEqual([false, true])
  })

  it('passes its pieces on as they come', () => {
    const unwrapper = new ValueUnwrapper()
    const pieces = ['{"toll', 'gate_value": ', '{"a":', '"}', '"', '}', ' }', '\n']
    expect(pieces.map((piece) => unwrapper.push(piece))).toEqual(['', '', '{"a":', '"}', '"', '}', '', ''])
  })

  it('stays unwrapped where its arguments are no JSON', () => {
    for (const text of ['', ' ', '{"a":']) expect(wrapText(text)).toBe(text)
  })
})

it('keeps references of a wrapped schema at their targets', () => {
  const schema = {
    anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#' }, { $ref: '#/anyOf/0' }, { $ref: 'https://x.example' }],
    $defs: { a: { $ref: '#' } },
  }
  const inside = '#/properties/tollgate_value'
  expect(wrapSchema(schema)).toMatchObject({
    properties: {
      tollgate_value: {
        anyOf: [
          { $ref: '#/$defs/a' },
          { $ref: inside },
          { $ref: `${inside}/anyOf/0` },
          { $ref: 'https://x.example' },
        ],
      },
    },
    $defs: { a: { $ref: inside } },
  })
})
