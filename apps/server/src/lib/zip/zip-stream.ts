import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { dataDescriptor, endOfArchive, localHeader, type ZipEntry } from './zip-records.ts'

/** Some bytes of a file; pieces of one file follow each other. */
interface ZipPiece {
  readonly name: string
  readonly bytes: Uint8Array
}

const deflate = promisify<Uint8Array, { readonly finishFlush: number }, Buffer>(deflateRaw)
/** A last block without content: what was flushed before it ends there. https://www.rfc-editor.org/rfc/rfc1951#section-3.2.6 */
const lastBlock = Uint8Array.of(3, 0)

/**
 * Writes files into a ZIP archive of any size, no more than a piece at a time in memory. Pieces are compressed beside the event loop.
 * @param modified the time of every file
 */
export async function* zipStream(
  pieces: AsyncIterable<ZipPiece>,
  modified: Date,
): AsyncGenerator<Uint8Array> {
  const entries: ZipEntry[] = []
  let offset = 0
  let entry: ZipEntry | undefined
  for await (const { name, bytes } of pieces) {
    if (entry !== undefined && entry.name !== name) {
      offset += yield* ended(entry, entries)
      entry = undefined
    }
    if (entry === undefined) {
      entry = { name, modified, crc: 0, compressedBytes: 0, bytes: 0, offset }
      offset += yield* sent(localHeader(name, modified))
    }
    const compressed: number = yield* sent(await deflate(bytes, { finishFlush: constants.Z_SYNC_FLUSH }))
    offset += compressed
    entry = added(entry, bytes, compressed)
  }
  if (entry !== undefined) offset += yield* ended(entry, entries)
  yield endOfArchive(entries, offset)
}

function added(entry: ZipEntry, bytes: Uint8Array, compressed: number): ZipEntry {
  return {
    ...entry,
    crc: crc32(bytes, entry.crc),
    compressedBytes: entry.compressedBytes + compressed,
    bytes: entry.bytes + bytes.length,
  }
}

function* ended(entry: ZipEntry, entries: ZipEntry[]): Generator<Uint8Array, number> {
  const whole = added(entry, new Uint8Array(), lastBlock.length)
  entries.push(whole)
  return (yield* sent(lastBlock)) + (yield* sent(dataDescriptor(whole)))
}

/** Returns how many bytes there were. */
function* sent(bytes: Uint8Array): Generator<Uint8Array, number> {
  yield bytes
  return bytes.length
}
