import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { type BodyFraming, MalformedMessageError } from './body.ts'
import { createBodyDecoder } from './body-decoder.ts'

/** Decodes bytes that come in these pieces. */
function decode(framing: BodyFraming, pieces: readonly Buffer[]) {
  const decoder = createBodyDecoder(framing)
  const into: Buffer[] = []
  let taken = 0
  for (const piece of pieces) if (!decoder.done) taken += decoder.push(piece, into)
  return { body: Buffer.concat(into).toString('latin1'), taken, done: decoder.done }
}

function cut(bytes: Buffer, positions: readonly number[]): readonly Buffer[] {
  const ends = [...positions.map((position) => position % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  )
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

/** A chunk for every part that is not empty. */
function chunked(parts: readonly Uint8Array[]): Buffer {
  const chunks = parts
    .filter((part) => part.length > 0)
    .flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')])
}

const decodeText = (text: string) => decode('chunked', [Buffer.from(text, 'latin1')])
const someBytes = fc.uint8Array({ maxLength: 300 })
const positions = fc.array(fc.nat(), { maxLength: 12 })

describe('chunked body', () => {
  it('is the same however its bytes are split, and what follows it is left untaken', () => {
    const body = '5;a="b"\r\nhello\r\n00C\r\n wide\r\nworld\r\n0;last\r\nTrailer: x\r\n\r\n'
    const bytes = Buffer.from(`${body}HTTP/1.1 200 OK`)
    const buffered = { body: 'hello wide\r\nworld', taken: body.length, done: true }
    for (let position = 0; position <= bytes.length; position += 1) {
      expect(decode('chunked', cut(bytes, [position]))).toEqual(buffered)
    }
    expect(decode('chunked', cut(bytes, [...bytes.keys()]))).toEqual(buffered)
  })

  it('is what was packed into chunks, whatever they are and however they are split', () => {
    fc.assert(
      fc.property(fc.array(someBytes), someBytes, positions, (parts, surplus, cuts) => {
        const packed = chunked(parts)
        const { body, taken, done } = decode('chunked', cut(Buffer.concat([packed, surplus]), cuts))
        expect(body).toBe(Buffer.concat(parts).toString('latin1'))
        expect(taken).toBe(packed.length)
        expect(done).toBe(true)
      }),
    )
  })

  it.each([
    ['sizes in either case', '00a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n', '01234567890123456789'],
    ['extensions', '1;a\r\nx\r\n1;a="1;2\\"";b=c\r\ny\r\n000;z\r\n\r\n', 'xy'],
    ['trailer fields', '1\r\nx\r\n0\r\nA: b\r\nC: d\r\n\r\n', 'x'],
    ['as many trailer fields as are allowed', `1\r\nx\r\n0\r\n${'A: b\r\n'.repeat(100)}\r\n`, 'x'],
    ['no chunk but the last', '0\r\n\r\n', ''],
  ] as const)('may have %s', (_, text, body) => {
    expect(decodeText(text)).toEqual({ body, taken: text.length, done: true })
  })

  it.each([1, 15, 16, 255, 4096, 65_535, 1_048_575, 1_048_576, 16_777_216])(
    'may have %d bytes in a chunk, with zeros before its size or without',
    (size) => {
      const data = Buffer.alloc(size, 'x')
      for (const digits of [size.toString(16), size.toString(16).toUpperCase(), `00${size.toString(16)}`]) {
        const packed = Buffer.concat([Buffer.from(`${digits}\r\n`), data, Buffer.from('\r\n0\r\n\r\n')])
        const { body, taken, done } = decode('chunked', [packed])
        expect([body.length, taken, done]).toEqual([size, packed.length, true])
      }
    },
  )

  it('is incomplete before its last line break', () => {
    const text = '1\r\nx\r\n0\r\n\r\n'
    for (let end = 0; end < text.length; end += 1) {
      expect(decodeText(text.slice(0, end)).done).toBe(false)
    }
  })

  it.each([
    ['no size', '\r\nx\r\n'],
    ['an extension but no size', ';a\r\n'],
    ['a negative size', '-1\r\n'],
    ['a size with a sign', '+1\r\n'],
    ['a size with a prefix', '0x1\r\n'],
    ['a size that is no number', 'xyz\r\n'],
    ['two sizes', '1 1\r\nx\r\n'],
    ['a blank before its size', ' 1\r\nx\r\n'],
    ['a size nothing could hold', `${'f'.repeat(13)}\r\n`],
    ['a line that ends with a bare line feed', '1\nx\r\n'],
    ['a blank behind its size', '1 \r\nx\r\n'],
    ['a tab behind its size', '1\t\r\nx\r\n'],
    ['a blank before an extension', '1 ;a\r\nx\r\n'],
    ['a blank in an extension', '1; a\r\nx\r\n'],
    ['an extension without a name', '1;\r\nx\r\n'],
    ['an extension with a value but no name', '1;=b\r\nx\r\n'],
    ['an extension whose value is missing', '1;a=\r\nx\r\n'],
    ['an extension that is not closed', '1;a="b\r\nx\r\n'],
    ['two extensions with nothing between', '1;;a\r\nx\r\n'],
    ['a zero byte in an extension', '1;a=\0\r\nx\r\n'],
    ['a carriage return in an extension', '1;a\rb\r\nx\r\n'],
    ['an endless extension', `1;${'a'.repeat(9000)}`],
    ['more bytes than it said', '1\r\nxy\r\n'],
    ['another size where its end should be', '1\r\nx0\r\n\r\n'],
    ['a bare line feed at its end', '1\r\nx\n0\r\n\r\n'],
    ['endlessly more bytes than it said', `1\r\nx${'y'.repeat(9000)}`],
  ] as const)('is refused when a chunk has %s', (_, text) => {
    expect(() => decodeText(text)).toThrow(MalformedMessageError)
    expect(() =>
      decode(
        'chunked',
        cut(
          Buffer.from(text),
          [...text].map((_, index) => index),
        ),
      ),
    ).toThrow(MalformedMessageError)
  })

  it.each([
    ['a bare line feed', 'A: b\nC: d\r\n\r\n'],
    ['a bare line feed at its end', 'A: b\r\n\n'],
    ['a bare carriage return', 'A: b\rC: d\r\n\r\n'],
    ['a line without a colon', 'GET / HTTP/1.1\r\n\r\n'],
    ['a field without a name', ': b\r\n\r\n'],
    ['a blank before its colon', 'A : b\r\n\r\n'],
    ['a folded line', 'A: b\r\n c\r\n\r\n'],
    ['a zero byte', 'A: \0\r\n\r\n'],
  ])('is refused when its trailer has %s', (_, trailer) => {
    expect(() => decodeText(`0\r\n${trailer}`)).toThrow(MalformedMessageError)
  })

  it.each([
    ['fields', 'A: b\r\n'.repeat(101)],
    ['a line', 'a'.repeat(9000)],
  ])('is refused when its trailer has %s without end', (_, trailer) => {
    expect(() => decodeText(`0\r\n${trailer}`)).toThrow(MalformedMessageError)
  })
})

describe('body of a known length', () => {
  it('takes that many bytes and leaves the rest, however they are split', () => {
    fc.assert(
      fc.property(someBytes, someBytes, positions, (body, surplus, cuts) => {
        const pieces = cut(Buffer.concat([body, surplus]), cuts)
        expect(decode(body.length, pieces)).toEqual({
          body: Buffer.from(body).toString('latin1'),
          taken: body.length,
          done: true,
        })
      }),
    )
  })

  it('is incomplete while a byte is missing', () => {
    expect(decode(3, [Buffer.from('ab')])).toEqual({ body: 'ab', taken: 2, done: false })
  })

  it('is complete from the start when it is empty', () => {
    expect(createBodyDecoder(0).done).toBe(true)
  })
})

describe('body until the connection closes', () => {
  it('takes every byte and is never complete by itself', () => {
    const pieces = cut(Buffer.alloc(1000, 'x'), [1, 10, 100])
    expect(decode('until-close', pieces)).toEqual({ body: 'x'.repeat(1000), taken: 1000, done: false })
  })
})

it.each([
  ['length', 4, 'abcd'],
  ['chunks', 'chunked', '4\r\nabcd\r\n'],
] as const)('a body by %s is not copied', (_, framing, text) => {
  const bytes = Buffer.from(text)
  const into: Buffer[] = []
  createBodyDecoder(framing).push(bytes, into)
  expect(into.map(({ buffer }) => buffer)).toEqual([bytes.buffer])
  bytes.fill('x')
  expect(into.join('')).toBe('xxxx')
})
