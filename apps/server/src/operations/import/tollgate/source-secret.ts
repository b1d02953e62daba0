import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnvironmentFile } from '../../../lib/service/environment-file.ts'
import { ImportError } from '../import-source.ts'

/** The secrets of another installation, as far as they are known. */
interface SourceSecrets {
  readonly secret: string
  readonly former: string | undefined
}

interface SecretSources {
  /** Argument of the command: a file that has the secret, or the secret itself. */
  readonly argument: string | undefined
  /** The data directory of the installation, where it is at hand. */
  readonly directory: string | undefined
}

/**
 * The secrets of the installation to import: those that the command names, else those in its data directory.
 * @throws ImportError when a file that is named has none
 */
export function findSourceSecrets({ argument, directory }: SecretSources): SourceSecrets | undefined {
  if (argument !== undefined && argument !== '') return namedSecrets(argument)
  if (directory === undefined) return undefined
  const current = secretIn(join(directory, 'secret.key'))
  const next = secretIn(join(directory, 'secret.next.key'))
  if (current === undefined) return next === undefined ? undefined : { secret: next, former: undefined }
  return next === undefined ? { secret: current, former: undefined } : { secret: next, former: current }
}

function namedSecrets(argument: string): SourceSecrets {
  if (!existsSync(argument) || !statSync(argument).isFile()) return { secret: argument, former: undefined }
  const text = readFileSync(argument, 'utf8')
  const { TOLLGATE_SECRET: secret, TOLLGATE_SECRET_PREVIOUS: former } = parseEnvironmentFile(text)
  if (secret !== undefined) return { secret, former }
  const lines = text.trim()
  if (lines === '' || /\s/.test(lines))
    throw new ImportError(
      `${argument} has no secret: give the secret.key of the installation, or a file with a line TOLLGATE_SECRET=….`,
    )
  return { secret: lines, former: undefined }
}

function secretIn(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}
