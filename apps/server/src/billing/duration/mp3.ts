import { type AudioSource, bytesAt, type StatedDuration } from './audio-source.ts'

/** Kilobits a second by index; of MPEG 1, and of 2 and 2.5. Layer III. */
const bitrates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
] as const
const rates = [44_100, 48_000, 32_000, 0] as const
/** Frames looked at: those behind them are taken to be like them. */
const maxFrames = 50_000
const blockBytes = 256 * 1024
/** Bytes behind an ID3 tag in which the first frame must begin. */
const searchBytes = 8192

interface FrameHead {
  readonly seconds: number
  /** Bytes to the next frame. */
  readonly size: number
  /** Offset of an index within the first frame. */
  readonly indexAt: number
  readonly samples: number
  readonly rate: number
}

/** MPEG audio, layer III: as long as its frames are together, or as an index in the first of them says, if that is more. */
export async function mp3Seconds(source: AudioSource): Promise<StatedDuration | undefined> {
  const tagged = await bytesAt(source, 0, 10)
  const tagEnd = tagged.toString('latin1', 0, 3) === 'ID3' ? 10 + syncSafe(tagged) : 0
  const start = await bytesAt(source, tagEnd, searchBytes)
  const first = firstFrame(start)
  if (first === undefined) return undefined
  const frames = indexedFrames(start.subarray(first.at), first.head) ?? 0
  const indexed = (frames * first.head.samples) / first.head.rate
  const walked = await walkFrames(source, tagEnd + first.at)
  return { seconds: Math.max(indexed, walked), bytes: source.size - tagEnd, codec: 'mp3' }
}

function syncSafe(tag: Buffer): number {
  return [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((tag[at] ?? 0) & 0x7f), 0)
}

function firstFrame(bytes: Buffer): { readonly at: number; readonly head: FrameHead } | undefined {
  for (let at = 0; at + 4 <= bytes.length; at++) {
    const head = frameHead(bytes, at)
    if (head !== undefined) return { at, head }
  }
  return undefined
}

/** Xing and Info after the side information, VBRI at a fixed place. */
function indexedFrames(frame: Buffer, { indexAt }: FrameHead): number | undefined {
  const name = frame.toString('latin1', indexAt, indexAt + 4)
  if ((name === 'Xing' || name === 'Info') && frame.length >= indexAt + 12)
    return (frame[indexAt + 7] ?? 0) & 1 ? frame.readUInt32BE(indexAt + 8) : undefined
  const isVbri = frame.toString('latin1', 36, 40) === 'VBRI' && frame.length >= 54
  return isVbri ? frame.readUInt32BE(50) : undefined
}

async function walkFrames(source: AudioSource, start: number): Promise<number> {
  let seconds = 0
  let at = start
  let blockStart = 0
  let block: Buffer = Buffer.alloc(0)
  for (let frames = 0; frames < maxFrames && at + 4 <= source.size; frames++) {
    if (at < blockStart || at + 4 > blockStart + block.length) {
      blockStart = at
      block = await bytesAt(source, at, blockBytes)
    }
    const head = frameHead(block, at - blockStart)
    if (head === undefined) {
      // A tag at the end, or garbage, behind which decoders find the next frame.
      at += bytesToFrame(block, at - blockStart + 1) + 1
      continue
    }
    seconds += head.seconds
    at += head.size
  }
  return at < source.size ? (seconds * (source.size - start)) / (at - start) : seconds
}

/** Bytes to where a frame may begin; to where the block may hold half a head, for want of one. */
function bytesToFrame(block: Buffer, from: number): number {
  const last = Math.max(from, block.length - 3)
  for (let at = block.indexOf(0xff, from); at >= 0 && at < last; at = block.indexOf(0xff, at + 1))
    if (frameHead(block, at) !== undefined) return at - from
  return last - from
}

function frameHead(bytes: Buffer, at: number): FrameHead | undefined {
  if (at + 4 > bytes.length) return undefined
  const head = bytes.readUInt32BE(at)
  const layout = layoutOf(head)
  if (layout === undefined) return undefined
  const { isFirst, rateDivisor } = layout
  const bitrate = (isFirst ? bitrates[0] : bitrates[1])[(head >>> 12) & 15] ?? 0
  const rate = (rates[(head >>> 10) & 3] ?? 0) / rateDivisor
  if (bitrate === 0 || rate === 0) return undefined
  const samples = isFirst ? 1152 : 576
  const size = Math.floor(((samples / 8) * bitrate * 1000) / rate) + ((head >>> 9) & 1)
  const isMono = ((head >>> 6) & 3) === 3
  return { seconds: samples / rate, size, indexAt: indexPosition(isFirst, isMono), samples, rate }
}

/** Reads the layout of a frame, of layer III alone; the versions are MPEG 1, 2 and 2.5. */
function layoutOf(head: number): { readonly isFirst: boolean; readonly rateDivisor: number } | undefined {
  const version = (head >>> 19) & 3
  const isFrame = head >>> 21 === 0x7ff && ((head >>> 17) & 3) === 1
  if (!isFrame || version === 1) return undefined
  return { isFirst: version === 3, rateDivisor: version === 3 ? 1 : version === 2 ? 2 : 4 }
}

/** Behind the side information. */
function indexPosition(isFirst: boolean, isMono: boolean): number {
  if (isFirst) return isMono ? 21 : 36
  return isMono ? 13 : 21
}
