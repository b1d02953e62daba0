import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { encodeUtf8 } from '../../json/utf8.ts'
import { maxRequestDepth, requestFindings } from '../../test-support/scans.ts'
import { type ByteScan, scanBytes } from './scan-bytes.ts'
import { bodyTexts } from './test-support/body-texts.ts'

function scanned(text: string): ByteScan | undefined {
  return scanBytes(encodeUtf8(text), maxRequestDepth)
}

function expectAlike(text: string): void {
  const [scanned, parsed] = requestFindings(text)
  expect(scanned).toEqual(parsed)
}

describe('scanBytes', () => {
  it('accepts what the scan of the text and the parser accept, and finds the same members and messages', () => {
    fc.assert(fc.property(bodyTexts, expectAlike), { numRuns: 6000 })
  })

  it('accepts every valid body, however its texts are escaped', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 4 })), (body) => {
        expectAlike(JSON.stringify(body))
        expectAlike(JSON.stringify(body, null, 2))
      }),
      { numRuns: 400 },
    )
  })

  it('takes nearly all messages of a conversation as plain ones', () => {
    const messages = Array.from({ length: 200 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Line ${index}\nof "text" ${'x'.repeat(index)}`,
    }))
    const scan = scanned(JSON.stringify({ model: 'm', messages }))
    expect(scan?.messages?.filter(({ plain }) => plain !== undefined)).toHaveLength(200)
  })

  it.each([
    ['a text that never closes', '{"a":"b'],
    ['an escape at the end', '{"a":"b\\'],
    ['half an escape of a unit', '{"a":"\\u12"}'],
    ['a line break in a long text', `{"a":"${'x'.repeat(100)}\n"}`],
    ['a null byte in a long text', `{"a":"${'x'.repeat(100)}\u0000${'x'.repeat(100)}"}`],
    ['a byte order mark', '\uFEFF{}'],
    ['a repeated key', '{"a":1,"\\u0061":2}'],
    ['a number beyond a double', '{"a":[12345678901234567890]}'],
    ['something behind it', '{} {}'],
    ['a list', '[]'],
    ['too deep a nesting', `{"a":${'['.repeat(maxRequestDepth)}${']'.repeat(maxRequestDepth)}}`],
    ['too many parts', `{"a":[${'[],'.repeat(500_000)}[]]}`],
    ['too many keys', `{"messages":[{${'"a":0,'.repeat(500_000)}"a":0}]}`],
    ['too many members', `{${Array.from({ length: 4097 }, (_, index) => `"k${index}":0`).join(',')}}`],
  ])('leaves %s to others', (_, text) => {
    expect(scanned(text)).toBeUndefined()
  })

  it('looks at each byte a bounded number of times, whatever is between the quotes', () => {
    const hostile = [
      `{"a":"${'\\\\'.repeat(1_000_000)}"}`,
      `{"a":"${`${'x'.repeat(40)}\\"`.repeat(50_000)}"}`,
      `{"a":["${Array.from({ length: 50_000 }, () => 'x'.repeat(30)).join('",\n"')}"]}`,
      `{"messages":[${Array.from({ length: 20_000 }, () => `{"role":"user","content":"${'x'.repeat(60)}" }`).join(',')}]}`,
    ]
    // One that looked again and again would take minutes.
    for (const text of hostile) expect(scanned(text)).toBeDefined()
  })
})
