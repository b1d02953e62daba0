import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'
import { JournalUnusableError } from './errors.ts'
import { diskJournalFiles } from './files.ts'
import { Journal, type JournalEntry } from './journal.ts'
import { journalExists, nodeFile, nodeOfSegments } from './open.ts'
import type { Settled } from './read-segments.ts'
import { readHead } from './segment-head.ts'

/** Entries of a journal that its database may lack. */
export interface JournalCopy {
  readonly node: string
  readonly entries: readonly JournalEntry[]
}

interface Options {
  readonly clock: Clock
  readonly logger: Logger
}

/** Says what the database has of a journal. */
type SettledReader = (journal: Pick<Journal, 'node' | 'runs'>) => Promise<Settled>

/** Each try takes milliseconds; a gateway at its limits begins a segment some times a second. */
const tries = 50

/**
 * Reads the journal of a gateway that may be running, without its lock: every call that was settled before this is called,
 * and that the database did not have. `undefined` when there never was a journal.
 * @throws JournalUnusableError when it cannot be read
 */
export function readRunningJournal(
  directory: string,
  settledOf: SettledReader,
  options: Options,
): Promise<JournalCopy | undefined> {
  if (!journalExists(directory)) return Promise.resolve(undefined)
  const file = join(directory, nodeFile)
  const written = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  return readUndisturbed(directory, nodeOfSegments(directory, written), settledOf, options)
}

async function readUndisturbed(
  directory: string,
  node: string,
  settledOf: SettledReader,
  options: Options,
): Promise<JournalCopy> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const entries = await readOnce(directory, node, settledOf, options).catch(ignoreVanished)
    if (entries !== undefined) return { node, entries }
  }
  throw new JournalUnusableError(`The journal in ${directory} changes too fast to be copied: try again.`)
}

/** `undefined` when a segment was begun meanwhile: it may have taken the place of one that was being read. */
async function readOnce(directory: string, node: string, settledOf: SettledReader, options: Options) {
  const before = segmentsIn(directory)
  const entries = await entriesIn(directory, node, settledOf, options)
  return segmentsIn(directory) === before ? entries : undefined
}

/** The gateway removes files that it needs no more. */
function ignoreVanished(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Identifies segments by their heads: a new segment changes the text. */
function segmentsIn(directory: string): string {
  const files = diskJournalFiles(directory).openAll()
  try {
    const found = files.map(readHead)
    return found
      .map((one) => (one.kind === 'head' ? `${one.head.firstSeq} ${one.head.nonce}` : one.kind))
      .join('\n')
  } finally {
    for (const file of files) file.close()
  }
}

async function entriesIn(directory: string, node: string, settledOf: SettledReader, options: Options) {
  const journal = new Journal({ node, files: diskJournalFiles(directory), ...options })
  try {
    return [...journal.read(await settledOf(journal)).entries()]
  } finally {
    await journal.close()
  }
}
