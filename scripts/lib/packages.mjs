import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError, causeOf } from './command-error.mjs'
import { at, root } from './root.mjs'
import { run } from './run.mjs'
import { bun } from './runtime.mjs'

const stamp = at('node_modules', '.tollgate', 'packages')

/**
 * Installs the locked packages when they are missing, when bun.lock changed since, or when npm put a tree of its own.
 * @param {(doing: string) => void} say reports each slow step before it starts
 */
export async function ensurePackages(say) {
  const wanted = fingerprint()
  if (isBunsTree() && readStamp() === wanted) return
  say('installing packages')
  accessSync(root, constants.W_OK)
  rmSync(stamp, { force: true })
  const outcome = await run(bun, ['install', '--frozen-lockfile'], { cwd: root })
  if (outcome.code !== 0)
    throw new CommandError(`packages could not be installed: ${causeOf(outcome.output)}`)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

/** The lockfile decides what is installed; the system decides which native parts of it. */
function fingerprint() {
  const lock = createHash('sha256')
    .update(readFileSync(at('bun.lock')))
    .digest('hex')
  return `${lock} ${process.platform} ${process.arch}`
}

/** `npm install`, typed by habit, leaves its flat tree and this file behind. */
function isBunsTree() {
  return existsSync(at('node_modules', '.bun')) && !existsSync(at('node_modules', '.package-lock.json'))
}

function readStamp() {
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined
}
