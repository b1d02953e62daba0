import { describe, expect, it } from 'bun:test'
import { createSseReader, type SseEvent } from './sse-reader.ts'

const encode = (text: string) => new TextEncoder().encode(text)

function readAll(pieces: readonly Uint8Array[]): readonly SseEvent[] {
  const reader = createSseReader()
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
}

const message = (data: string): SseEvent => ({ event: 'message', data })

const stream = [
  ': a comment first',
  '',
  'data: {"text": "Grüße, 世界 🎟"}',
  '',
  'event: error',
  'data:no space',
  'data: second line',
  'id: 7',
  'retry: 100',
  '',
  'data',
  '',
  'event: without data is none',
  '',
  'data: [DONE]',
  '',
  '',
]
const events = [
  message('{"text": "Grüße, 世界 🎟"}'),
  { event: 'error', data: 'no space\nsecond line' },
  message(''),
  message('[DONE]'),
]

describe.each([
  ['LF', '\n'],
  ['CR LF', '\r\n'],
  ['CR', '\r'],
])('a stream with %s', (_name, newline) => {
  const bytes = encode(stream.join(newline))

  it('gives the same events wherever it is cut in two', () => {
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(readAll([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(events)
    }
  })

  it('gives the same events byte by byte', () => {
    expect(readAll(Array.from(bytes, (_byte, index) => bytes.subarray(index, index + 1)))).toEqual(events)
  })
})

describe('a stream', () => {
  it('hands events over as soon as they are whole', () => {
    const reader = createSseReader()
    expect(reader.push(encode('data: one\n'))).toEqual([])
    expect(reader.push(encode('\ndata: t'))).toEqual([message('one')])
    expect(reader.push(encode('wo\r\n\r\n'))).toEqual([message('two')])
    expect(reader.end()).toEqual([])
  })

  it('may begin with a byte order mark and end without an empty line', () => {
    expect(readAll([encode('\uFEFFdata: one\n\ndata: two')])).toEqual([message('one'), message('two')])
    expect(readAll([encode('data: one\r')])).toEqual([message('one')])
  })

  it('may be empty', () => {
    expect(readAll([])).toEqual([])
    expect(readAll([encode('\n\n\r\n: ping\n')])).toEqual([])
  })
})
