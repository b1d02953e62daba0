import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { CommandError, causeOf } from '../lib/command-error.mjs'
import { npm } from '../lib/npm.mjs'
import { at } from '../lib/root.mjs'
import { run } from '../lib/run.mjs'
import { pinnedVersion } from '../lib/runtime.mjs'
import type { Say } from './say.ts'

/**
 * The pinned Bun for another system, from npm and held to the lockfile of `tools/bun`; kept for all checkouts of this machine.
 * @param name of its package, without the scope: `bun-linux-aarch64`
 * @returns path of the program
 */
export async function foreignRuntime(name: string, say: Say): Promise<string> {
  const home = process.env['TOLLGATE_RUNTIMES'] ?? join(homedir(), '.cache', 'tollgate', 'runtimes')
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

async function download(name: string, folder: string): Promise<string> {
  const { version, integrity } = locked(name)
  const wanted = ['pack', `@oven/${name}@${version}`, '--pack-destination', folder, '--silent']
  const { code, output } = await npm(wanted, folder)
  if (code !== 0) throw new CommandError(`${name} ${version} could not be brought: ${causeOf(output)}`)
  const packed = join(folder, `oven-${name}-${version}.tgz`)
  const [algorithm = '', expected] = integrity.split(/-(.*)/s)
  if (createHash(algorithm).update(readFileSync(packed)).digest('base64') !== expected)
    throw new CommandError(`${name} ${version} does not match the lockfile`)
  return packed
}

interface LockedPackage {
  readonly version: string
  /** Algorithm and digest, as npm writes them: `sha512-…`. */
  readonly integrity: string
}

function locked(name: string): LockedPackage {
  const lock = JSON.parse(readFileSync(at('tools', 'bun', 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  const found = lock.packages[`node_modules/@oven/${name}`]
  if (found === undefined) throw new CommandError(`the lockfile of tools/bun has no ${name}`)
  return found
}

async function unpack(packed: string, folder: string): Promise<void> {
  const { code, output } = await run('tar', ['-xzf', packed, '-C', folder])
  if (code !== 0) throw new CommandError(`${packed} could not be unpacked: ${causeOf(output)}`)
  rmSync(packed)
}
