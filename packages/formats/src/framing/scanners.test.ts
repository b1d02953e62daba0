import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { AwsEventStreamScanner } from './aws-event-stream.ts'
import { type FrameScanner, FrameTooLargeError } from './frame.ts'
import { JsonArrayScanner } from './json-array.ts'
import { BufferedBodyScanner, NdjsonScanner } from './lines-and-bodies.ts'
import { SseScanner } from './sse.ts'
import { encodeEventFrame, encodeExceptionFrame } from './test-support/encode-event-stream.ts'
import { cutBytes, readFrames } from './test-support/read-frames.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const joined = (pieces: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(pieces))

interface Framing {
  readonly name: string
  readonly make: (maxFrameBytes: number) => FrameScanner
  readonly stream: fc.Arbitrary<Uint8Array>
  /** One frame of about so many bytes. */
  readonly frame: (size: number) => Uint8Array
  /** True when every byte lies in a frame, even when the bytes end in the middle of one. */
  readonly isComplete: boolean
}

const line = fc.constantFrom('{"a":"é漢😀"}', '', ' ', '{"b":[1,2]}\r', 'no json', '\u0000')
const awsFrame = fc.oneof(
  fc
    .tuple(fc.string(), fc.jsonValue())
    .map(([name, value]) => encodeEventFrame(name.slice(0, 20), { value })),
  fc.string().map((message) => encodeExceptionFrame('throttlingException', { message })),
)

const framings: readonly Framing[] = [
  {
    name: 'SseScanner',
    make: (max) => new SseScanner(max),
    stream: fc
      .array(fc.constantFrom('data: é漢😀', 'event: e', ': c', '', 'data:{"a":1}'), { maxLength: 12 })
      .map((lines) => encode(lines.map((each) => `${each}\n`).join(''))),
    frame: (size) => encode(`data: ${'x'.repeat(size)}\n\n`),
    isComplete: true,
  },
  {
    name: 'NdjsonScanner',
    make: (max) => new NdjsonScanner(max),
    stream: fc.array(line, { maxLength: 12 }).map((lines) => encode(lines.join('\n'))),
    frame: (size) => encode(`${'x'.repeat(size)}\n`),
    isComplete: true,
  },
  {
    name: 'AwsEventStreamScanner',
    make: (max) => new AwsEventStreamScanner(max),
    stream: fc
      .tuple(fc.array(awsFrame, { maxLength: 4 }), fc.nat(20))
      .map(([frames, lost]) => joined(frames).subarray(0, -lost || undefined)),
    frame: (size) => encodeEventFrame('chunk', 'x'.repeat(size)),
    isComplete: false,
  },
  {
    name: 'JsonArrayScanner',
    make: (max) => new JsonArrayScanner(max),
    stream: fc
      .tuple(fc.array(fc.jsonValue(), { maxLength: 5 }), fc.nat(20))
      .map(([list, lost]) => encode(JSON.stringify(list)).subarray(0, -lost || undefined)),
    frame: (size) => encode(`[{"a":"${'x'.repeat(size)}"},`),
    isComplete: false,
  },
  {
    name: 'WholeBodyScanner',
    make: (max) => new BufferedBodyScanner(max),
    stream: fc.string().map(encode),
    frame: (size) => encode('x'.repeat(size)),
    isComplete: true,
  },
]

describe.each(framings)('$name', ({ make, stream, frame, isComplete }) => {
  const read = (chunks: readonly Uint8Array[], max = 1 << 20) => readFrames(make(max), chunks)

  it('gives the same frames however the bytes are cut, and loses none', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 8 }), (bytes, positions) => {
        const complete = read([bytes])
        expect(read(cutBytes(bytes, positions))).toEqual(complete)
        expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(complete)
        const raw = complete.flatMap((each) => each.raw)
        expect(raw).toEqual([...bytes.subarray(0, isComplete ? undefined : raw.length)])
      }),
      { numRuns: 300 },
    )
  })

  it('gives the same frames of pieces that share memory, as those of one read from a socket do', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 8 }), (bytes, positions) => {
        const received = Buffer.from(bytes)
        const ends = [...positions.map((position) => position % (bytes.length + 1)), bytes.length].toSorted(
          (a, b) => a - b,
        )
        const pieces = ends.map((end, index) => received.subarray(ends[index - 1] ?? 0, end))
        expect(read(pieces)).toEqual(read([bytes]))
      }),
      { numRuns: 300 },
    )
  })

  it('keeps what follows a frame that ended with its piece', () => {
    const received = Buffer.from(joined([frame(10), frame(20)]))
    const first = frame(10).length
    const cuts = [0, first, first + 10, received.length]
    const pieces = cuts.slice(1).map((end, index) => received.subarray(cuts[index], end))
    expect(read(pieces)).toEqual(read([received]))
  })

  it('never writes to bytes it has given out', () => {
    const scanner = make(1 << 16)
    const bytes = joined([frame(10), frame(20), frame(300)])
    const frames = cutBytes(bytes, [3, 11, 40, 200]).flatMap((chunk) => scanner.push(chunk))
    const seen = () => frames.map((each) => [...each.bytes.subarray(each.start, each.end)])
    const before = seen()
    scanner.push(frame(500))
    scanner.end()
    expect(seen()).toEqual(before)
  })

  it('refuses a frame beyond the limit, whether it is complete or not', () => {
    expect(() => read([frame(500)], 200)).toThrow(FrameTooLargeError)
    expect(() => read([frame(500).subarray(0, 300)], 200)).toThrow(FrameTooLargeError)
    expect(() =>
      read(
        cutBytes(
          frame(500),
          [...Array(50).keys()].map((at) => at * 10),
        ),
        200,
      ),
    ).toThrow(FrameTooLargeError)
  })

  it('takes time in proportion to a frame that comes in small pieces', () => {
    const scanner = make(1 << 24)
    const bytes = frame(1_000_000)
    for (let at = 0; at < bytes.length; at += 16) scanner.push(bytes.subarray(at, at + 16))
    scanner.end()
  })

  it('gives no frame twice when asked for the end twice', () => {
    const scanner = make(1000)
    scanner.push(frame(20).subarray(0, 15))
    scanner.end()
    expect(scanner.end()).toHaveLength(0)
  })

  it('takes any bytes, and then gives frames or an error that says what is wrong', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          read([bytes], 1000)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
          expect(['FrameTooLargeError', 'MalformedFrameError']).toContain((error as Error).name)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('NdjsonScanner', () => {
  it('reads each line without its end, and blank lines as frames without a payload', () => {
    const frames = readFrames(new NdjsonScanner(100), [encode('{"a":1}\r\n\n  \n{"b":2}\n{"c":')])
    expect(frames.map((frame) => frame.data)).toEqual(['{"a":1}', undefined, undefined, '{"b":2}', '{"c":'])
  })
})

describe('WholeBodyScanner', () => {
  it('gives the body as one frame, and none for an empty body', () => {
    expect(readFrames(new BufferedBodyScanner(100), [encode('{"a"'), encode(':1}')])).toMatchObject([
      { event: '', data: '{"a":1}' },
    ])
    expect(readFrames(new BufferedBodyScanner(100), [])).toEqual([])
  })
})
