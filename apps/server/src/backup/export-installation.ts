import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { syncDirectory, syncFile } from '../lib/durable-file.ts'
import { countRowsOf, readOption, readTables, type TableShape } from '../store/copy/catalogue.ts'
import type { CopySource } from '../store/copy/copy-source.ts'
import type { Progress } from '../store/copy/copy-tables.ts'
import { type OpenTable, openTables, readJoined } from '../store/copy/open-formats.ts'
import { readSourceState } from '../store/copy/source-state.ts'
import { BackupError } from './errors.ts'
import { type Open, openRowOf } from './open-row.ts'

export interface ExportInstallation {
  readonly source: CopySource
  /** A folder that is not there yet. */
  readonly directory: string
  /** Absent where secrets stay out. */
  readonly open: Open | undefined
  readonly version: string
  readonly now: Date
  readonly progress: Progress
}

/** A file of an export, as `about.json` lists it. */
export interface ExportedFile {
  readonly name: string
  readonly what: string
  readonly rows: number
  readonly sha256: string
}

const defaultQuotaPerUnit = 500_000

/**
 * Writes everything that another system can use as JSON lines, a file for each kind of rows, with `about.json` that says what they
 * are and `SHA256SUMS`. All of it is as of one moment. The folder appears when it is whole.
 * @throws BackupError or StoreOpenError with one sentence
 */
export async function exportInstallation(given: ExportInstallation): Promise<readonly ExportedFile[]> {
  const { directory, source } = given
  if (existsSync(directory))
    throw new BackupError(`${directory} is there already: name a folder that is not.`)
  const { isUsed } = await readSourceState(source)
  if (!isUsed) throw new BackupError('The database holds no installation yet.')
  const work = `${directory}.partial`
  try {
    rmSync(work, { recursive: true, force: true })
    mkdirSync(work, { recursive: true, mode: 0o700 })
    const files = await writeAll(given, work)
    source.requireUndisturbed()
    renameSync(work, directory)
    syncDirectory(dirname(directory))
    return files
  } catch (error) {
    throw toBackupError(error, directory)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** One sentence for what the disk refuses; faults of ours stay what they are. */
function toBackupError(error: unknown, directory: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new BackupError(`There is no space for the export in ${dirname(directory)}.`, { cause: error })
  if (/^E(ACCES|PERM|ROFS|NOTDIR)$/.test(code))
    return new BackupError(`${directory} cannot be written (${code}): choose another place.`, {
      cause: error,
    })
  return error
}

async function writeAll(given: ExportInstallation, work: string): Promise<readonly ExportedFile[]> {
  const shapes = await given.source.read(readTables(given.source.kind))
  const files: ExportedFile[] = []
  for (const table of openTables) {
    const shape = shapes.get(table.table)
    if (shape === undefined) throw new Error(`the schema has no table ${table.table}`)
    files.push(await writeTable(given, table, shape, work))
  }
  writeAbout(work, {
    product: 'Tollgate',
    version: given.version,
    createdAt: given.now.toISOString(),
    withSecrets: given.open !== undefined,
    ...(await unitsOf(given.source)),
    files: files.map(({ name, what, rows }) => ({ name, what, rows })),
  })
  const sums = files.map(({ sha256, name }) => `${sha256}  ${name}\n`)
  writeFileSync(join(work, 'SHA256SUMS'), sums.join(''))
  for (const { name } of files) syncFile(join(work, name))
  return files
}

/** What the numbers mean. */
async function unitsOf(source: CopySource): Promise<object> {
  const quotaPerUnit = Number((await source.read(readOption('QuotaPerUnit'))) ?? defaultQuotaPerUnit)
  return {
    quotaPerUnit,
    units: {
      quota: `balances and charges are integers; ${quotaPerUnit} are one unit of currency`,
      times: 'seconds since 1970, UTC; names that end with _ms: milliseconds',
      flags: '0 and 1',
      lists: 'lists and objects inside of a member are JSON texts',
    },
  }
}

function writeAbout(work: string, about: object): void {
  writeFileSync(join(work, 'about.json'), `${JSON.stringify(about, undefined, 2)}\n`)
}

async function writeTable(
  { source, open, progress }: ExportInstallation,
  { table, joined, file, what }: OpenTable,
  shape: TableShape,
  work: string,
): Promise<ExportedFile> {
  const others = joined === undefined ? undefined : await source.read(readJoined(joined))
  const total = await source.read(countRowsOf(shape))
  const name = `${file}.jsonl`
  const descriptor = openSync(join(work, name), 'wx', 0o600)
  const hash = createHash('sha256')
  let rows = 0
  try {
    for await (const batch of source.batches(shape)) {
      const lines = batch.map((row) => {
        const whole = { ...row, ...others?.get(Number(row['id'])) }
        return `${JSON.stringify(openRowOf(table, whole, open))}\n`
      })
      const bytes = Buffer.from(lines.join(''))
      writeWhole(descriptor, bytes)
      hash.update(bytes)
      rows += batch.length
      progress(file, rows, total)
    }
  } finally {
    closeSync(descriptor)
  }
  return { name, what, rows, sha256: hash.digest('hex') }
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  let written = 0
  while (written < bytes.length) written += writeSync(descriptor, bytes, written)
}
