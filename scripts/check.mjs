import { readChanges } from './lib/changes.mjs'
import { changedSteps, checkSteps } from './lib/checks.mjs'
import { CommandError, runCommand } from './lib/command-error.mjs'
import { prepare } from './lib/prepare.mjs'
import { runSteps } from './lib/run-steps.mjs'
import { suiteEnvironment } from './lib/suite-environment.mjs'

/** Everything, or with `--changed[=commit]` what changed since then (since the last commit unless told). */
await runCommand(async () => {
  const since = changedOption(process.argv.slice(2))
  await prepare()
  const env = suiteEnvironment()
  const steps = since === undefined ? checkSteps(env) : changedSteps(env, await readChanges(since))
  const { failed } = await runSteps(steps, { show: 'first' })
  return failed === 0 ? 0 : 1
})

/** @param {readonly string[]} args @returns {string | undefined} a commit */
function changedOption([option, ...rest]) {
  if (option === undefined) return undefined
  const since = /^--changed(?:=(.+))?$/.exec(option)
  if (since === null || rest.length > 0)
    throw new CommandError('npm run check takes --changed or --changed=<commit>, after two dashes')
  return since[1] ?? 'HEAD'
}
