import { existsSync } from 'node:fs'
import { run } from './run.mjs'
import { findTool, tools } from './tools.mjs'

/**
 * Installs with apt-get what is missing, where that is allowed: on Debian and its kin, as root.
 * @param {readonly (keyof typeof tools)[]} wanted
 * @param {(doing: string) => void} say reports each slow step before it starts
 * @returns {Promise<(keyof typeof tools)[]>} what is still missing
 */
export async function installTools(wanted, say) {
  const missing = wanted.filter((key) => findTool(key) === undefined)
  if (missing.length === 0 || !mayInstall()) return missing
  const packages = missing.map((key) => tools[key].debian)
  say(`installing ${packages.join(', ')}`)
  await installPackages(packages)
  return missing.filter((key) => findTool(key) === undefined)
}

function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get')
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
      const place = findTool(key)
      return place === undefined ? [] : [[tools[key].variable, place]]
    }),
  )
}
