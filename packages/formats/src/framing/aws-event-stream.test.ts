import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { AwsEventStreamScanner, crc32, readEventStreamHeaders } from './aws-event-stream.ts'
import { FrameTooLargeError, MalformedFrameError } from './frame.ts'
import { encodeEventFrame, encodeEventStreamFrame, textHeader } from './test-support/encode-event-stream.ts'
import { readFrames } from './test-support/read-frames.ts'

const fromHex = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const read = (bytes: Uint8Array, max = 1 << 20) => readFrames(new AwsEventStreamScanner(max), [bytes])

const eventFrame = fromHex(
  '000000870000004b87ea2bf30b3a6576656e742d747970650700056368756e6b0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b226279746573223a2265794a306558426c496a6f696257567a6332466e5a56397a64473977496e303d227dba48ab22',
)
const exceptionFrame = fromHex(
  '0000008800000061de0175f40f3a657863657074696f6e2d747970650700137468726f74746c696e67457863657074696f6e0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d74797065070009657863657074696f6e7b226d657373616765223a22736c6f7720646f776e227d832ee072',
)
const converseFrame = fromHex(
  '0000009d00000057b9bbf89f0b3a6576656e742d74797065070011636f6e74656e74426c6f636b44656c74610d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b22636f6e74656e74426c6f636b496e646578223a302c2264656c7461223a7b2274657874223a224869227d2c2270223a226162227d8b38b268',
)

describe('AwsEventStreamScanner', () => {
  it('reads events and exceptions, one behind the other', () => {
    const all = new Uint8Array(Buffer.concat([eventFrame, exceptionFrame, converseFrame]))
    expect(read(all)).toMatchObject([
      { event: 'chunk', fault: false, data: '{"bytes":"eyJ0eXBlIjoibWVzc2FnZV9zdG9wIn0="}' },
      { event: 'throttlingException', fault: true, data: '{"message":"slow down"}' },
      {
        event: 'contentBlockDelta',
        fault: false,
        data: '{"contentBlockIndex":0,"delta":{"text":"Hi"},"p":"ab"}',
      },
    ])
  })

  it('is what the encoder of the tests writes', () => {
    expect(encodeEventFrame('chunk', { bytes: 'eyJ0eXBlIjoibWVzc2FnZV9zdG9wIn0=' })).toEqual(eventFrame)
  })

  it('reads an error, which has its words in headers', () => {
    const error = encodeEventStreamFrame(
      [
        textHeader(':message-type', 'error'),
        textHeader(':error-code', 'InternalFailure'),
        textHeader(':error-message', 'we "broke"'),
      ],
      new Uint8Array(0),
    )
    expect(read(error)).toMatchObject([
      { event: 'InternalFailure', fault: true, data: '{"message":"we \\"broke\\""}' },
    ])
  })

  it('notices every flipped bit', () => {
    for (let bit = 0; bit < eventFrame.length * 8; bit++) {
      const broken = eventFrame.slice()
      broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => read(broken)).toThrow(MalformedFrameError)
    }
  })

  const prelude = (total: number, headers: number) => {
    const bytes = new Uint8Array(16)
    const view = new DataView(bytes.buffer)
    view.setUint32(0, total)
    view.setUint32(4, headers)
    view.setUint32(8, crc32(bytes, 0, 8))
    return bytes
  }

  it('refuses lengths that cannot be, before it waits for their bytes', () => {
    expect(() => read(prelude(0xffffffff, 0))).toThrow(FrameTooLargeError)
    expect(() => read(prelude(0, 0))).toThrow(MalformedFrameError)
    expect(() => read(prelude(15, 0))).toThrow(MalformedFrameError)
    expect(() => read(prelude(100, 85))).toThrow(MalformedFrameError)
    expect(() => read(prelude(100, 0xffffffff))).toThrow(MalformedFrameError)
  })
})

describe('readEventStreamHeaders', () => {
  it('reads values of every type', () => {
    const frame = encodeEventStreamFrame(
      [
        { name: 'yes', type: 0, value: new Uint8Array(0) },
        { name: 'no', type: 1, value: new Uint8Array(0) },
        { name: 'byte', type: 2, value: Uint8Array.of(0xff) },
        { name: 'short', type: 3, value: Uint8Array.of(0x01, 0x02) },
        { name: 'int', type: 4, value: Uint8Array.of(0xff, 0xff, 0xff, 0xfe) },
        { name: 'long', type: 5, value: Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0) },
        { name: 'bytes', type: 6, value: Uint8Array.of(1, 2, 3) },
        { name: 'text', type: 7, value: new TextEncoder().encode('é漢') },
        { name: 'time', type: 8, value: Uint8Array.of(0, 0, 1, 0, 0, 0, 0, 5) },
        { name: 'uuid', type: 9, value: new Uint8Array(16).fill(7) },
      ],
      new Uint8Array(0),
    )
    const headers = readEventStreamHeaders(frame, 12, frame.length - 4)
    expect([...(headers ?? [])]).toEqual([
      ['yes', true],
      ['no', false],
      ['byte', -1],
      ['short', 258],
      ['int', -2],
      ['long', 2n ** 32n],
      ['bytes', Uint8Array.of(1, 2, 3)],
      ['text', 'é漢'],
      ['time', 2n ** 40n + 5n],
      ['uuid', new Uint8Array(16).fill(7)],
    ])
  })

  it('takes any bytes, and never reads beyond them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        readEventStreamHeaders(bytes, 0, bytes.length)
      }),
      { numRuns: 1000 },
    )
    expect(readEventStreamHeaders(Uint8Array.of(1, 0x61, 7, 0), 0, 4)).toBeUndefined()
    expect(readEventStreamHeaders(Uint8Array.of(1, 0x61, 10), 0, 3)).toBeUndefined()
  })
})
