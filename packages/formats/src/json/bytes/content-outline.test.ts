import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { bodyTexts } from '../../requests/bytes/test-support/body-texts.ts'
import { decodeUtf8, encodeUtf8 } from '../utf8.ts'
import { isObject, parseJson } from '../value.ts'
import { contentOutline } from './content-outline.ts'

const shape = { list: 'choices', unread: 'logprobs' }
const fox = 'The quick brown fox. '

/** A body of a request as one of a response, in which some texts are long. */
function asResponse(body: string): string {
  const renamed = body.replaceAll('"messages"', '"choices"').replaceAll('"content"', '"logprobs"')
  return renamed.replaceAll(fox, (text, at: number) => (at % 3 === 0 ? text.repeat(60) : text))
}

function outlineOf(text: string): unknown {
  const outline = contentOutline(encodeUtf8(text), shape)
  return outline === undefined ? undefined : JSON.parse(decodeUtf8(outline))
}

/** What an outline says of a value within the content. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 500 ? '.' : value
  if (Array.isArray(value)) return value.map(shortened)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [shortened(key), shortened(member)]))
}

/** The same of what its readers read: all but the unread members that are no texts. */
function readable(body: unknown): unknown {
  if (!isObject(body) || !Array.isArray(body['choices'])) return body
  const items = body['choices'].map((item) => {
    const isUnread = isObject(item) && typeof item['logprobs'] !== 'string' && 'logprobs' in item
    return shortened(isUnread ? { ...item, logprobs: null } : item)
  })
  return { ...body, choices: items }
}

describe('contentOutline', () => {
  it('is there for objects that the parser takes, and says what they say', () => {
    fc.assert(
      fc.property(bodyTexts, (body) => {
        const text = decodeUtf8(encodeUtf8(asResponse(body)))
        const expected = parseJson(text)
        const outline = outlineOf(text)
        expect(outline !== undefined).toBe(isObject(expected))
        if (outline !== undefined) expect(readable(outline)).toEqual(readable(expected))
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
