import { describe, expect, it } from 'bun:test'
import { parseSync } from 'oxc-parser'
import { docstringFaults } from './docstrings.ts'
import { refusedNames, refusedWordIn, refusedWords } from './words.ts'

function namesIn(source: string) {
  return refusedNames(parseSync('sample.ts', source).program)
}

function faultsOf(source: string) {
  const { program, comments } = parseSync('sample.ts', source)
  return docstringFaults(source, program, comments)
}

describe('names', () => {
  it.each([...refusedWords.keys()])('do not contain %s', (word) => {
    const end = word.charAt(0).toUpperCase() + word.slice(1)
    expect([word, `${word}Rows`, `is${end}`, `row${end}ish`].map(refusedWordIn)).toEqual([
      word,
      word,
      word,
      undefined,
    ])
  })

  it('contain comparisons, and words that merely begin like a refused one', () => {
    expect(['atMost', 'at_least', 'placement', 'almost', 'replace', 'usually'].map(refusedWordIn)).toEqual(
      Array.from({ length: 6 }, () => undefined),
    )
  })

  it.each([
    'const mostRows = 1',
    'function mostRows() {}',
    'class mostRows {}',
    'interface mostRows {}',
    'type mostRows = 1',
    'interface Row { mostRows: 1 }',
    'interface Row { mostRows(): 1 }',
    'class Row { mostRows = 1 }',
    'class Row { #mostRows = 1 }',
    'class Row { constructor(readonly mostRows = 1) {} }',
    'const read = ({ rows: [mostRows] }) => 1',
    'const read = (...mostRows) => 1',
    'const { rows: mostRows } = read()',
  ])('are found where they are declared: %s', (source) => {
    expect(namesIn(source)).toEqual(['mostRows'])
  })

  it('of other formats may be written and read', () => {
    expect(namesIn('send({ mostRows: 1, said: row.told })')).toEqual([])
  })
})

describe('docstrings', () => {
  it.each(['What it adds.', 'Whether it is one.', 'Of the rows: their sum.', '\n * How it adds.\n '])(
    'begin with a verb or a noun: not %j',
    (text) => {
      expect(faultsOf(`/** ${text} */\nexport const one = 1`).openings).toHaveLength(1)
    },
  )

  it.each(['Adds two numbers.', 'The sum of all.', 'Offset of a row.', 'Whatnots.'])('may say %j', (text) => {
    expect(faultsOf(`/** ${text} */\nexport const one = 1`).openings).toEqual([])
  })

  it('name parameters that the function has', () => {
    const above = '/** Adds. @param one first @param other second */\n'
    const functions = [
      'export function add(one: number, other = 2) {}',
      'export const add = (one: number, ...other: number[]) => 1',
      'export function add({ one }: Row, other: number) {}',
      'export interface Row { add(one: number, other: number): number }',
      'export type Add = (one: number, other: number) => number',
    ]
    expect(functions.map((text) => faultsOf(above + text).parameters)).toEqual(functions.map(() => []))
    expect(faultsOf(`${above}export function add(one: number, others: number) {}`).parameters).toEqual([
      'other',
    ])
    expect(faultsOf(`${above}export const sum = 3\n\nfunction add(one, other) {}`).parameters).toEqual([
      'one',
      'other',
    ])
  })

  it('may give a parameter that is taken apart one name', () => {
    const source = '/** Adds. @param {Row} row what it adds */\nexport function add({ one, other }) {}'
    expect(faultsOf(source).parameters).toEqual([])
  })
})
