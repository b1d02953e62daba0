import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unreadableJournal } from './errors.ts'
import { diskJournalFiles, type JournalFile, type JournalFiles, segmentSuffix } from './files.ts'
import { nodeFile, nodeOfSegments } from './open.ts'
import { JournalReading, type Settled } from './read-segments.ts'
import { readHead, type SegmentHead } from './segment-head.ts'

/** The calls that a journal has of one database. */
export interface JournalPart {
  readonly node: string
  /** The starts of nodes whose entries it may have. */
  readonly runs: readonly string[]
  read(settled: Settled): JournalReading
}

/** A journal that no process writes, read as it lies there: nothing in its folder changes. */
export interface StoppedJournal {
  readonly directory: string
  /** Identities of the databases whose calls it has. */
  readonly databases: readonly string[]
  of(database: string): JournalPart
  /**
   * Reads the entries that a database has, where the gateway was stopped in good order; `undefined` where no such record exists.
   */
  flushedBy(database: string): Settled | undefined
  close(): void
}

interface Segment {
  readonly file: JournalFile
  readonly head: SegmentHead | undefined
}

/**
 * Opens a journal to read it; `undefined` where the folder has none.
 * @throws JournalUnusableError when it cannot be read, or does not say whose it is
 */
export function openStoppedJournal(directory: string): StoppedJournal | undefined {
  if (!hasSegments(directory)) return undefined
  const files = diskJournalFiles(directory)
  const opened = atDirectory(directory, () => files.openAll())
  try {
    const node = nodeOfSegments(directory, writtenNode(directory))
    return stoppedJournal(directory, node, files, opened)
  } catch (error) {
    for (const file of opened) file.close()
    throw error
  }
}

function stoppedJournal(
  directory: string,
  node: string,
  files: JournalFiles,
  opened: readonly JournalFile[],
): StoppedJournal {
  const segments = atDirectory(directory, () => opened.map((file): Segment => ({ file, head: headOf(file) })))
  const written = files.readOwner()
  const owner = written?.database
  const mark = files.readMark()
  const databaseOf = ({ head }: Segment) => head?.identity?.database || owner || ''
  const named = segments.filter(({ head }) => head !== undefined).map(databaseOf)
  return {
    directory,
    databases: [...new Set(named)].filter((name) => name !== ''),
    of(database) {
      // What no database has claimed yet is of the one that comes first, as at a start.
      const own = segments.filter((one) => ['', database].includes(databaseOf(one)))
      const runs = own.flatMap(({ head }) => head?.identity?.run ?? [])
      const ownMark = mark?.database === database ? mark : undefined
      return {
        node,
        runs: [...new Set(ownMark === undefined ? runs : [...runs, ownMark.run])],
        read: (settled) =>
          new JournalReading(
            own.map(({ file }) => file),
            { node, database },
            settled,
            ownMark,
          ),
      }
    },
    flushedBy(database) {
      const last = written?.flushedTo
      if (owner !== database || last === undefined) return undefined
      const spans = segments.flatMap(({ head }) => {
        const { run, runFirst } = head?.identity ?? {}
        return run === undefined || runFirst === undefined || runFirst > last
          ? []
          : [{ run, first: runFirst, last }]
      })
      return { position: last, spans }
    },
    close() {
      for (const file of opened) file.close()
    },
  }
}

/**
 * Finds the journals that lie in a data folder beside the one in use: a restore or a person put them aside.
 * @returns their folders, in the order of their names
 */
export function journalsAside(dataDir: string, inUse: string): string[] {
  if (!existsSync(dataDir)) return []
  const folders = readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(dataDir, name))
  return folders
    .flatMap((folder) => [folder, join(folder, 'journal')])
    .filter((folder) => folder !== inUse && hasSegments(folder))
    .toSorted()
}

function hasSegments(directory: string): boolean {
  return existsSync(directory) && readdirSync(directory).some((name) => name.endsWith(segmentSuffix))
}

function headOf(file: JournalFile): SegmentHead | undefined {
  const found = readHead(file)
  return found.kind === 'head' ? found.head : undefined
}

function writtenNode(directory: string): string | undefined {
  const file = join(directory, nodeFile)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

function atDirectory<Result>(directory: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw unreadableJournal(directory, error)
  }
}
