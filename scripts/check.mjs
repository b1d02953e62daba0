import { closeGuard } from './guard/guard.mjs'
import { endWithNpm } from './guard/watch.mjs'
import { changedOption, readChanges } from './lib/changes.mjs'
import { runCommand } from './lib/command-error.mjs'
import { prepare } from './lib/prepare.mjs'
import { suiteEnvironment } from './lib/suite-environment.mjs'
import { changedSteps, checkSteps } from './steps/checks.mjs'
import { runSteps } from './steps/run-steps.mjs'

/**
 * Checks all sources without running them, or with `--changed[=commit]` what changed since that commit (by default the last one), with the
 * unit tests that run it.
 */
await runCommand(async () => {
  endWithNpm()
  const args = process.argv.slice(2)
  const since = args.length === 0 ? undefined : changedOption('npm run check', args)
  await prepare()
  const steps =
    since === undefined ? checkSteps() : changedSteps(suiteEnvironment(), await readChanges(since))
  const { failed } = await runSteps(steps, { show: 'first' })
  await closeGuard()
  return failed === 0 ? 0 : 1
})
