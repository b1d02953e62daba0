#!/usr/bin/env node
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CommandError, runCommand } from '../lib/command-error.mjs'
import { launch } from '../lib/launch.mjs'

/** Before its install script has run, the package of Bun holds a note of a few bytes where the program goes. */
const smallestProgram = 1_000_000
const server = fileURLToPath(new URL('../apps/server/dist/main.js', import.meta.url))

/** The command `tollgate` of the npm package: Node.js finds the runtime beside the package, and starts the server with it. */
await runCommand(() => launch(findBun(), server, process.argv.slice(2)))

/** The pinned Bun; from its package for this system where npm ran no install scripts. */
function findBun() {
  const fromHere = createRequire(import.meta.url)
  const home = locate(fromHere, 'bun')
  if (home !== undefined) {
    const placed = join(home, 'bin', 'bun.exe')
    if (isProgram(placed)) return placed
    const fromBun = createRequire(join(home, 'package.json'))
    for (const name of packagesOfThisSystem()) {
      const folder = locate(fromBun, `@oven/${name}`)
      const program = folder && join(folder, 'bin', process.platform === 'win32' ? 'bun.exe' : 'bun')
      if (program !== undefined && isProgram(program)) return program
    }
  }
  throw new CommandError('the runtime (npm package bun) is not beside this package; install tollgate again')
}

function packagesOfThisSystem() {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `bun-${system}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`
  return [name, `${name}-musl`]
}

/** @param {NodeJS.Require} from @param {string} name */
function locate(from, name) {
  try {
    return dirname(from.resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}

/** @param {string} path */
function isProgram(path) {
  return existsSync(path) && statSync(path).size > smallestProgram
}
