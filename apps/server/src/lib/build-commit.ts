import { spawnSync } from 'node:child_process'

const shortLength = 12

/**
 * The commit that the sources are of, while they are built: from TOLLGATE_COMMIT where the build has no repository, else from git.
 * Empty where neither knows.
 */
export function buildCommit(): string {
  const named = process.env['TOLLGATE_COMMIT']?.trim()
  if (named) return named.slice(0, shortLength)
  const args = ['rev-parse', `--short=${shortLength}`, 'HEAD']
  const { status, stdout } = spawnSync('git', args, { cwd: import.meta.dir, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}
