import { ensureBuilt } from './builds.mjs'
import { at } from './root.mjs'

/**
 * Builds the console when it is missing or older than its sources.
 * @param {(doing: string) => void} say reports each slow step before it starts
 */
export async function ensureConsole(say) {
  await ensureBuilt(
    {
      name: 'console',
      workspace: at('apps', 'web'),
      built: at('apps', 'web', 'dist', 'index.html'),
      sources: [at('apps', 'web'), at('packages', 'api'), at('bun.lock')],
    },
    say,
  )
}
