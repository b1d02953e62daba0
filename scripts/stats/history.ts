import { $ } from 'bun'
import { root } from '../boundaries/sources.ts'
import type { LimitTable } from './limits.ts'

/** The record of limits, as a path in the repository. */
export const limitsPath = 'scripts/stats/limits.json'

/** Reads the record of limits as it is now; an empty one where there is none. */
export async function readLimits(): Promise<LimitTable> {
  const file = Bun.file(root + limitsPath)
  return (await file.exists()) ? await file.json() : {}
}

/**
 * Reads what earlier commits recorded: the last one, those before it, and the one at which the branch left `main`. A shallow clone has
 * fewer, a copy without a repository none, and a commit from before the record holds nobody to anything.
 */
export async function earlierLimits(): Promise<ReadonlyMap<string, LimitTable>> {
  const parents = await git('rev-list', '--parents', '-n', '1', 'HEAD')
  const bases = await Promise.all(['origin/main', 'main'].map((main) => git('merge-base', 'HEAD', main)))
  const commits = [...parents.split(' '), ...bases].filter((commit) => commit !== '')
  const found = await Promise.all(
    [...new Set(commits)].map(async (commit) => {
      const record = await git('show', `${commit}:${limitsPath}`)
      return record === '' ? [] : [[commit.slice(0, 12), JSON.parse(record) as LimitTable] as const]
    }),
  )
  return new Map(found.flat())
}

/** Returns what git prints; nothing where it fails. */
async function git(...args: readonly string[]): Promise<string> {
  const { stdout, exitCode } = await $`git ${args}`.cwd(root).nothrow().quiet()
  return exitCode === 0 ? stdout.toString().trim() : ''
}
