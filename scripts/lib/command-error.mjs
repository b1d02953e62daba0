import { stripVTControlCharacters } from 'node:util'

/** The reason why a command cannot do its work, as the one line its caller reads. */
export class CommandError extends Error {
  /** @override */
  name = 'Refusal'
}

/** Outputs of package managers and of the system, each with its meaning for the person who reads it. */
const meanings = /** @type {const} */ ([
  [/ENOSPC|no space left/i, 'the disk is full'],
  [/EROFS|read-only file system/i, 'the folder is on a read-only file system'],
  [/EACCES|EPERM|AccessDenied|permission denied/i, 'no permission to write here'],
  [/EBADPLATFORM|Unsupported platform/i, `Bun has no build for ${process.platform} on ${process.arch}`],
  [
    /certificate|SELF_SIGNED|UNABLE_TO_VERIFY/i,
    'the package registry presents a certificate that is not trusted here',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ConnectionRefused|ConnectionClosed|FailedToOpenSocket|Timeout|network/i,
    'the package registry cannot be reached; check the network or the proxy settings of npm',
  ],
  [
    /lockfile had changes|lockfile is frozen/i,
    'bun.lock does not match the package.json files; run `bun install` and commit bun.lock',
  ],
  [/EINTEGRITY|IntegrityCheckFailed/i, 'a downloaded package does not match the lockfile'],
])

/**
 * Cause of a failed command in a few words: a known meaning, or the last line that says something.
 * @param {string} output
 */
export function causeOf(output) {
  const known = meanings.find(([pattern]) => pattern.test(output))
  if (known) return known[1]
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim().replace(/^npm error (code )?/, ''))
  const telling = lines.filter(
    (line) => /error|fail|cannot|could not|not found|missing|^\[[A-Z_]+\]/i.test(line) && !echo.test(line),
  )
  return telling[0] ?? lines.filter((line) => line !== '').at(-1) ?? 'it said nothing'
}

/** Lines that package managers print around the cause. */
const echo = /^\$ |^at |complete log|exited with code|error during build|build failed/i

/**
 * Runs a command: an error becomes one line on stderr and exit code 1.
 * @param {() => Promise<number>} command returns the exit code
 */
export async function runCommand(command) {
  try {
    process.exitCode = await command()
  } catch (error) {
    process.stderr.write(`tollgate: ${lineFor(error)}\n`)
    process.exitCode = 1
  }
}

/** @param {unknown} error */
function lineFor(error) {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof CommandError) return error.message
  const { path } = /** @type {NodeJS.ErrnoException} */ (error)
  return path === undefined ? causeOf(error.message) : `${causeOf(error.message)} (${path})`
}
