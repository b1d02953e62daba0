import { CommandError, causeOf } from './command-error.mjs'
import { at, root } from './root.mjs'
import { run } from './run.mjs'
import { bun } from './runtime.mjs'

/**
 * Reads what changed since a commit, and what that affects by the import graph. Uncommitted changes count.
 * @param {string} since a commit or branch
 * @returns {Promise<{ changed: readonly string[], affected: readonly string[], tests: readonly string[], suites: readonly string[] }>}
 */
export async function readChanges(since) {
  const { code, output } = await run(bun, [at('scripts', 'boundaries', 'affected-main.ts'), since], {
    cwd: root,
  })
  if (code !== 0) throw new CommandError(`the changes since ${since} cannot be read: ${causeOf(output)}`)
  return JSON.parse(output)
}

/**
 * The commit that `--changed` or `--changed=<commit>` names: the last one by default.
 * @param {string} command @param {readonly string[]} args
 */
export function changedOption(command, [option = '', ...rest]) {
  const since = /^--changed(?:=(.+))?$/.exec(option)
  if (since === null || rest.length > 0)
    throw new CommandError(`${command} takes --changed or --changed=<commit>, after two dashes`)
  return since[1] ?? 'HEAD'
}
