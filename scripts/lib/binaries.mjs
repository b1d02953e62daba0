import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CommandError, causeOf } from './command-error.mjs'
import { foreignRuntime } from './foreign-runtimes.mjs'
import { at } from './root.mjs'
import { run } from './run.mjs'
import { bun } from './runtime.mjs'

/** The systems that get an executable, and the package of the runtime that it carries. */
export const targets = /** @type {const} */ ({
  'linux-x64': 'bun-linux-x64',
  'linux-arm64': 'bun-linux-aarch64',
  'darwin-arm64': 'bun-darwin-aarch64',
  'windows-x64': 'bun-windows-x64',
})

/** @typedef {keyof typeof targets} Target */

/** The target that this machine runs, or a name that is none. */
export const ownTarget = /** @type {Target} */ (
  `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
)

/** @param {string} name @returns {name is Target} */
export function isTarget(name) {
  return Object.hasOwn(targets, name)
}

/** @param {Target} target */
export function binaryName(target) {
  return `tollgate-${target}${target.startsWith('windows') ? '.exe' : ''}`
}

/**
 * Compiles server, worker threads and the built console with the runtime of a system into one executable.
 * @param {Target} target
 * @param {string} folder where it is put, as `binaryName` says; replaces the one that is there
 * @param {(doing: string) => void} say reports each slow step before it starts
 * @returns {Promise<string>} the executable
 */
export async function buildBinary(target, folder, say) {
  const runtime = target === ownTarget ? bun : await foreignRuntime(targets[target], say)
  say(`compiling ${binaryName(target)}`)
  mkdirSync(folder, { recursive: true })
  // The compiler leaves source maps beside the executable, which carries them too.
  const scratch = mkdtempSync(join(folder, 'compiling-'))
  try {
    const made = join(scratch, binaryName(target))
    const options = [
      `--outfile=${made}`,
      `--target=${targets[target].replace('aarch64', 'arm64')}`,
      `--compile-executable-path=${runtime}`,
    ]
    const { code, output } = await run(bun, ['--bun', 'run', 'build:binary', ...options], {
      cwd: at('apps', 'server'),
    })
    if (code !== 0) throw new CommandError(`${binaryName(target)} could not be compiled: ${causeOf(output)}`)
    const binary = join(folder, basename(made))
    renameSync(made, binary)
    return binary
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
