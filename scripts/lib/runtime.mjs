import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, causeOf } from './command-error.mjs'
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
  await npm(
    ['ci', '--prefix', home, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    version,
  )
  const placed = await run(process.execPath, [join(home, 'node_modules', 'bun', 'install.js')], { cwd: home })
  if (placed.code !== 0 || !isProgram())
    throw new CommandError(`Bun ${version} could not be set up: ${causeOf(placed.output)}`)
}

/** @param {readonly string[]} args @param {string} version */
async function npm(args, version) {
  // npm passes its own location to its scripts; without it (a direct `node scripts/start.mjs`) the one on the path serves.
  const script = process.env.npm_execpath
  const known = script !== undefined && /npm-cli\.c?js$/.test(script)
  const outcome = known
    ? await run(process.execPath, [script, ...args], { cwd: home })
    : await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd: home })
  if (outcome.code !== 0)
    throw new CommandError(`Bun ${version} could not be brought: ${causeOf(outcome.output)}`)
}

function pinnedVersion() {
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
