import { bytesAt, type Recording } from './recording.ts'

/** The first block says rate and number of samples. https://www.rfc-editor.org/rfc/rfc9639#section-8.2 */
export async function flacSeconds(recording: Recording): Promise<number | undefined> {
  const head = await bytesAt(recording, 0, 42)
  if (head.length < 26) return undefined
  // 20 bits of rate, 8 of format, 36 of samples.
  const rate = head.readUIntBE(18, 3) >> 4
  const samples = ((head[21] ?? 0) & 0x0f) * 2 ** 32 + head.readUInt32BE(22)
  return rate > 0 && samples > 0 ? samples / rate : undefined
}
