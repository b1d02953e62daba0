import { type AudioCodec, type AudioSource, bytesAt, type StatedDuration } from './audio-source.ts'

/** Longest page: the last one starts within this distance of the end. */
const maxPage = 65_307
const opusRate = 48_000

/**
 * The last page contains the position of the last sample.
 * https://www.rfc-editor.org/rfc/rfc3533 https://www.rfc-editor.org/rfc/rfc7845
 */
export async function oggSeconds(source: AudioSource): Promise<StatedDuration | undefined> {
  const first = await bytesAt(source, 0, 512)
  const codec = codecOf(first)
  if (codec === undefined) return undefined
  const tailStart = Math.max(0, source.size - maxPage)
  const tail = await bytesAt(source, tailStart, maxPage)
  const last = tail.lastIndexOf('OggS')
  if (last < 0 || tail.length < last + 14) return undefined
  const samples = tail.readUInt32LE(last + 6) + tail.readUInt32LE(last + 10) * 2 ** 32
  const seconds = Math.max(0, samples - codec.skipped) / codec.rate
  return { seconds, bytes: source.size, codec: codec.name }
}

interface OggCodec {
  readonly name: AudioCodec
  readonly rate: number
  /** Samples before the first that is played. */
  readonly skipped: number
}

function codecOf(first: Buffer): OggCodec | undefined {
  const opus = first.indexOf('OpusHead')
  if (opus >= 0 && first.length >= opus + 12)
    return { name: 'opus', rate: opusRate, skipped: first.readUInt16LE(opus + 10) }
  const vorbis = first.indexOf('\x01vorbis')
  if (vorbis < 0 || first.length < vorbis + 16) return undefined
  const rate = first.readUInt32LE(vorbis + 12)
  return rate > 0 ? { name: 'vorbis', rate, skipped: 0 } : undefined
}
