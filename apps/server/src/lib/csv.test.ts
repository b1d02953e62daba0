import { describe, expect, it } from 'bun:test'
import { csvLine } from './csv.ts'

describe('a line of CSV', () => {
  it('encodes any text by RFC 4180', () => {
    expect(csvLine(['plain', 'a, b', 'say "hi"', 'two\nlines', '', '长'])).toBe(
      'plain,"a, b","say ""hi""","two\nlines",,长\r\n',
    )
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\r=x'])('lets no spreadsheet run %j', (text) => {
    expect(csvLine([text]).replace(/^"/, '').startsWith(`'${text[0]}`)).toBe(true)
  })

  it('writes numbers without quotes', () => {
    expect(csvLine([-5, 0, 1e15, true])).toBe('-5,0,1000000000000000,true\r\n')
  })
})
