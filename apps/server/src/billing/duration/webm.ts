import { type AudioSource, bytesAt, type StatedDuration } from './audio-source.ts'

const segment = 0x18538067
const info = 0x1549a966
const timeScale = 0x2ad7b1
const duration = 0x4489
const cluster = 0x1f43b675
const clusterTime = 0xe7
/** Bytes at the start in which a browser's recorder puts the head. */
const headBytes = 64 * 1024
const tailBytes = 256 * 1024

/**
 * The length that the head tells, or the time of the last cluster if that is later: recorders that stream leave the first
 * out, and the second is short of the end by less than a cluster. https://www.rfc-editor.org/rfc/rfc9559
 */
export async function webmSeconds(source: AudioSource): Promise<StatedDuration | undefined> {
  const head = await bytesAt(source, 0, headBytes)
  const elements = elementsIn(head)
  const scale = numberIn(elements.get(timeScale)) ?? 1_000_000
  const stated = floatIn(elements.get(duration)) ?? 0
  const tail = await bytesAt(source, Math.max(0, source.size - tailBytes), tailBytes)
  const length = Math.max(stated, lastCluster(tail) ?? 0)
  if (length === 0) return undefined
  const isSound = !head.includes('V_')
  const sound = head.includes('A_OPUS') ? 'opus' : 'vorbis'
  return {
    seconds: (length * scale) / 1e9,
    ...(isSound ? { bytes: source.size, codec: sound } : { bytes: 0 }),
  }
}

/** Elements by their ids, those inside segment and info among them. */
function elementsIn(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const found = new Map<number, Buffer>()
  let at = 0
  while (at < bytes.length) {
    const id = vint(bytes, at, false)
    const size = id && vint(bytes, at + id.length, true)
    if (id === undefined || size === undefined || id.value === cluster) break
    const start = at + id.length + size.length
    const isHolder = id.value === segment || id.value === info
    if (!isHolder) found.set(id.value, bytes.subarray(start, start + Math.min(size.value, 64)))
    at = isHolder ? start : start + size.value
  }
  return found
}

function lastCluster(tail: Buffer): number | undefined {
  const at = tail.lastIndexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75]))
  const size = at < 0 ? undefined : vint(tail, at + 4, true)
  return size && numberIn(elementsIn(tail.subarray(at + 4 + size.length)).get(clusterTime))
}

/** A number whose own first byte says how long it is. @param isSize without the mark of its length */
function vint(bytes: Buffer, at: number, isSize: boolean) {
  const first = bytes[at]
  if (first === undefined || first === 0) return undefined
  const length = Math.clz32(first) - 23
  if (length > 8 || at + length > bytes.length) return undefined
  let value = isSize ? first & (0xff >> length) : first
  for (let position = 1; position < length; position++) value = value * 256 + (bytes[at + position] ?? 0)
  return { value, length }
}

function numberIn(bytes: Buffer | undefined): number | undefined {
  return bytes === undefined || bytes.length === 0 || bytes.length > 6
    ? undefined
    : bytes.readUIntBE(0, bytes.length)
}

function floatIn(bytes: Buffer | undefined): number | undefined {
  if (bytes?.length === 4) return bytes.readFloatBE(0)
  return bytes?.length === 8 ? bytes.readDoubleBE(0) : undefined
}
