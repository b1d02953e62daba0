import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { BackupError } from './errors.ts'

/*
 * A backup is a tar file. Its last member has the SHA-256 of every other one, as `sha256sum` writes them: an archive that was
 * cut has none, and `tar xf` with `sha256sum --check SHA256SUMS` proves a whole one without this program.
 */

const aboutFile = 'backup.json'
export const databaseCopy = 'tollgate.db'
export const entriesFile = 'journal.entries'
/** Ranges of entry numbers with the run of the node that wrote each; absent in backups of earlier versions. */
export const spansFile = 'journal.spans'
const sumsFile = 'SHA256SUMS'

/** Facts of a backup about itself. */
const about = z.object({
  format: z.literal(1),
  /** Version of the program that made it. */
  version: z.string(),
  createdAt: z.string(),
  /** `journal`: settled calls of one node alone; its database is dumped by the tools of PostgreSQL. */
  content: z.enum(['database', 'journal']),
  /** Identity of its database, by which journals belong to it. */
  database: z.string(),
  /** The node whose settled calls it has, absent when there was none. */
  node: z.string().optional(),
})
export type About = z.output<typeof about>

export function writeAbout(directory: string, stated: About): void {
  writeFileSync(join(directory, aboutFile), `${JSON.stringify(stated, undefined, 2)}\n`)
}

/** Writes the archive of a directory's files, in one go. The file appears under its name when it is whole, and on the disk. */
export async function packArchive(directory: string, file: string): Promise<void> {
  const names = readdirSync(directory).filter((name) => name !== sumsFile)
  const members = [aboutFile, ...names.filter((name) => name !== aboutFile)]
  const sums = await Promise.all(
    members.map(async (name) => `${await sumOf(join(directory, name))}  ${name}\n`),
  )
  writeFileSync(join(directory, sumsFile), sums.join(''))
  const { create } = await import('tar')
  await create({ file, cwd: directory, portable: true, strict: true }, [...members, sumsFile])
}

/**
 * Unpacks an archive into an empty directory and checks it.
 * @throws BackupError when it is no backup, is cut or damaged, or was made in a form that this program does not know
 */
export async function unpackArchive(file: string, directory: string): Promise<About> {
  if (!existsSync(file) || !statSync(file).isFile()) throw new BackupError(`There is no file ${file}.`)
  const { extract } = await import('tar')
  try {
    await extract({ file, cwd: directory, strict: true, filter: isPlainFile })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOSPC')
      throw new BackupError(`There is no space to unpack ${file} into ${directory}.`, { cause })
    throw new BackupError(`${file} is not a backup of Tollgate, or it is cut.`, { cause })
  }
  const stated = readAbout(file, directory)
  await checkSums(file, directory)
  return stated
}

/** The head of a member, and the largest first member that is looked at. */
const headBytes = 512
const peekBytes = 16_384

/** Reads the facts in the first member of an archive, before anything is proven; `undefined` where it has none there. */
export function peekAbout(file: string): About | undefined {
  if (!existsSync(file) || !statSync(file).isFile()) return undefined
  const bytes = Buffer.alloc(peekBytes)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, bytes, 0, peekBytes, 0)
  } finally {
    closeSync(descriptor)
  }
  if (!bytes.toString('latin1').startsWith(`${aboutFile}\0`)) return undefined
  const size = Number.parseInt(bytes.toString('latin1', 124, 136), 8)
  return about.safeParse(parsedJson(bytes.toString('utf8', headBytes, headBytes + size))).data
}

/** Recognises a plain file, as a backup has nothing else: a file that somebody else packed puts nothing beside the directory. */
function isPlainFile(path: string, entry: object): boolean {
  return /^[\w.]+$/.test(path) && 'type' in entry && entry.type === 'File'
}

function readAbout(file: string, directory: string): About {
  const path = join(directory, aboutFile)
  const parsed = existsSync(path) ? about.safeParse(parsedJson(readFileSync(path, 'utf8'))) : undefined
  if (parsed?.success) return parsed.data
  if (parsed !== undefined && existsSync(join(directory, sumsFile)))
    throw new BackupError(`${file} was made by another version of Tollgate: restore it with that version.`)
  throw new BackupError(`${file} is not a backup of Tollgate, or it is cut.`)
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function checkSums(file: string, directory: string): Promise<void> {
  const path = join(directory, sumsFile)
  if (!existsSync(path)) throw new BackupError(`${file} is cut: its end is missing.`)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const expected = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
  const members = readdirSync(directory).filter((name) => name !== sumsFile)
  for (const name of new Set([...members, ...expected.keys()])) {
    const isThere = existsSync(join(directory, name))
    if (!isThere || (await sumOf(join(directory, name))) !== expected.get(name))
      throw new BackupError(`${file} is damaged: ${name} is not what was written.`)
  }
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
