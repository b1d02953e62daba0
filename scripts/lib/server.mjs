import { ensureBuilt } from './builds.mjs'
import { at } from './root.mjs'

const workspace = at('apps', 'server')

/** The server as it is started: all of its modules in a few files, which load in half the time. */
export const serverProgram = at('apps', 'server', 'dist', 'main.js')

/**
 * Builds the server when it is missing or older than its sources.
 * @param {(doing: string) => void} say reports each slow step before it starts
 */
export async function ensureServer(say) {
  const sources = [workspace, at('packages'), at('bun.lock')]
  await ensureBuilt({ name: 'server', workspace, built: serverProgram, sources }, say)
}
