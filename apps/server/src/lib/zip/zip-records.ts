/*
 * Records of a ZIP archive that is written in one go: lengths are told behind each file, and in 64 bits.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */

/** Facts of a file in the archive's directory, once all of it is written. */
export interface ZipEntry {
  readonly name: string
  readonly modified: Date
  readonly crc: number
  readonly compressedBytes: number
  readonly bytes: number
  /** Offset of its local header. */
  readonly offset: number
}

const version = 45
const madeOnUnix = 3 << 8
/** Lengths stand behind the file (bit 3); names are UTF-8 (bit 11). */
const flags = 0x0808
const deflated = 8
const in64Bits = 0xffff_ffff
const extra64 = 1
const ownerFile = 0o100600

/** The header in front of a file. */
export function localHeader(name: string, modified: Date): Buffer {
  const bytes = Buffer.from(name)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x0403_4b50, 0)
  header.writeUInt16LE(version, 4)
  writeTerms(header, 6, modified)
  header.writeUInt32LE(in64Bits, 18)
  header.writeUInt32LE(in64Bits, 22)
  header.writeUInt16LE(bytes.length, 26)
  const extra = extraOf([0, 0])
  header.writeUInt16LE(extra.length, 28)
  return Buffer.concat([header, bytes, extra])
}

/** Returns the record behind a file. */
export function dataDescriptor({ crc, compressedBytes, bytes }: ZipEntry): Buffer {
  const record = Buffer.alloc(24)
  record.writeUInt32LE(0x0807_4b50, 0)
  record.writeUInt32LE(crc, 4)
  record.writeBigUInt64LE(BigInt(compressedBytes), 8)
  record.writeBigUInt64LE(BigInt(bytes), 16)
  return record
}

/** The end of the archive: its list of files, and where that stands. */
export function endOfArchive(entries: readonly ZipEntry[], offset: number): Buffer {
  const list = Buffer.concat(entries.map(listed))
  const end = Buffer.alloc(56)
  end.writeUInt32LE(0x0606_4b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(madeOnUnix | version, 12)
  end.writeUInt16LE(version, 14)
  end.writeBigUInt64LE(BigInt(entries.length), 24)
  end.writeBigUInt64LE(BigInt(entries.length), 32)
  end.writeBigUInt64LE(BigInt(list.length), 40)
  end.writeBigUInt64LE(BigInt(offset), 48)
  return Buffer.concat([list, end, locator(offset + list.length), shortEnd(entries.length)])
}

/** Says where the record of the end in 64 bits stands. */
function locator(offset: number): Buffer {
  const record = Buffer.alloc(20)
  record.writeUInt32LE(0x0706_4b50, 0)
  record.writeBigUInt64LE(BigInt(offset), 8)
  record.writeUInt32LE(1, 16)
  return record
}

/** The record that older readers look for; its numbers send them to the one in 64 bits. */
function shortEnd(files: number): Buffer {
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x0605_4b50, 0)
  record.writeUInt16LE(files, 8)
  record.writeUInt16LE(files, 10)
  record.writeUInt32LE(in64Bits, 12)
  record.writeUInt32LE(in64Bits, 16)
  return record
}

function listed({ name, modified, crc, compressedBytes, bytes, offset }: ZipEntry): Buffer {
  const text = Buffer.from(name)
  const extra = extraOf([bytes, compressedBytes, offset])
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x0201_4b50, 0)
  header.writeUInt16LE(madeOnUnix | version, 4)
  header.writeUInt16LE(version, 6)
  writeTerms(header, 8, modified)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(in64Bits, 20)
  header.writeUInt32LE(in64Bits, 24)
  header.writeUInt16LE(text.length, 28)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(ownerFile * 0x1_0000, 38)
  header.writeUInt32LE(in64Bits, 42)
  return Buffer.concat([header, text, extra])
}

/** Numbers in 64 bits, in the order that the fields say. */
function extraOf(numbers: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + numbers.length * 8)
  extra.writeUInt16LE(extra64, 0)
  extra.writeUInt16LE(numbers.length * 8, 2)
  for (const [index, number] of numbers.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + index * 8)
  return extra
}

/** Flags, method and time, which stand in this order in both headers. */
function writeTerms(header: Buffer, at: number, modified: Date): void {
  header.writeUInt16LE(flags, at)
  header.writeUInt16LE(deflated, at + 2)
  const time =
    (modified.getUTCHours() << 11) | (modified.getUTCMinutes() << 5) | (modified.getUTCSeconds() >> 1)
  const date =
    ((modified.getUTCFullYear() - 1980) << 9) | ((modified.getUTCMonth() + 1) << 5) | modified.getUTCDate()
  header.writeUInt16LE(time, at + 4)
  header.writeUInt16LE(date, at + 6)
}
