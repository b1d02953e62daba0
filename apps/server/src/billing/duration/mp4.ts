import { type AudioSource, bytesAt, type StatedDuration } from './audio-source.ts'

const maxBoxes = 1024
/** Bytes of `moov` in which its tracks are described. */
const maxDescription = 1024 * 1024

/** `moov` holds `mvhd`, which says length and time scale; it may stand before the samples or behind them. ISO/IEC 14496-12 */
export async function mp4Seconds(source: AudioSource): Promise<StatedDuration | undefined> {
  const moov = await findBox(source, 'moov', 0, source.size)
  const mvhd = moov && (await findBox(source, 'mvhd', moov.start, moov.end))
  if (mvhd === undefined) return undefined
  const head = await bytesAt(source, mvhd.start, 32)
  if (head.length < 32) return undefined
  const isLong = head[0] === 1
  const scale = head.readUInt32BE(isLong ? 20 : 12)
  const length = isLong ? Number(head.readBigUInt64BE(24)) : head.readUInt32BE(16)
  if (moov === undefined || scale === 0) return undefined
  // Pictures beside the sound take as many bytes as they like.
  const described = await bytesAt(source, moov.start, Math.min(moov.end - moov.start, maxDescription))
  const isSound = !described.includes('vide') && !described.includes('alac')
  const bytes = source.size - (moov.end - moov.start)
  return { seconds: length / scale, ...(isSound ? { bytes, codec: 'aac' } : { bytes: 0 }) }
}

interface Box {
  /** Offset of its content. */
  readonly start: number
  readonly end: number
}

async function findBox(
  source: AudioSource,
  name: string,
  from: number,
  to: number,
): Promise<Box | undefined> {
  let at = from
  for (let boxes = 0; boxes < maxBoxes && at + 8 <= to; boxes++) {
    const head = await bytesAt(source, at, 16)
    const sizes = boxSizes(head, to - at)
    if (sizes === undefined) return undefined
    if (head.toString('latin1', 4, 8) === name)
      return { start: at + sizes.head, end: Math.min(to, at + sizes.total) }
    at += sizes.total
  }
  return undefined
}

/** @param rest bytes to the end, which a last box takes without saying so */
function boxSizes(head: Buffer, rest: number): { readonly head: number; readonly total: number } | undefined {
  if (head.length < 8) return undefined
  const short = head.readUInt32BE(0)
  const isLong = short === 1 && head.length === 16
  const total = isLong ? Number(head.readBigUInt64BE(8)) : short || rest
  const size = isLong ? 16 : 8
  return total < size ? undefined : { head: size, total }
}
