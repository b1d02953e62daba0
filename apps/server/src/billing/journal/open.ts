import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { lockDirectory } from '../../store/directory-lock.ts'
import { diskJournalFiles } from './files.ts'
import { createJournal, type Journal, type JournalOptions } from './journal.ts'

/** The journal's directory cannot be used; the message is one line for the operator. */
export class JournalUnusableError extends Error {
  override readonly name = 'JournalUnusableError'
}

/** Another living process has the journal. */
export class JournalInUseError extends JournalUnusableError {}

export type OpenJournalOptions = Omit<JournalOptions, 'node' | 'files'> & {
  /** Made when it is missing; one process at a time may use it. */
  readonly directory: string
}

const ownerOnlyDirectory = 0o700
const nodeFile = 'node'

/** @throws JournalInUseError when another process uses the directory, JournalUnusableError when it cannot be written */
export function openJournal({ directory, ...options }: OpenJournalOptions): Journal {
  return atDirectory(directory, () => {
    fs.mkdirSync(directory, { recursive: true, mode: ownerOnlyDirectory })
    const lock = claim(directory)
    const journal = createJournal({ ...options, node: nodeOf(directory), files: diskJournalFiles(directory) })
    return {
      ...journal,
      get lastSeq() {
        return journal.lastSeq
      },
      async close() {
        await journal.close()
        lock.release()
      },
    }
  })
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

/** Name of this node, made once: the database keeps a journal position under it. */
function nodeOf(directory: string): string {
  const file = path.join(directory, nodeFile)
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim()
  const node = randomUUID()
  // Written aside first: a crash leaves the whole name or none.
  fs.writeFileSync(`${file}.new`, node, { mode: 0o600, flush: true })
  fs.renameSync(`${file}.new`, file)
  return node
}
