import { type AudioSource, bytesAt, type StatedDuration } from './audio-source.ts'

/** More chunks than any file has before its samples. */
const maxChunks = 64

/** RIFF WAVE: bytes of samples by bytes a second. A writer that streams says no length: then the rest of the file is it. */
export async function wavSeconds(source: AudioSource): Promise<StatedDuration | undefined> {
  let bytesPerSecond = 0
  let at = 12
  for (let chunks = 0; chunks < maxChunks; chunks++) {
    const head = await bytesAt(source, at, 24)
    if (head.length < 8) return undefined
    const name = head.toString('latin1', 0, 4)
    const size = head.readUInt32LE(4)
    if (name === 'fmt ' && head.length >= 24) bytesPerSecond = rateOf(head)
    if (name === 'data') {
      const length = Math.min(size, source.size - at - 8)
      return bytesPerSecond > 0 ? { seconds: length / bytesPerSecond, bytes: 0 } : undefined
    }
    at += 8 + size + (size % 2)
  }
  return undefined
}

/** PCM and PCM of floats; the extensible form holds one of them. */
const plain: ReadonlySet<number> = new Set([1, 3, 0xfffe])
/** 192 kHz, 32 bits, stereo. */
const highestRate = 1_536_000

/**
 * Bytes a second: what players go by, which is rate times the size of a sample, and not the field that repeats it.
 * @param head the chunk with its name and size
 */
function rateOf(head: Buffer): number {
  const stated = Math.min(head.readUInt32LE(16), highestRate)
  if (!plain.has(head.readUInt16LE(8))) return stated
  const played = head.readUInt32LE(12) * head.readUInt16LE(20)
  return Math.min(stated, played)
}
