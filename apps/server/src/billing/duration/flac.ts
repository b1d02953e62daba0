import { type AudioSource, bytesAt, type StatedDuration } from './audio-source.ts'

/** The first block says rate and number of samples. https://www.rfc-editor.org/rfc/rfc9639#section-8.2 */
export async function flacSeconds(source: AudioSource): Promise<StatedDuration | undefined> {
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
