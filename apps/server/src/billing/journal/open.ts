import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { replaceDurableFile, syncDirectory } from '../../lib/durable-file.ts'
import { type DirectoryLock, isLocked, lockDirectory } from '../../store/engine/open/directory-lock.ts'
import { workerFolder, workersIn } from '../../workers/seat.ts'
import { JournalInUseError, JournalUnusableError, unreadableJournal } from './errors.ts'
import { diskJournalFiles, segmentSuffix } from './files.ts'
import { Journal, type JournalOptions } from './journal.ts'
import { readHead, type SegmentHead } from './segment-head.ts'

export type OpenJournalOptions = Omit<JournalOptions, 'node' | 'files'> & {
  /** Created when it is missing; one process at a time may use it. */
  readonly directory: string
  /** Allows workers to serve over the same data folder: each has a journal of its own. False by default. */
  readonly isBesideWorkers?: boolean
  /** Longest wait for a process that settles what an earlier one left here; a second by default. */
  readonly lockWaitMs?: number | undefined
}

const ownerOnlyDirectory = 0o700
export const nodeFile = 'node'

/** @throws JournalInUseError when another process uses the directory, JournalUnusableError when it cannot be written */
export function openJournal({
  directory,
  isBesideWorkers,
  lockWaitMs,
  ...options
}: OpenJournalOptions): Journal {
  return atDirectory(directory, () => {
    if (isBesideWorkers !== true) refuseServed(path.dirname(directory))
    const made = fs.mkdirSync(directory, { recursive: true, mode: ownerOnlyDirectory })
    if (made !== undefined) syncDirectory(path.dirname(made))
    const lock = claim(directory, lockWaitMs)
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

/** Decides whether there ever was a journal. */
export function journalExists(directory: string): boolean {
  return fs.existsSync(directory) && fs.readdirSync(directory).some(isOfJournal)
}

/** The database that a journal belongs to, as its directory says; `undefined` in a new one. */
export function journalDatabase(directory: string): string | undefined {
  return diskJournalFiles(directory).readOwner()?.database
}

/** Name of the node that a journal belongs to, as its directory says; empty in a new one. */
export function journalNode(directory: string): string {
  const file = path.join(directory, nodeFile)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : ''
}

function isOfJournal(name: string): boolean {
  return name === nodeFile || name.endsWith(segmentSuffix)
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

/** Names the folder of the journal of a node. */
export function journalFolder(nodeDir: string): string {
  return path.join(nodeDir, 'journal')
}

/** Lists where the journals of nodes are that may run over a data folder: of the process that serves by itself, and of each worker. */
export function journalDirectories(dataDir: string): readonly string[] {
  const folders = workersIn(dataDir).map((number) => workerFolder(dataDir, number))
  return [dataDir, ...folders].map(journalFolder)
}

/** Finds out whether workers run over a data folder. */
export function workersServe(dataDir: string): boolean {
  return workersIn(dataDir).some((number) => isLocked(journalFolder(workerFolder(dataDir, number))))
}

/** @throws JournalInUseError when workers run over a data folder */
export function refuseServed(dataDir: string): void {
  if (workersServe(dataDir)) throw new JournalInUseError(`Another Tollgate process is using ${dataDir}`)
}

function claim(directory: string, waitMs: number | undefined) {
  const lock = lockDirectory(directory, waitMs)
  if (lock === undefined) {
    throw new JournalInUseError(`Another Tollgate process is using ${path.dirname(directory)}`)
  }
  return lock
}

/**
 * Name of this node, made once: the database stores a journal position under it. Where its file is gone or damaged, the
 * segments say it.
 * @throws JournalUnusableError when they cannot: what another node settled would be charged again under this one
 */
function nodeOf(directory: string): string {
  const file = path.join(directory, nodeFile)
  const written = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : undefined
  const node = nodeOfSegments(directory, written)
  if (node !== written) replaceDurableFile(file, node)
  return node
}

/** @param written what the file of the node says */
export function nodeOfSegments(directory: string, written: string | undefined): string {
  const heads = headsIn(directory)
  const nodes = [...new Set(heads.flatMap(({ identity }) => identity?.node ?? []))]
  if (written !== undefined && written !== '' && (nodes.length === 0 || nodes.includes(written)))
    return written
  const [first, second] = nodes
  if (second !== undefined)
    throw new JournalUnusableError(
      `The journal in ${directory} has segments of several nodes (${nodes.join(', ')}), and its file "${nodeFile}" names none of them: write the id of the one that ran here into it.`,
    )
  if (first !== undefined) return first
  if (heads.length > 0)
    throw new JournalUnusableError(
      `The journal in ${directory} was written by an earlier version, and its file "${nodeFile}" is gone, without which nobody can tell which calls are charged: put it back (the table journal_positions of the database has the ids of nodes), or move the folder away to go on without it.`,
    )
  return randomUUID()
}

function headsIn(directory: string): SegmentHead[] {
  const files = diskJournalFiles(directory).openAll()
  try {
    return files.flatMap((file) => {
      const found = readHead(file)
      return found.kind === 'head' ? [found.head] : []
    })
  } catch (error) {
    throw unreadableJournal(directory, error)
  } finally {
    for (const file of files) file.close()
  }
}
