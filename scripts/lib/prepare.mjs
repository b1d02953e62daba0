import { CommandError } from './command-error.mjs'
import { ensureConsole } from './console.mjs'
import { ensurePackages } from './packages.mjs'
import { ensureBun } from './runtime.mjs'
import { ensureServer } from './server.mjs'

const oldestNode = 20

/**
 * Makes a fresh clone ready: Bun, the packages, and the built server and console when they are wanted.
 * Decides in a few milliseconds when all is in place.
 * @param {{ server?: boolean, console?: boolean }} wanted
 */
export async function prepare(wanted = {}) {
  const node = Number(process.versions.node.split('.')[0])
  if (node < oldestNode)
    throw new CommandError(`Node.js ${oldestNode} or newer is needed, this is ${process.versions.node}`)
  await ensureBun(say)
  await ensurePackages(say)
  if (wanted.server) await ensureServer(say)
  if (wanted.console) await ensureConsole(say)
}

/** @param {string} doing */
function say(doing) {
  process.stderr.write(`tollgate: ${doing} …\n`)
}
