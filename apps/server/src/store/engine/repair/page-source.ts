import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

/** The pages of a SQLite database, each as it was last committed. https://www.sqlite.org/fileformat2.html */
export interface PageSource {
  readonly pageSize: number
  /** Bytes of a page that hold content. */
  readonly usable: number
  readonly count: number
  /** A page by its number, from 1 on; what a file that was cut does not have is empty. */
  read(number: number): Buffer
  close(): void
}

const magic = 'SQLite format 3\0'
/** Page size of every database of this program, for a file whose head is gone. */
const defaultPageSize = 4096
const walHeaderBytes = 32
const frameHeaderBytes = 24

/** Opens a database file with the write-ahead log beside it, without SQLite: a head that is no head is no reason to stop. */
export function openPages(file: string): PageSource {
  const descriptor = openSync(file, 'r')
  const head = readAt(descriptor, 0, 100)
  const isHead = head.toString('latin1', 0, magic.length) === magic
  const stored = isHead ? head.readUInt16BE(16) : defaultPageSize
  const pageSize = isPageSize(stored) ? stored : stored === 1 ? 65_536 : defaultPageSize
  const wal = openWal(`${file}-wal`, pageSize)
  const inFile = Math.ceil(fstatSync(descriptor).size / pageSize)
  return {
    pageSize,
    usable: pageSize - (isHead ? (head[20] ?? 0) : 0),
    count: Math.max(inFile, ...wal.pages.keys()),
    read(number) {
      const at = wal.pages.get(number)
      return at === undefined || wal.descriptor === undefined
        ? readAt(descriptor, (number - 1) * pageSize, pageSize)
        : readAt(wal.descriptor, at, pageSize)
    },
    close() {
      closeSync(descriptor)
      if (wal.descriptor !== undefined) closeSync(wal.descriptor)
    },
  }
}

function isPageSize(size: number): boolean {
  return size >= 512 && (size & (size - 1)) === 0
}

interface Wal {
  readonly descriptor: number | undefined
  /** Offsets of the last committed content of each page. */
  readonly pages: ReadonlyMap<number, number>
}

/** Frames of the log's present use, up to its last commit. What stands behind them is of a former use, or was never committed. */
function openWal(file: string, pageSize: number): Wal {
  const pages = new Map<number, number>()
  if (!existsSync(file)) return { descriptor: undefined, pages }
  const descriptor = openSync(file, 'r')
  const head = readAt(descriptor, 0, walHeaderBytes)
  const salts = head.subarray(16, 24)
  const { size } = fstatSync(descriptor)
  let open = new Map<number, number>()
  for (let at = walHeaderBytes; at + frameHeaderBytes + pageSize <= size; at += frameHeaderBytes + pageSize) {
    const frame = readAt(descriptor, at, frameHeaderBytes)
    if (!frame.subarray(8, 16).equals(salts)) break
    open.set(frame.readUInt32BE(0), at + frameHeaderBytes)
    if (frame.readUInt32BE(4) === 0) continue
    for (const [number, location] of open) pages.set(number, location)
    open = new Map()
  }
  return { descriptor, pages }
}

/** Reads bytes, with zeros where the file ends before. */
function readAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(descriptor, bytes, 0, length, position)
  return bytes
}
