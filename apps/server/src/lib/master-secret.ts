import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createDurableFile, syncDirectory } from './durable-file.ts'
import { randomAlphanumerics } from './random.ts'

const fileName = 'secret.key'
const secretLength = 64

/** The data directory cannot be used; the message is one sentence for the terminal. */
class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/**
 * The installation's master key: from the environment, else from a 0600 file in the data directory, created at the
 * first start and synced before anything is sealed with it. Without it sealed secrets cannot be read, so it belongs
 * into every backup.
 * @throws DataDirectoryError when the directory cannot be read or written
 */
export function masterSecret(dataDir: string, fromEnvironment: string | undefined): string {
  if (fromEnvironment !== undefined) return fromEnvironment
  const path = join(dataDir, fileName)
  try {
    const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    if (made !== undefined) syncDirectory(dirname(made))
    // One of several starting processes creates it; the others read that file.
    createDurableFile(path, randomAlphanumerics(secretLength))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(dataDir, error)
  }
  return readSecret(path, dataDir)
}

function readSecret(path: string, dataDir: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw unusable(dataDir, error)
  }
  if (text.length < secretLength) {
    throw new DataDirectoryError(
      `${path} is damaged: restore it from a backup, because stored secrets need it`,
    )
  }
  return text
}

function unusable(dataDir: string, cause: unknown): DataDirectoryError {
  const { code } = cause as NodeJS.ErrnoException
  const reason =
    code === 'EACCES' || code === 'EROFS' || code === 'EPERM' ? 'is not writable' : `cannot be used (${code})`
  return new DataDirectoryError(`the data directory ${dataDir} ${reason}: choose another with DATA_DIR`, {
    cause,
  })
}
