import { ensureBuilt } from './builds.mjs'
import { ensureConsole } from './console.mjs'
import { at, root } from './root.mjs'

/** The name of this system for the build of an executable: `linux-x64`. */
const target = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** The executable of this system as it is shipped: it carries compiled modules, and starts in half of the processor time of the server's files. */
export const executable = at('dist', `tollgate-${target}${process.platform === 'win32' ? '.exe' : ''}`)

/**
 * Builds the executable of this system, and before it the console that it carries, when it is missing or older than its sources.
 * @param {(doing: string) => void} say reports each slow step before it starts
 */
export async function ensureExecutable(say) {
  await ensureConsole(say)
  const sources = ['apps/server', 'apps/web', 'packages', 'scripts/ship', 'bun.lock'].map((path) => at(path))
  const command = [at('scripts', 'ship', 'binary-main.ts'), target]
  await ensureBuilt({ name: 'executable', workspace: root, built: executable, sources, command }, say)
}
