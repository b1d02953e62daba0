import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncDirectory } from '../../../lib/durable-file.ts'
import type { Progress } from '../../../store/engine/copy/copy-tables.ts'
import { BackupError } from '../errors.ts'
import { type Exporting, type ExportPiece, exportPieces } from './export-pieces.ts'

export interface ExportInstallation extends Exporting {
  /** A folder that is not there yet. */
  readonly directory: string
  readonly progress: Progress
}

/** Numbers of files and rows that an export wrote. */
export interface ExportedInstallation {
  readonly files: number
  readonly rows: number
}

/**
 * Writes an export into a folder, which appears when it is whole.
 * @throws BackupError or StoreOpenError with one sentence
 */
export async function exportInstallation(options: ExportInstallation): Promise<ExportedInstallation> {
  const { directory } = options
  if (existsSync(directory))
    throw new BackupError(`${directory} is there already: name a folder that is not.`)
  const work = `${directory}.partial`
  try {
    rmSync(work, { recursive: true, force: true })
    mkdirSync(work, { recursive: true, mode: 0o700 })
    const exported = await writePieces(exportPieces(options), work, options.progress)
    renameSync(work, directory)
    syncDirectory(dirname(directory))
    return exported
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

interface OpenFile {
  readonly name: string
  readonly descriptor: number
  rows: number
}

async function writePieces(
  pieces: AsyncIterable<ExportPiece>,
  work: string,
  progress: Progress,
): Promise<ExportedInstallation> {
  let file: OpenFile | undefined
  let files = 0
  let rows = 0
  try {
    for await (const piece of pieces) {
      if (file !== undefined && file.name !== piece.name) {
        finish(file)
        file = undefined
      }
      if (file === undefined) files += 1
      file ??= { name: piece.name, descriptor: openSync(join(work, piece.name), 'wx', 0o600), rows: 0 }
      writeWhole(file.descriptor, piece.bytes)
      file.rows += piece.rows
      rows += piece.rows
      progress(file.name, file.rows)
    }
    if (file !== undefined) finish(file)
    file = undefined
    return { files, rows }
  } finally {
    if (file !== undefined) closeSync(file.descriptor)
  }
}

function finish({ descriptor }: OpenFile): void {
  fsyncSync(descriptor)
  closeSync(descriptor)
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  let written = 0
  while (written < bytes.length) written += writeSync(descriptor, bytes, written)
}
