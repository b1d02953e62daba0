import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createDurableFile, syncDirectory } from './durable-file.ts'
import { randomAlphanumerics } from './random.ts'
import { describeUnusable } from './service/describe-unusable.ts'

const fileName = 'secret.key'
/** Beside it while a rotation is under way: the secret that takes its place. */
const nextFileName = 'secret.next.key'
const secretLength = 64

/** The data directory cannot be used; the message is one sentence for the terminal. */
class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/** The installation's master keys. */
export interface MasterSecrets {
  /** Everything is to be sealed with it. */
  readonly secret: string
  /** Former secret: texts sealed with it open, too, and are sealed anew. */
  readonly former: string | undefined
  readonly source: 'environment' | 'file'
}

interface SecretOptions {
  readonly secret?: string | undefined
  readonly former?: string | undefined
  /** Set for a database that exists already: its secret is not made, but missing. */
  readonly isUsed?: boolean
}

/**
 * The installation's master key: from the environment, else from a 0600 file in the data directory, created at the
 * first start and synced before anything is sealed with it. Without it sealed secrets cannot be read, so it belongs
 * into every backup.
 * @throws DataDirectoryError when the directory cannot be read or written, or the file of a used database is missing
 */
export function masterSecrets(
  dataDir: string,
  { secret, former, isUsed = false }: SecretOptions,
): MasterSecrets {
  if (secret !== undefined) return { secret, former, source: 'environment' }
  const path = join(dataDir, fileName)
  if (isUsed && !existsSync(path))
    throw new DataDirectoryError(
      `${path} is missing, without which the secrets in the database cannot be read: put it back from where it is kept, or set TOLLGATE_SECRET. Where it is lost for good, tollgate reset-secret clears what it sealed`,
    )
  createFirst(dataDir, path)
  const current = readSecret(path, dataDir)
  const next = nextFileSecret(dataDir)
  return next === undefined
    ? { secret: current, former, source: 'file' }
    : { secret: next, former: current, source: 'file' }
}

function createFirst(dataDir: string, path: string): void {
  try {
    const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    if (made !== undefined) syncDirectory(dirname(made))
    // One of several starting processes creates it; the others read that file.
    createDurableFile(path, randomAlphanumerics(secretLength))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(dataDir, error)
  }
}

/** The secret that takes the place of the one in the file; `undefined` while no rotation is under way. */
export function nextFileSecret(dataDir: string): string | undefined {
  const path = join(dataDir, nextFileName)
  if (!existsSync(path)) return undefined
  // Whoever wrote it may have been killed before its name was on the disk.
  syncDirectory(dataDir)
  return readSecret(path, dataDir)
}

/** Puts the next secret beside the file, all of it or nothing. False when there is one already. */
export function writeNextFileSecret(dataDir: string): boolean {
  const path = join(dataDir, nextFileName)
  const aside = `${path}.${randomAlphanumerics(8)}`
  try {
    createDurableFile(aside, randomAlphanumerics(secretLength))
    linkSync(aside, path)
    syncDirectory(dataDir)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw unusable(dataDir, error)
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Ends a rotation: the next secret takes the place of the file. Nothing may be sealed with the former one any more. */
export function keepNextFileSecret(dataDir: string): void {
  try {
    renameSync(join(dataDir, nextFileName), join(dataDir, fileName))
  } catch (error) {
    // Another worker of this machine, which shares the folder, has done it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  syncDirectory(dataDir)
}

/** The files that hold the installation's secrets, as they are there. */
export function secretFiles(dataDir: string): readonly string[] {
  return [fileName, nextFileName].filter((name) => existsSync(join(dataDir, name)))
}

function readSecret(path: string, dataDir: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw unusable(dataDir, Object.assign(error as Error, { path }))
  }
  if (text.length < secretLength) {
    throw new DataDirectoryError(
      `${path} is damaged: restore it from a backup, because stored secrets need it. Where it is lost for good, move it away, and tollgate reset-secret clears what it sealed`,
    )
  }
  return text
}

/**
 * Returns the error for an unusable data directory. It never advises to go elsewhere: an installation may be here, and another folder
 * begins an empty one.
 */
function unusable(dataDir: string, cause: unknown): DataDirectoryError {
  return new DataDirectoryError(`the data directory ${dataDir} ${describeUnusable(dataDir, cause)}`, {
    cause,
  })
}
