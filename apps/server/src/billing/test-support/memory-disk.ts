import type { JournalFile, JournalFiles, JournalMark, JournalOwner } from '../journal/files.ts'

/** A disk in memory that outlives the processes of a test, can be full, and can fail. */
export interface MemoryDisk extends JournalFiles {
  /** Bytes that segments may take in all. */
  capacity: number
  /** Every write fails while set. */
  broken: boolean
  /** Every read fails while set. */
  unreadable: boolean
  /** Every sync fails while set. */
  unsyncable: boolean
  /** Syncs so far. */
  syncs: number
  readonly segments: Uint8Array[]
  /** Files that were set aside, by their present names. */
  readonly aside: Map<string, Uint8Array>
  /** Leaves only the first `bytes` of what the last write put there, as a process killed in the middle does. */
  tearLastWrite(bytes: number): void
}

interface LastWrite {
  readonly data: Uint8Array
  readonly position: number
  readonly before: Uint8Array
}

export function createMemoryDisk(capacity = Number.POSITIVE_INFINITY): MemoryDisk {
  const segments: Uint8Array[] = []
  let lastWrite: LastWrite | undefined
  let owner: JournalOwner | undefined
  let mark: JournalMark | undefined
  const aside = new Map<string, Uint8Array>()
  const disk: MemoryDisk = {
    capacity,
    broken: false,
    unreadable: false,
    unsyncable: false,
    syncs: 0,
    segments,
    aside,
    where: 'memory',
    readOwner: () => owner,
    writeOwner(next) {
      owner = next
    },
    readMark: () => mark,
    writeMark(next) {
      mark = next
    },
    openAll: () => segments.map(open),
    async allocate(size) {
      const used = segments.reduce((sum, data) => sum + data.length, 0)
      if (disk.broken || used + size > disk.capacity) throw new Error('ENOSPC: no space left on device')
      const data = new Uint8Array(size)
      segments.push(data)
      return open(data)
    },
    tearLastWrite(bytes) {
      if (lastWrite === undefined) return
      const { data, position, before } = lastWrite
      data.set(before.subarray(bytes), position + bytes)
      lastWrite = undefined
    },
  }

  function open(data: Uint8Array): JournalFile {
    return {
      name: String(segments.indexOf(data)),
      size: data.length,
      preallocated: true,
      write(bytes, length, position) {
        if (disk.broken) throw new Error('EIO: i/o error')
        lastWrite = { data, position, before: data.slice(position, position + length) }
        data.set(bytes.subarray(0, length), position)
      },
      read(into, position) {
        if (disk.unreadable) throw new Error('EIO: i/o error, read')
        const bytes = data.subarray(position, position + into.length)
        into.set(bytes)
        return bytes.length
      },
      async sync() {
        disk.syncs += 1
        if (disk.unsyncable) throw new Error('EIO: i/o error, fdatasync')
      },
      close: () => undefined,
      remove() {
        segments.splice(segments.indexOf(data), 1)
      },
      setAside(reason) {
        segments.splice(segments.indexOf(data), 1)
        const name = `${aside.size}.${reason}`
        aside.set(name, data)
        return name
      },
    }
  }

  return disk
}
