import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'
import { JournalUnusableError } from './errors.ts'
import { diskJournalFiles } from './files.ts'
import { Journal, type JournalEntry } from './journal.ts'
import { journalExists, nodeFile } from './open.ts'
import { readSegment } from './segment.ts'

/** What a journal has that its database may lack. */
export interface JournalCopy {
  readonly node: string
  readonly entries: readonly JournalEntry[]
}

interface Options {
  readonly clock: Clock
  readonly logger: Logger
}

/** Each try takes milliseconds; a gateway at its limits begins a segment some times a second. */
const tries = 50

/**
 * Reads the journal of a gateway that may be running, without its lock: every call that was settled before this is called,
 * and that was not in the database at `position`. `undefined` when there never was a journal.
 * @throws JournalUnusableError when it cannot be read
 */
export function readRunningJournal(
  directory: string,
  positionOf: (node: string) => Promise<number>,
  options: Options,
): Promise<JournalCopy | undefined> {
  if (!journalExists(directory)) return Promise.resolve(undefined)
  const node = readFileSync(join(directory, nodeFile), 'utf8').trim()
  return readUndisturbed(directory, node, positionOf, options)
}

async function readUndisturbed(
  directory: string,
  node: string,
  positionOf: (node: string) => Promise<number>,
  options: Options,
): Promise<JournalCopy> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const position = await positionOf(node)
    const entries = await readOnce(directory, node, position, options).catch(ignoreVanished)
    if (entries !== undefined && isWithoutHoles(entries)) return { node, entries }
  }
  throw new JournalUnusableError(`The journal in ${directory} changes too fast to be copied: try again.`)
}

/** `undefined` when a segment was begun meanwhile: it may have taken the place of one that was being read. */
async function readOnce(directory: string, node: string, position: number, options: Options) {
  const before = segmentsIn(directory)
  const entries = await entriesIn(directory, node, position, options)
  return segmentsIn(directory) === before ? entries : undefined
}

/** The gateway removes files that it needs no more. */
function ignoreVanished(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** By the headers of its segments: what begins another one changes it. */
function segmentsIn(directory: string): string {
  const files = diskJournalFiles(directory).openAll()
  try {
    const segments = files.map(readSegment).filter((segment) => segment !== undefined)
    return segments.map(({ firstSeq, nonce }) => `${firstSeq} ${nonce}`).join('\n')
  } finally {
    for (const file of files) file.close()
  }
}

async function entriesIn(directory: string, node: string, position: number, options: Options) {
  const journal = new Journal({ node, files: diskJournalFiles(directory), ...options })
  try {
    return [...journal.entriesAfter(position)]
  } finally {
    await journal.close()
  }
}

function isWithoutHoles(entries: readonly JournalEntry[]): boolean {
  return entries.every(({ seq }, index) => seq === (entries[0]?.seq ?? 0) + index)
}
