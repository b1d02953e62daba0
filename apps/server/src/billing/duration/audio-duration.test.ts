import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { audioSeconds } from './audio-duration.ts'

const secondsOf = (bytes: Uint8Array) =>
  audioSeconds({ size: bytes.length, slice: async (start, end) => bytes.subarray(start, end) })

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
function u32le(value: number): Buffer {
  return Buffer.from(u32(value).toReversed())
}

function wav(seconds: number, statement?: number): Buffer {
  const data = Buffer.alloc(seconds * 16_000)
  const format = Buffer.concat([
    Buffer.from([1, 0, 1, 0]),
    u32le(8000),
    u32le(16_000),
    Buffer.from([2, 0, 16, 0]),
  ])
  const list = Buffer.concat([Buffer.from('LIST'), u32le(3), Buffer.from('abc\0')])
  return Buffer.concat([
    Buffer.from('RIFF'),
    u32le(36 + data.length),
    Buffer.from('WAVEfmt '),
    u32le(16),
    format,
    list,
    Buffer.from('data'),
    u32le(statement ?? data.length),
    data,
  ])
}

/** Frames of 128 kbit/s at 44.1 kHz: 417 bytes each, 26.122 ms. */
function mp3(frames: number, first: Buffer = Buffer.alloc(0)): Buffer {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0x00])
  const all = Array.from({ length: frames }, () => frame)
  const head = Buffer.from(frame)
  first.copy(head, 36)
  return Buffer.concat([head, ...all.slice(1)])
}

function flac(samples: number): Buffer {
  const info = Buffer.alloc(42)
  info.write('fLaC')
  info.writeUIntBE((48_000 << 4) >>> 0, 18, 3)
  info[21] = Math.floor(samples / 2 ** 32)
  info.writeUInt32BE(samples % 2 ** 32, 22)
  return info
}

function ogg(head: Buffer, samples: number): Buffer {
  const page = (position: number, body: Buffer) =>
    Buffer.concat([Buffer.from('OggS\0\0'), u32le(position), u32le(0), Buffer.alloc(13), body])
  return Buffer.concat([page(0, head), Buffer.alloc(100_000), page(samples, Buffer.alloc(20))])
}

function box(name: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([u32(body.length + 8), Buffer.from(name), body])
}

const mvhd = (scale: number, length: number) =>
  box('mvhd', Buffer.alloc(12), u32(scale), u32(length), Buffer.alloc(80))

function element(id: readonly number[], body: Buffer): Buffer {
  const size = Buffer.from([0x10, 0, 0, 0])
  size.writeUInt32BE(0x10000000 + body.length)
  return Buffer.concat([Buffer.from(id), size, body])
}
const unsized = Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
const ebml = element([0x1a, 0x45, 0xdf, 0xa3], Buffer.from('webm'))
const scale = element([0x2a, 0xd7, 0xb1], Buffer.from([0x0f, 0x42, 0x40]))

describe('audioSeconds', () => {
  it('of WAV is its samples by its rate, also where a stream said no length', async () => {
    expect(await secondsOf(wav(3))).toBe(3)
    expect(await secondsOf(wav(2, 0xffffffff))).toBe(2)
  })

  it('of MP3 is what its index says, else what its frames are together', async () => {
    const frame = 1152 / 44_100
    expect(await secondsOf(mp3(100))).toBeCloseTo(100 * frame, 6)
    const tag = Buffer.concat([Buffer.from('ID3\x04\0\0'), Buffer.from([0, 0, 1, 0]), Buffer.alloc(128)])
    expect(await secondsOf(Buffer.concat([tag, mp3(1000)]))).toBeCloseTo(1000 * frame, 6)
    const index = Buffer.concat([Buffer.from('Xing'), u32(1), u32(5000)])
    expect(await secondsOf(mp3(2, index))).toBeCloseTo(5000 * frame, 6)
  })

  it('of FLAC and Ogg follows from samples', async () => {
    expect(await secondsOf(flac(48_000 * 90))).toBe(90)
    const opus = Buffer.from([...Buffer.from('OpusHead'), 1, 1, 0x38, 0x01, 0, 0, 0, 0])
    expect(await secondsOf(ogg(opus, 48_000 * 7 + 312))).toBe(7)
    const vorbis = Buffer.concat([Buffer.from('\x01vorbis'), u32le(0), Buffer.from([1]), u32le(44_100)])
    expect(await secondsOf(ogg(vorbis, 44_100 * 5))).toBe(5)
  })

  it('of MP4 is read from a box before or after the samples', async () => {
    const type = box('ftyp', Buffer.from('M4A \0\0\0\0'))
    const samples = box('mdat', Buffer.alloc(5000))
    const head = box('moov', box('udta', Buffer.alloc(9)), mvhd(1000, 12_500))
    expect(await secondsOf(Buffer.concat([type, head, samples]))).toBe(12.5)
    expect(await secondsOf(Buffer.concat([type, samples, head]))).toBe(12.5)
  })

  it('of WebM is read from its head or from its last cluster', async () => {
    const length = Buffer.alloc(8)
    length.writeDoubleBE(4200)
    const stated = element([0x15, 0x49, 0xa9, 0x66], Buffer.concat([scale, element([0x44, 0x89], length)]))
    expect(await secondsOf(Buffer.concat([ebml, unsized, stated]))).toBe(4.2)
    const untold = element([0x15, 0x49, 0xa9, 0x66], scale)
    const cluster = (ms: number) =>
      element([0x1f, 0x43, 0xb6, 0x75], element([0xe7], Buffer.from([ms >> 8, ms & 0xff])))
    expect(await secondsOf(Buffer.concat([ebml, unsized, untold, cluster(1000), cluster(9000)]))).toBe(9)
  })

  it('of MP3 is that of its frames, whatever its index says and whatever stands between them', async () => {
    const frame = 1152 / 44_100
    const one = Buffer.concat([Buffer.from('Xing'), u32(1), u32(1)])
    expect(await secondsOf(mp3(20_000, one))).toBeCloseTo(20_000 * frame, 6)
    const garbage = Buffer.concat([mp3(1), Buffer.from('\xff\x00garbage\xff', 'latin1'), mp3(999)])
    expect(await secondsOf(garbage)).toBeCloseTo(1000 * frame, 6)
  })

  it('is at least what its bytes take at the highest rate of its codec', async () => {
    const opus = Buffer.from([...Buffer.from('OpusHead'), 1, 1, 0, 0, 0, 0, 0, 0])
    const short = ogg(opus, 480)
    expect(await secondsOf(short)).toBeCloseTo(short.length / 63_750, 6)
    const type = box('ftyp', Buffer.from('M4A \0\0\0\0'))
    const samples = box('mdat', Buffer.alloc(7_200_000))
    const statement = Buffer.concat([type, box('moov', mvhd(1000, 26)), samples])
    expect(await secondsOf(statement)).toBeCloseTo(100, 1)
    const film = Buffer.concat([
      type,
      box('moov', mvhd(1000, 26_000), box('hdlr', Buffer.from('vide'))),
      samples,
    ])
    expect(await secondsOf(film)).toBe(26)
  })

  it('of WAV goes by its samples, whatever it says of its bytes a second', async () => {
    const lying = wav(600)
    lying.writeUInt32LE(0xffffffff, 28)
    expect(await secondsOf(lying)).toBe(600)
  })

  it('of anything else is not known, and hostile bytes throw nothing', async () => {
    expect(await secondsOf(Buffer.from('hello'))).toBeUndefined()
    expect(await secondsOf(new Uint8Array())).toBeUndefined()
    const heads = [
      'RIFF\0\0\0\0WAVE',
      'fLaC',
      'OggS',
      '\0\0\0\x08ftyp',
      '\x1a\x45\xdf\xa3',
      'ID3\x04',
      '\xff\xfb\x90\0',
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 300 }), async (head, rest) => {
        const seconds = await secondsOf(Buffer.concat([Buffer.from(head, 'latin1'), rest]))
        expect(seconds === undefined || seconds > 0).toBe(true)
      }),
    )
  })
})
