import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { jsonExcess } from './excess.ts'
import { JsonOutline } from './outline.ts'
import { structureOf } from './structure.ts'

const blank = ' '.repeat(64 * 1024)

/** The reason that an outline finds in the same bytes. */
function excessInOutline(bytes: Uint8Array) {
  const outline = new JsonOutline()
  outline.push(bytes)
  return outline.excess
}

/** Bytes of JSON texts, some cut and some with bytes of JSON's marks in wrong positions. */
const texts = fc
  .tuple(fc.json({ maxDepth: 6 }), fc.nat(), fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[]",:\\ 1'))))
  .map(([json, end, marks]) => {
    const bytes = Buffer.from(end % 3 === 0 ? json.slice(0, end % (json.length + 1)) : json)
    for (const [at, mark] of marks.slice(0, end % 4)) bytes.write(mark, at % (bytes.length + 1))
    return bytes
  })

function objectOf(members: number): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: members }, (_, at) => [`k${at}`, 1])))
}

describe('the structure of a body', () => {
  it('is bounded where a parser takes the text, and only there', () => {
    fc.assert(
      fc.property(texts, (bytes) => {
        const { excess, isBounded } = structureOf(bytes)
        expect(excess).toBe(excessInOutline(bytes))
        // Blanks make the text long enough to be judged.
        if (isBounded) expect(jsonExcess(`${bytes}${blank}`)).toBeUndefined()
      }),
      { numRuns: 3000 },
    )
  })

  it('of every JSON object and list is bounded', () => {
    fc.assert(
      fc.property(fc.oneof(fc.object(), fc.array(fc.jsonValue())), fc.nat(3), (value, indent) => {
        const bytes = Buffer.from(`\n${JSON.stringify(value, null, indent)} \n`)
        expect(structureOf(bytes)).toEqual({ excess: undefined, isBounded: true })
      }),
    )
  })

  it.each([
    ['lists within lists', '['.repeat(513), 'too-deep'],
    ['lists as deep as may be', `${'['.repeat(512)}${']'.repeat(512)}`, undefined],
    ['an object of too many members', objectOf(10_001), 'too-wide'],
    ['an object of as many members as may be', objectOf(10_000), undefined],
    ['many objects of many members', `[${objectOf(9000)},${objectOf(9000)}]`, undefined],
    [
      'an object within a text',
      JSON.stringify([objectOf(20_000), '['.repeat(600), '\\"{'.repeat(900)]),
      undefined,
    ],
    ['something else before it', `x${'['.repeat(600)}`, undefined],
    ['something else behind it', `{}${'['.repeat(600)}`, undefined],
  ] as const)('of %s is judged as an outline judges it', (_, text, excess) => {
    const bytes = Buffer.from(text)
    expect([structureOf(bytes).excess, excessInOutline(bytes)]).toEqual([excess, excess])
  })

  it('that a parser would take too long for is not bounded', () => {
    const keys = `[${`${objectOf(9000)},`.repeat(12)}1]`
    expect(jsonExcess(keys)).toBe('too-wide')
    expect(structureOf(Buffer.from(keys))).toEqual({ excess: undefined, isBounded: false })
  })
})
