import { flacSeconds } from './flac.ts'
import { mp3Seconds } from './mp3.ts'
import { mp4Seconds } from './mp4.ts'
import { oggSeconds } from './ogg.ts'
import type { Recording } from './recording.ts'
import { wavSeconds } from './wav.ts'
import { webmSeconds } from './webm.ts'

/**
 * How long a recording plays, in seconds, read from the heads of its container; `undefined` for what is none of those that
 * we know, or says nothing that can be true. Reads a few kilobytes, but for MP3 without an index.
 */
export async function audioSeconds(recording: Recording): Promise<number | undefined> {
  const start = await recording.slice(0, 64)
  const seconds = await readerOf(Buffer.from(start))?.(recording)
  return seconds !== undefined && seconds > 0 && seconds < longestSeconds ? seconds : undefined
}

/** A week: nobody transcribes more at a time. */
const longestSeconds = 7 * 24 * 3600

type Reader = (recording: Recording) => Promise<number | undefined>

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
