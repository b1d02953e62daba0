import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { replaceDurableFile, syncDirectory } from '../../lib/durable-file.ts'
import { type DirectoryLock, lockDirectory } from '../../store/open/directory-lock.ts'
import { JournalInUseError, JournalUnusableError } from './errors.ts'
import { diskJournalFiles } from './files.ts'
import { Journal, type JournalOptions } from './journal.ts'

export type OpenJournalOptions = Omit<JournalOptions, 'node' | 'files'> & {
  /** Created when it is missing; one process at a time may use it. */
  readonly directory: string
}

const ownerOnlyDirectory = 0o700
export const nodeFile = 'node'

/** @throws JournalInUseError when another process uses the directory, JournalUnusableError when it cannot be written */
export function openJournal({ directory, ...options }: OpenJournalOptions): Journal {
  return atDirectory(directory, () => {
    const made = fs.mkdirSync(directory, { recursive: true, mode: ownerOnlyDirectory })
    if (made !== undefined) syncDirectory(path.dirname(made))
    const lock = claim(directory)
    const files = diskJournalFiles(directory)
    return new LockedJournal({ ...options, node: nodeOf(directory), files }, lock)
  })
}

/** A journal that locks its directory until it closes. */
class LockedJournal extends Journal {
  readonly #lock: DirectoryLock

  constructor(options: JournalOptions, lock: DirectoryLock) {
    super(options)
    this.#lock = lock
  }

  override async close(): Promise<void> {
    await super.close()
    this.#lock.release()
  }
}

/** Whether there ever was a journal. */
export function journalExists(directory: string): boolean {
  return fs.existsSync(path.join(directory, nodeFile))
}

function atDirectory<T>(directory: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof JournalUnusableError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new JournalUnusableError(`The journal directory ${directory} cannot be used: ${reason}`, {
      cause: error,
    })
  }
}

function claim(directory: string) {
  const lock = lockDirectory(directory)
  if (lock === undefined) {
    throw new JournalInUseError(`Another Tollgate process is using ${path.dirname(directory)}`)
  }
  return lock
}

/** Name of this node, made once: the database stores a journal position under it. */
function nodeOf(directory: string): string {
  const file = path.join(directory, nodeFile)
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim()
  const node = randomUUID()
  replaceDurableFile(file, node)
  return node
}
