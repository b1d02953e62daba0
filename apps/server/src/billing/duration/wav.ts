import { bytesAt, type Recording } from './recording.ts'

/** More chunks than any file has before its samples. */
const maxChunks = 64

/** RIFF WAVE: bytes of samples by bytes a second. A writer that streams says no length: then the rest of the file is it. */
export async function wavSeconds(recording: Recording): Promise<number | undefined> {
  let bytesPerSecond = 0
  let at = 12
  for (let chunks = 0; chunks < maxChunks; chunks++) {
    const head = await bytesAt(recording, at, 24)
    if (head.length < 8) return undefined
    const name = head.toString('latin1', 0, 4)
    const size = head.readUInt32LE(4)
    if (name === 'fmt ' && head.length >= 20) bytesPerSecond = head.readUInt32LE(16)
    if (name === 'data') {
      const length = Math.min(size, recording.size - at - 8)
      return bytesPerSecond > 0 ? length / bytesPerSecond : undefined
    }
    at += 8 + size + (size % 2)
  }
  return undefined
}
