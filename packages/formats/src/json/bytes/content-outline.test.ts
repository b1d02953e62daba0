import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { bodyTexts } from '../../requests/bytes/test-support/body-texts.ts'
import { responseFindings } from '../../test-support/scans.ts'
import { decodeUtf8, encodeUtf8 } from '../utf8.ts'
import { contentOutline } from './content-outline.ts'

const shape = { list: 'choices', unread: 'logprobs' }
function outlineOf(text: string): unknown {
  const outline = contentOutline(encodeUtf8(text), shape)
  return outline === undefined ? undefined : JSON.parse(decodeUtf8(outline.json))
}

describe('contentOutline', () => {
  it('is there for objects that the parser takes, and says what they say', () => {
    fc.assert(
      fc.property(bodyTexts, (body) => {
        const [outline, expected] = responseFindings(body)
        expect(outline).toEqual(expected)
      }),
      { numRuns: 3000 },
    )
  })

  it('is short for a long response, with its usage and its reasons', () => {
    const entry = { token: ' "quick"', logprob: -1.19e-7, bytes: [32, 113], top_logprobs: [] }
    const message = { role: 'assistant', content: `${'é'.repeat(200_000)}"` }
    const choice = {
      index: 0,
      message,
      logprobs: { content: Array(3000).fill(entry) },
      finish_reason: 'stop',
    }
    const usage = { prompt_tokens: 7, completion_tokens: 9 }
    expect(outlineOf(JSON.stringify({ id: 'a', choices: [choice, choice], usage }))).toEqual({
      id: 'a',
      choices: Array(2).fill({ ...choice, message: { ...message, content: '.' }, logprobs: null }),
      usage,
    })
  })

  it.each([
    ['a number that ends within', '{"choices":[{"logprobs":[1.]}]}'],
    ['two commas', '{"choices":[{"logprobs":[1,,2]}]}'],
    ['a bracket for a brace', '{"choices":[{"logprobs":{"a":[1}]}]}'],
    ['a key without a value', '{"choices":[{"logprobs":{"a"}}]}'],
    ['a comma behind the last member', '{"choices":[{"logprobs":{"a":1,}}]}'],
    ['something behind it', '{"choices":[]} 1'],
    ['a list', '[{"choices":[]}]'],
    ['a mark of byte order', '\ufeff{"choices":[]}'],
    ['nothing', ''],
    ['too deep a nesting', `{"choices":[{"a":${'['.repeat(600)}${']'.repeat(600)}}]}`],
    ['too many members', `{"choices":[{"a":{${Array.from({ length: 10_001 }, (_, at) => `"${at}":0`)}}}]}`],
    ['too many parts', `{"choices":[{"logprobs":[${'{"a":0},'.repeat(150_000)}0]}]}`],
    ['long texts elsewhere', JSON.stringify({ note: 'x'.repeat(70_000), choices: [] })],
  ])('is not there for %s', (_, text) => {
    expect(contentOutline(encodeUtf8(text), shape)).toBeUndefined()
  })
})
