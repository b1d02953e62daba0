import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError, causeOf } from './command-error.mjs'
import { npm } from './npm.mjs'
import { at } from './root.mjs'
import { run } from './run.mjs'
import { pinnedVersion } from './runtime.mjs'

/**
 * The pinned Bun for another system, from npm and held to the lockfile of `tools/bun`; kept for all checkouts of this machine.
 * @param {string} name of its package, without the scope: `bun-linux-aarch64`
 * @param {(doing: string) => void} say reports each slow step before it starts
 * @returns {Promise<string>} the program
 */
export async function foreignRuntime(name, say) {
  const home = process.env.TOLLGATE_RUNTIMES ?? join(homedir(), '.cache', 'tollgate', 'runtimes')
  const folder = join(home, `${name}-${pinnedVersion()}`)
  const program = join(folder, 'package', 'bin', name.includes('windows') ? 'bun.exe' : 'bun')
  if (existsSync(program)) return program
  say(`bringing ${name} ${pinnedVersion()}`)
  mkdirSync(home, { recursive: true })
  const arriving = mkdtempSync(join(home, 'arriving-'))
  try {
    await unpack(await download(name, arriving), arriving)
    // Another build may have brought it meanwhile: the first one stays.
    if (!existsSync(folder)) renameSync(arriving, folder)
  } finally {
    rmSync(arriving, { recursive: true, force: true })
  }
  return program
}

/** @param {string} name @param {string} folder @returns {Promise<string>} the packed package */
async function download(name, folder) {
  const { version, integrity } = locked(name)
  const { code, output } = await npm(
    ['pack', `@oven/${name}@${version}`, '--pack-destination', folder, '--silent'],
    folder,
  )
  if (code !== 0) throw new CommandError(`${name} ${version} could not be brought: ${causeOf(output)}`)
  const packed = join(folder, `oven-${name}-${version}.tgz`)
  const [algorithm = '', expected] = integrity.split(/-(.*)/s)
  if (createHash(algorithm).update(readFileSync(packed)).digest('base64') !== expected)
    throw new CommandError(`${name} ${version} does not match the lockfile`)
  return packed
}

/** @param {string} name @returns {{ version: string, integrity: string }} */
function locked(name) {
  const { packages } = JSON.parse(readFileSync(at('tools', 'bun', 'package-lock.json'), 'utf8'))
  const found = packages[`node_modules/@oven/${name}`]
  if (found === undefined) throw new CommandError(`the lockfile of tools/bun has no ${name}`)
  return found
}

/** @param {string} packed @param {string} folder */
async function unpack(packed, folder) {
  const { code, output } = await run('tar', ['-xzf', packed, '-C', folder], { cwd: dirname(packed) })
  if (code !== 0) throw new CommandError(`${packed} could not be unpacked: ${causeOf(output)}`)
  rmSync(packed)
}
