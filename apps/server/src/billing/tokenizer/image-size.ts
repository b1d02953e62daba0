export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Enough of a file to find the size in, also behind a thumbnail. */
const headCharacters = 128 * 1024

/** Size of an image given as a data URL, from its header; `undefined` when it cannot be told. */
export function imageSizeOf(url: string): ImageSize | undefined {
  const comma = url.indexOf(';base64,')
  if (!url.startsWith('data:') || comma === -1) return undefined
  const head = Buffer.from(url.slice(comma + 8, comma + 8 + headCharacters), 'base64')
  for (const read of [readPng, readGif, readWebp, readJpeg]) {
    const size = read(head)
    if (size !== undefined && size.width > 0 && size.height > 0) return size
  }
  return undefined
}

function readPng(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 24 || bytes.readUInt32BE(0) !== 0x89504e47) return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function readGif(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 4) !== 'GIF8') return undefined
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

/** RIFF container with one of three codings. https://developers.google.com/speed/webp/docs/riff_container */
function readWebp(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/** Walks the segments to the frame header (SOF0 to SOF15 but for tables: C4, C8, CC). */
function readJpeg(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let offset = 2
  while (offset + 9 <= bytes.length) {
    const marker = bytes.readUInt8(offset + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: bytes.readUInt16BE(offset + 7), height: bytes.readUInt16BE(offset + 5) }
    offset += 2 + bytes.readUInt16BE(offset + 2)
  }
  return undefined
}
