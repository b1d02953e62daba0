import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { csvLine } from './csv.ts'

/** The cells that a spreadsheet reads which takes `separator` for the one between them: a quote counts at the start of a cell alone. */
function cellsOf(file: string, separator: string): string[] {
  const cells: string[] = []
  let [cell, isQuoted] = ['', false]
  for (let at = 0; at < file.length; at += 1) {
    const sign = file.charAt(at)
    if (isQuoted && sign === '"' && file.charAt(at + 1) === '"') {
      cell += sign
      at += 1
    } else if (sign === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (isQuoted || (sign !== separator && sign !== '\r' && sign !== '\n')) cell += sign
    else {
      cells.push(cell)
      cell = ''
    }
  }
  return [...cells, cell]
}

describe('a line of CSV', () => {
  it('encodes any text by RFC 4180', () => {
    expect(csvLine(['plain', 'a, b', 'say "hi"', 'two\nlines', '', '长'])).toBe(
      'plain,"a, b","say ""hi""","two\nlines",,长\r\n',
    )
  })

  it.each([',', ';', '\t'])('has no formula where cells are read as separated by %j', (separator) => {
    const signs = [...'=+-@＝＠;,\t\r\n "\'a1']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs), { maxLength: 8 }), (text) => {
        const cells = cellsOf(csvLine([7, text.join(''), 'end']), separator)
        expect(cells.filter((cell) => /^\s*[=+\-@＝＋－＠]/.test(cell))).toEqual([])
      }),
      {
        numRuns: 3000,
        examples: [[[...'x;=1']], [[...'x\n@a']], [[...'x;"=1']], [[...'＝1']], [[...' =1']]],
      },
    )
  })

  it('changes a text by nothing but marks before what could run', () => {
    const marked = ['=1', '＝1', '\tx', 'a;+1', 'a - b; c', "it's; fine", 'x=1'].map((text) =>
      csvLine([text]),
    )
    expect(marked).toEqual(
      ["'=1", "'＝1", "'\tx", "a;'+1", 'a - b; c', "it's; fine", 'x=1'].map((text) => `${text}\r\n`),
    )
  })

  it('writes numbers without quotes', () => {
    expect(csvLine([-5, 0, 1e15, true])).toBe('-5,0,1000000000000000,true\r\n')
  })
})
