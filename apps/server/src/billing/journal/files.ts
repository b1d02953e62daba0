import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { replaceDurableFile } from '../../lib/durable-file.ts'
import { giveToFolderOwner } from '../../lib/service/data-owner.ts'

/** An open segment file. */
export interface JournalFile {
  /** Name for messages. */
  readonly name: string
  readonly size: number
  /** Set when all its blocks are allocated, so that writing to it needs no further disk space. */
  readonly preallocated: boolean
  /** Writes all of it or throws. */
  write(bytes: Uint8Array, length: number, position: number): void
  /** Fills `into` from `position`; returns how many bytes there were. */
  read(into: Uint8Array, position: number): number
  /** Resolves when what was written has reached the device. */
  sync(): Promise<void>
  close(): void
  /** Closes the file and gives its room back. */
  remove(): void
  /** Closes the file and keeps it under a name that says why, where it is no segment. Returns the name. */
  setAside(reason: string): string
}

/** The last synced entry of a run. It reveals entries that vanished and left no trace in the segments. */
export interface JournalMark {
  readonly run: string
  /** Number of the first entry of the run. */
  readonly first: number
  /** Every entry up to this number had. */
  readonly seq: number
  /** Number with which the segment begins that was written to, and the size of its file. */
  readonly begun: number
  readonly size: number
  readonly node: string
  readonly database: string
}

/** Database that a journal was written for. */
export interface JournalOwner {
  readonly database: string
  /** The database has everything up to here: written when a gateway stops with nothing left over. */
  readonly flushedTo?: number
}

/** The files of a journal, wherever they are. */
export interface JournalFiles {
  /** Name of the folder for messages. */
  readonly where: string
  readOwner(): JournalOwner | undefined
  /** Survives a power cut once it returns. */
  writeOwner(owner: JournalOwner): void
  /** `undefined` when there is none, or it is damaged. */
  readMark(): JournalMark | undefined
  /** Writes the mark; a power cut may leave the former one, or none. */
  writeMark(mark: JournalMark | undefined): void
  openAll(): JournalFile[]
  /** Creates a file of zeros with all blocks allocated; leaves nothing behind when the disk lacks the space. */
  allocate(size: number): Promise<JournalFile>
}

/** File name extension of segments. */
export const segmentSuffix = '.journal'
const ownerFile = 'database'
const markFile = 'synced'
const markBytes = 256
const ownerOnly = 0o600
const statBlockBytes = 512
const markFlags = fs.constants.O_CREAT | fs.constants.O_WRONLY
const zeros = new Uint8Array(1 << 20)
const writeAt = promisify(fs.write)
const syncData = promisify(fs.fdatasync)
const syncAll = promisify(fs.fsync)

/** Segments as files of one directory. */
export function diskJournalFiles(directory: string): JournalFiles {
  const owner = path.join(directory, ownerFile)
  return {
    where: directory,
    readOwner() {
      if (!fs.existsSync(owner)) return undefined
      const [database = '', flushedTo] = fs.readFileSync(owner, 'utf8').trim().split(' ')
      return flushedTo === undefined ? { database } : { database, flushedTo: Number(flushedTo) }
    },
    writeOwner({ database, flushedTo }) {
      replaceDurableFile(owner, flushedTo === undefined ? database : `${database} ${flushedTo}`)
    },
    readMark: () => decodeMark(path.join(directory, markFile)),
    writeMark(mark) {
      // Over the former one in place, for it is written every second and takes no room that a full disk lacks.
      const file = path.join(directory, markFile)
      const descriptor = fs.openSync(file, markFlags, ownerOnly)
      giveToFolderOwner(descriptor, file)
      try {
        fs.writeSync(descriptor, encodeMark(mark), 0, markBytes, 0)
      } finally {
        fs.closeSync(descriptor)
      }
    },
    openAll() {
      const names = fs.readdirSync(directory).filter((name) => name.endsWith(segmentSuffix))
      return names.map((name) => openExisting(path.join(directory, name)))
    },
    async allocate(size) {
      const { file, descriptor } = createNext(directory)
      const made = openFile(file, descriptor, size, true)
      try {
        await fillWithZeros(descriptor, size)
        // Some file systems allocate blocks after the write: only a sync makes sure of them.
        await made.sync()
        await syncDirectory(directory)
      } catch (error) {
        made.remove()
        throw error
      }
      return made
    },
  }
}

/** One line with a checksum, in a file whose size does not change. */
function encodeMark(mark: JournalMark | undefined): Buffer {
  const bytes = Buffer.alloc(markBytes, ' ')
  if (mark === undefined) return bytes
  const text = JSON.stringify(mark)
  bytes.write(`${crc32(text).toString(16)} ${text}\n`)
  return bytes
}

function decodeMark(file: string): JournalMark | undefined {
  if (!fs.existsSync(file)) return undefined
  const [line = ''] = fs.readFileSync(file, 'utf8').split('\n')
  const text = line.slice(line.indexOf(' ') + 1)
  // The checksum says that this program wrote it.
  return line.startsWith(`${crc32(text).toString(16)} `) ? (JSON.parse(text) as JournalMark) : undefined
}

function openExisting(file: string): JournalFile {
  const descriptor = fs.openSync(file, 'r+')
  const { size, blocks } = fs.fstatSync(descriptor)
  return openFile(file, descriptor, size, blocks * statBlockBytes >= size)
}

function createNext(directory: string): { file: string; descriptor: number } {
  const taken = new Set(fs.readdirSync(directory))
  let number = 1
  while (taken.has(nameOf(number))) number += 1
  const file = path.join(directory, nameOf(number))
  const descriptor = fs.openSync(file, 'wx+', ownerOnly)
  giveToFolderOwner(descriptor, file)
  return { file, descriptor }
}

/** Syncs a directory: a file is found after a power cut only when its name was synced too; Windows does that by itself. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const descriptor = fs.openSync(directory, 'r')
  await syncAll(descriptor).finally(() => fs.closeSync(descriptor))
}

function nameOf(number: number): string {
  return `${String(number).padStart(4, '0')}${segmentSuffix}`
}

/** A name that no file has; it does not end as segments do. */
function nameAside(file: string, reason: string): string {
  const name = `${file}.${reason}`
  let number = 1
  while (fs.existsSync(`${name}-${number}`)) number += 1
  return `${name}-${number}`
}

async function fillWithZeros(descriptor: number, size: number): Promise<void> {
  let position = 0
  while (position < size) {
    const { bytesWritten } = await writeAt(
      descriptor,
      zeros,
      0,
      Math.min(zeros.length, size - position),
      position,
    )
    position += bytesWritten
  }
}

function openFile(file: string, descriptor: number, size: number, preallocated: boolean): JournalFile {
  /** Closed only after the last sync: the descriptor's number would be given to another file meanwhile. */
  let syncing: Promise<unknown> = Promise.resolve()
  const close = () => void syncing.finally(() => fs.closeSync(descriptor)).catch(() => undefined)
  return {
    name: path.basename(file),
    size,
    preallocated,
    write(bytes, length, position) {
      let written = 0
      while (written < length) {
        written += fs.writeSync(descriptor, bytes, written, length - written, position + written)
      }
    },
    read: (into, position) => fs.readSync(descriptor, into, 0, into.length, position),
    sync() {
      const synced = syncData(descriptor)
      syncing = Promise.allSettled([syncing, synced])
      return synced
    },
    close,
    remove() {
      close()
      fs.unlinkSync(file)
    },
    setAside(reason) {
      close()
      const aside = nameAside(file, reason)
      fs.renameSync(file, aside)
      fs.chmodSync(aside, ownerOnly)
      return path.basename(aside)
    },
  }
}
