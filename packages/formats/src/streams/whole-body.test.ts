import { describe, expect, it } from 'bun:test'
import { decodeErrorBody } from '../errors/decode-error.ts'
import { JsonOutline } from '../json/outline.ts'
import { decodeUtf8 } from '../json/utf8.ts'
import { readEmbeddingResponse } from '../openai-chat/response/decode-response.ts'
import { WholeBodyReader } from './whole-body.ts'

const usage = '"usage":{"prompt_tokens":7,"total_tokens":7}'

function readerOf(maxBytes = 1_000_000) {
  const outline = new JsonOutline()
  const reader = new WholeBodyReader({
    outline,
    maxBytes,
    read: (body) => readEmbeddingResponse(decodeUtf8(body), decodeErrorBody),
  })
  return { outline, reader }
}

/** Returns what the caller has after the end, whichever pieces the body came in, and what it gets with the trailer. */
function passed(body: string, size: number) {
  const { outline, reader } = readerOf()
  const bytes = Buffer.from(body)
  outline.push(bytes.subarray(0, size))
  const forwarded = [...reader.begin([bytes.subarray(0, size)])]
  for (let at = size; at < bytes.length; at += size)
    forwarded.push(...reader.push(bytes.subarray(at, at + size)).forward)
  const { error } = reader.end()
  return {
    reader,
    error,
    before: Buffer.concat(forwarded).toString(),
    whole: Buffer.concat(forwarded).toString() + reader.trailer(),
  }
}

describe('a body that passes as it comes', () => {
  it.each([1, 3, 7, 1000])(
    'is complete with its trailer alone, and has its usage: %d bytes at a time',
    (size) => {
      for (const end of ['', '\n', ' \r\n\t ']) {
        const body = `{"data":[{"embedding":[1,2,3]}],${usage}}${end}`
        const { reader, before, whole } = passed(body, size)
        expect(whole).toBe(body)
        expect(before.endsWith('}}')).toBe(false)
        expect([reader.outcome, reader.usage?.inputTokens]).toEqual(['complete', 7])
      }
    },
  )

  it('that ends early is cut, and one that reports a failure fails', () => {
    expect(passed(`{"data":[{"embedding":[1,2`, 5).reader.outcome).toBe('cut')
    expect(passed(`{"data":[]} {"data":[]}`, 5).reader.outcome).toBe('cut')
    expect(passed(`{"data":[],"error":{"message":"no"}}`, 5).error?.message).toBe('no')
  })

  it('ends where it is too deep or too long', () => {
    const { reader } = readerOf(10)
    expect(reader.push(Buffer.from('{"data":["12345"')).error?.message).toContain('too large')
    expect(readerOf().reader.push(Buffer.from('['.repeat(600))).error?.message).toContain('512 levels')
  })
})
