import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { FrameTooLargeError } from './frame.ts'
import { SseScanner } from './sse.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array | undefined) =>
  bytes === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

interface Read {
  readonly data: string | undefined
  readonly event: string
  readonly raw: string
}

/** Frames of chunks as texts, and proof that together they are all the bytes. */
function read(chunks: readonly Uint8Array[], maxFrameBytes = 1 << 20): readonly Read[] {
  const scanner = new SseScanner(maxFrameBytes)
  const frames = [...chunks.flatMap((chunk) => scanner.push(chunk)), ...scanner.end()]
  return frames.map(({ bytes, start, end, data, event }) => ({
    data: decode(data),
    event,
    raw: decode(bytes.slice(start, end)) ?? '',
  }))
}

function cut(bytes: Uint8Array, positions: readonly number[]): readonly Uint8Array[] {
  const ends = [
    ...new Set([...positions.map((position) => position % (bytes.length + 1)), bytes.length]),
  ].sort((a, b) => a - b)
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end))
}

const payloads = (text: string) => read([encode(text)]).map((frame) => frame.data)

describe('SseScanner', () => {
  it.each([
    ['LF', 'data: a\n\ndata: b\n\n'],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['CR', 'data: a\r\rdata: b\r\r'],
    ['mixed', 'data: a\r\n\ndata: b\n\r\n'],
    ['no last blank line', 'data: a\n\ndata: b\n'],
    ['no last line end', 'data: a\n\ndata: b'],
  ])('reads frames with line ends %s', (_name, text) => {
    expect(payloads(text)).toEqual(['a', 'b'])
  })

  it('joins several data lines with LF and takes the space behind the colon as optional', () => {
    expect(payloads('data: a\ndata:b\ndata\ndata:  c\n\n')).toEqual(['a\nb\n\n c'])
  })

  it('passes comments, other fields and blank lines as frames without a payload', () => {
    expect(payloads(': keep-alive\n\nid: 1\nretry: 5\n\n\ndatax: no\n\ndata: a\n\n')).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'a',
    ])
  })

  it('reads the event name beside the payload', () => {
    expect(read([encode('event: error\ndata: x\n\nevent:a\nevent: b\ndata: y\n\n')])).toMatchObject([
      { event: 'error', data: 'x' },
      { event: 'b', data: 'y' },
    ])
  })

  it('ignores a byte order mark', () => {
    expect(payloads('\uFEFFdata: a\n\n')).toEqual(['a'])
  })

  it('gives no frame twice when asked for the end twice', () => {
    const scanner = new SseScanner(100)
    scanner.push(encode('data: a'))
    expect(scanner.end()).toHaveLength(1)
    expect(scanner.end()).toHaveLength(0)
  })

  const line = fc.constantFrom(
    'data: é漢😀',
    'data:',
    'data: {"a":1}',
    ': c',
    'event: e',
    'id: 7',
    '',
    '\uFEFFdata: m',
  )
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
  const stream = fc.array(fc.tuple(line, lineEnd), { maxLength: 12 }).map((lines) => lines.flat().join(''))

  it('gives the same frames however the bytes are cut, and loses none', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 8 }), (text, positions) => {
        const bytes = encode(text)
        const complete = read([bytes])
        expect(read(cut(bytes, positions))).toEqual(complete)
        expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(complete)
        expect(complete.map((frame) => frame.raw).join('')).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })

  it('never writes to bytes it has given out', () => {
    const scanner = new SseScanner(1000)
    scanner.push(encode('data: fir'))
    const [first] = scanner.push(encode('st\n\ndata: sec'))
    scanner.push(encode('ond and much more text than the first had\n\n'))
    expect(decode(first?.data)).toBe('first')
  })

  it('refuses a frame beyond the limit, whether it is complete or not', () => {
    expect(() => read([encode(`data: ${'x'.repeat(100)}`)], 50)).toThrow(FrameTooLargeError)
    expect(() => read([encode(`data: ${'x'.repeat(100)}\n\n`)], 50)).toThrow(FrameTooLargeError)
    expect(() => read(Array(100).fill(encode('data: x\n')), 50)).toThrow(FrameTooLargeError)
    expect(read(Array(100).fill(encode('data: x\n\n')), 50)).toHaveLength(100)
  })

  it('takes time in proportion to a frame that comes in small pieces', () => {
    const scanner = new SseScanner(1 << 24)
    const piece = encode('x'.repeat(16))
    for (let count = 0; count < 60_000; count++) scanner.push(piece)
    scanner.push(encode('\n\n'))
    expect(scanner.end()).toHaveLength(0)
  })
})
