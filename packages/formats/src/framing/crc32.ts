const table = new Uint32Array(256).map((_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 (IEEE 802.3) of the bytes from `start` to `end`, as an unsigned number. */
export function crc32(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xffffffff
  for (let at = start; at < end; at++) crc = (table[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
