import { ensureConsole } from './console.mjs'
import { ensurePackages } from './packages.mjs'
import { Refusal } from './refusal.mjs'
import { ensureBun } from './runtime.mjs'

const oldestNode = 20

/**
 * Makes a fresh clone ready: Bun, the packages, and the built console when it is wanted.
 * Decides in a few milliseconds when all is in place.
 * @param {{ withConsole: boolean }} wanted
 */
export async function prepare({ withConsole }) {
  const node = Number(process.versions.node.split('.')[0])
  if (node < oldestNode)
    throw new Refusal(`Node.js ${oldestNode} or newer is needed, this is ${process.versions.node}`)
  await ensureBun(say)
  await ensurePackages(say)
  if (withConsole) await ensureConsole(say)
}

/** @param {string} doing */
function say(doing) {
  process.stderr.write(`tollgate: ${doing} …\n`)
}
