import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { FormFault, FormScanner, formBoundary, type PartHead } from './form-scanner.ts'

interface Part extends PartHead {
  text: string
}

function scan(boundary: string, pieces: readonly Uint8Array[]): Part[] {
  const parts: Part[] = []
  const scanner = new FormScanner(boundary, {
    part: (head) => void parts.push({ ...head, text: '' }),
    data: (bytes) => {
      const last = parts.at(-1)
      if (last !== undefined) last.text += Buffer.from(bytes).toString('latin1')
    },
  })
  for (const piece of pieces) scanner.push(piece)
  scanner.end()
  return parts
}

const form = [
  'ignored\r\n--b',
  'Content-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n--b',
  'content-type: audio/wav\r\nContent-Disposition: form-data; name="file"; filename="a \\"b\\" %22c%22.wav"\r\n\r\nRIFF\r\n--\r\n--bx\r\n--b',
  'Content-Disposition: form-data; name=empty\r\n\r\n\r\n--b--\r\nignored',
].join('\r\n')
const parts: readonly Part[] = [
  { name: 'model', fileName: undefined, contentType: '', text: 'whisper-1' },
  { name: 'file', fileName: 'a "b" "c".wav', contentType: 'audio/wav', text: 'RIFF\r\n--' },
  { name: 'empty', fileName: undefined, contentType: '', text: '' },
]

describe('FormScanner', () => {
  it('finds the same parts however their bytes are split', () => {
    const bytes = Buffer.from(form.replace('\r\n--bx', ''), 'latin1')
    expect(scan('b', [bytes])).toEqual([...parts])
    expect(
      scan(
        'b',
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual([...parts])
    fc.assert(
      fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 6 }), (positions) => {
        const cuts = [0, ...positions.toSorted((a, b) => a - b), bytes.length]
        const pieces = cuts.slice(1).map((end, at) => bytes.subarray(cuts[at], end))
        expect(scan('b', pieces)).toEqual([...parts])
      }),
    )
  })

  it.each([
    ['name="file"; filename*=utf-8\'\'%C3%A4.wav', 'file', 'ä.wav'],
    ['name="file"; filename="a.wav"; filename*=utf-8\'\'%C3%A4.wav', 'file', 'a.wav'],
    ["name=file; filename*=UTF-8'de'%E4.wav", 'file', '%E4.wav'],
    ['filename="a; name=model"; name="file"', 'file', 'a; name=model'],
    ['name="a; filename=b"', 'a; filename=b', undefined],
    ['name=file;filename=a.wav', 'file', 'a.wav'],
  ])('reads the names in %s', (disposition, name, fileName) => {
    const text = `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\nx\r\n--b--`
    expect(scan('b', [Buffer.from(text)])).toMatchObject([{ name, fileName }])
  })

  it.each([
    ['', /not whole/],
    ['--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx', /not whole/],
    ['--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--', /no name/],
    [`--b\r\n${'x'.repeat(20_000)}`, /too long/],
    [`--b${'x'.repeat(20_000)}`, /something else/],
    [`${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(129)}--b--`, /128 parts/],
  ])('refuses a form that is none', (text, reason) => {
    expect(() => scan('b', [Buffer.from(text)])).toThrow(reason)
  })

  it('throws nothing else, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('--b', '\r\n', ':', 'form-data; name=', '"', '--', 'x'), { maxLength: 40 }),
        (words) => {
          try {
            scan('b', [Buffer.from(words.join(''))])
          } catch (error) {
            expect(error).toBeInstanceOf(FormFault)
          }
        },
      ),
    )
  })
})

describe('formBoundary', () => {
  it('reads it with quotes and without', () => {
    expect(formBoundary('multipart/form-data; boundary=abc')).toBe('abc')
    expect(formBoundary('Multipart/Form-Data; charset=utf-8; Boundary="a b"')).toBe('a b')
    expect(() => formBoundary('application/json')).toThrow(/multipart/)
    expect(() => formBoundary('multipart/form-data')).toThrow(/boundary/)
  })
})
