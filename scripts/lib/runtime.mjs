import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, causeOf } from './command-error.mjs'
import { npm } from './npm.mjs'
import { at } from './root.mjs'
import { run } from './run.mjs'

const home = at('tools', 'bun')
/** The pinned Bun; npm names it so on every platform. */
export const bun = join(home, 'node_modules', 'bun', 'bin', 'bun.exe')

/** Before its install script has run, the package holds a note of a few bytes where the program goes. */
const smallestProgram = 1_000_000

/**
 * Brings the pinned Bun through npm when it is missing, of another version, or built for another machine.
 * @param {(doing: string) => void} say reports each slow step before it starts
 */
export async function ensureBun(say) {
  const version = pinnedVersion()
  if (installedVersion() === version && isBuiltForThisMachine() && isProgram()) return
  say(`bringing Bun ${version}`)
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const brought = await npm(['ci', '--prefix', home, ...quiet], home)
  if (brought.code !== 0)
    throw new CommandError(`Bun ${version} could not be brought: ${causeOf(brought.output)}`)
  const placed = await run(process.execPath, [join(home, 'node_modules', 'bun', 'install.js')], { cwd: home })
  if (placed.code !== 0 || !isProgram())
    throw new CommandError(`Bun ${version} could not be set up: ${causeOf(placed.output)}`)
}

/** The version of Bun that everything runs on. @returns {string} */
export function pinnedVersion() {
  return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).dependencies.bun
}

function installedVersion() {
  const manifest = join(home, 'node_modules', 'bun', 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined
}

/** A checkout shared between machines (a mounted folder, a copied image) may hold another system's program. */
function isBuiltForThisMachine() {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const processor = process.arch === 'arm64' ? 'aarch64' : process.arch
  const packages = join(home, 'node_modules', '@oven')
  return (
    existsSync(packages) &&
    readdirSync(packages).some((name) => name.startsWith(`bun-${system}-${processor}`))
  )
}

function isProgram() {
  return (statSync(bun, { throwIfNoEntry: false })?.size ?? 0) > smallestProgram
}
