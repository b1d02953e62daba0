import { type AudioCodec, type AudioSource, bytesAt, type StatedDuration } from './audio-source.ts'
import { mp3Seconds } from './mp3.ts'
import { mp4Seconds } from './mp4.ts'
import { oggSeconds } from './ogg.ts'
import { wavSeconds } from './wav.ts'
import { webmSeconds } from './webm.ts'

/**
 * Returns the seconds for which a recording plays; `undefined` for a container that we do not know, or that states no possible length.
 * The sender writes the container, and the length decides the price: a recording counts at least the seconds that its bytes take at the
 * highest rate of its codec. Reads a few kilobytes, and all frames of MP3.
 */
export async function audioSeconds(source: AudioSource): Promise<number | undefined> {
  const start = await source.slice(0, 64)
  const stated = await readerOf(Buffer.from(start))?.(source)
  if (stated === undefined) return undefined
  const seconds = Math.max(
    stated.seconds,
    stated.codec === undefined ? 0 : stated.bytes / highestRates[stated.codec],
  )
  return seconds > 0 && seconds < maxSeconds ? seconds : undefined
}

/**
 * Bytes a second that no usual encoder exceeds: MPEG layer III ends at 320 kbit/s (ISO/IEC 11172-3), AAC-LC at 288 kbit/s for
 * each of two channels at 48 kHz (ISO/IEC 14496-3), Opus at 510 kbit/s (RFC 6716), Vorbis at its quality 10, 500 kbit/s.
 */
const highestRates: Readonly<Record<AudioCodec, number>> = {
  mp3: 40_000,
  aac: 72_000,
  opus: 63_750,
  vorbis: 62_500,
}

/** A week: longer than any plausible recording. */
const maxSeconds = 7 * 24 * 3600

type Reader = (source: AudioSource) => Promise<StatedDuration | undefined>

function readerOf(start: Buffer): Reader | undefined {
  const text = start.toString('latin1')
  if (/^(RIFF|RF64).{4}WAVE/s.test(text)) return wavSeconds
  if (text.startsWith('fLaC')) return flacSeconds
  if (text.startsWith('OggS')) return oggSeconds
  if (text.slice(4, 8) === 'ftyp') return mp4Seconds
  if (start.length >= 4 && start.readUInt32BE(0) === 0x1a45dfa3) return webmSeconds
  const isMp3 = text.startsWith('ID3') || (start[0] === 0xff && ((start[1] ?? 0) & 0xe0) === 0xe0)
  return isMp3 ? mp3Seconds : undefined
}

/** Reads rate and number of samples from the first block. */
async function flacSeconds(source: AudioSource): Promise<StatedDuration | undefined> {
  const head = await bytesAt(source, 0, 42)
  if (head.length < 26) return undefined
  // 20 bits of rate, 8 of format, 36 of samples.
  const rate = head.readUIntBE(18, 3) >> 4
  const samples = ((head[21] ?? 0) & 0x0f) * 2 ** 32 + head.readUInt32BE(22)
  if (rate === 0) return undefined
  // It is never longer than what it compresses.
  const channels = (((head[20] ?? 0) >> 1) & 7) + 1
  const bits = ((head.readUInt16BE(20) >> 4) & 31) + 1
  const uncompressed = (rate * channels * bits) / 8
  return { seconds: Math.max(samples / rate, source.size / uncompressed), bytes: 0 }
}
