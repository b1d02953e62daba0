import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { automatonOf, buildAutomaton } from './build-automaton.ts'

/** The slow way. */
function firstEnd(words: readonly string[], text: string): number {
  const folded = text.toLowerCase()
  for (let end = 1; end <= folded.length; end += 1)
    if (words.some((word) => word !== '' && folded.slice(0, end).endsWith(word.toLowerCase()))) return end
  return -1
}

const maxSliceMs = 1000

function buildInSlices(words: readonly string[]) {
  const building = buildAutomaton(words)
  let slowestMs = 0
  for (let slices = 1; ; slices += 1) {
    const before = performance.now()
    const { done, value } = building.next()
    slowestMs = Math.max(slowestMs, performance.now() - before)
    if (done === true) return { slices, slowestMs, automaton: value }
  }
}

describe('an automaton of words', () => {
  it('finds what a search for each word finds, wherever words overlap', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'B', 'b', 'c', '你', '好'), maxLength: 5 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'C', 'c', '你', '好', ' '), maxLength: 40 })
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 12 }), text, (words, searched) => {
        const automaton = automatonOf(words)
        const end = firstEnd(words, searched)
        const start = automaton.find(searched)
        expect(start >= 0).toBe(end >= 0)
        if (end < 0) return expect(automaton.mask(searched)).toBe(searched)
        expect(words.some((word) => word.toLowerCase() === searched.slice(start, end).toLowerCase())).toBe(
          true,
        )
        expect(automaton.find(automaton.mask(searched).replaceAll('**###**', '|'))).toBe(-1)
      }),
      { numRuns: 300 },
    )
  })

  it('takes no notice of case and of full-width letters', () => {
    const automaton = automatonOf(['Straße', 'bad词', 'ÉTÉ'])
    expect(automaton.find('die STRAßE')).toBe(4)
    expect(automaton.find('so ＢＡＤ词!')).toBe(3)
    expect(automaton.find('un été')).toBe(3)
    expect(automaton.find('ba d词')).toBe(-1)
  })

  it('says the same of a text by a search for few words as by reading every unit of it', () => {
    const unit = fc.constantFrom(
      'a',
      'A',
      'Ａ',
      'ａ',
      'k',
      'K',
      '\u212a',
      's',
      'ſ',
      'ß',
      '好',
      '.',
      '\ud83d',
      '\ude00',
    )
    const word = fc.string({ unit, minLength: 1, maxLength: 11 })
    const text = fc.array(fc.oneof(word, fc.string({ unit, maxLength: 30 })), { maxLength: 8 })
    const many = Array.from({ length: 40 }, (_, index) => `never ${index}`)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), text, (words, pieces) => {
        const [few, read] = [automatonOf(words), automatonOf([...words, ...many])]
        const stated = (searched: string) => [few.isIn(searched), few.find(searched), few.mask(searched)]
        for (const searched of [pieces.join(''), [...pieces, words[0] ?? ''].join('')])
          expect(stated(searched)).toEqual([read.isIn(searched), read.find(searched), read.mask(searched)])
      }),
      { numRuns: 400 },
    )
  })

  it('replaces every word', () => {
    expect(automatonOf(['bad', 'worse']).mask('Bad, worse and BADly')).toBe('**###**, **###** and **###**ly')
  })

  it('is built in slices from a hundred thousand words, and searches as quickly as with one', () => {
    const words = Array.from(
      { length: 100_000 },
      (_, index) => `word ${(index * 7919).toString(36)} 词${index}`,
    )
    // A slice may wait for the processor: it is slow when it is in each build.
    const builds = [buildInSlices(words)]
    while (builds.length < 3 && builds.every(({ slowestMs }) => slowestMs > maxSliceMs))
      builds.push(buildInSlices(words))
    const [{ slices = 0, automaton = automatonOf([]) } = {}] = builds
    expect(slices).toBeGreaterThan(50)
    expect(Math.min(...builds.map(({ slowestMs }) => slowestMs))).toBeLessThan(maxSliceMs)
    expect(automaton.find(`Here is ${words[77_777]?.toUpperCase()}.`)).toBe(8)
    expect(automaton.find('Nothing of it. '.repeat(1000))).toBe(-1)
  })

  it('finds nothing without words', () => {
    expect(automatonOf(['', '']).isEmpty).toBe(true)
    expect(automatonOf([]).find('anything')).toBe(-1)
  })
})
