import { checkSteps } from './house/checks.mjs'
import { prepare } from './house/prepare.mjs'
import { runCommand } from './house/refusal.mjs'
import { runSteps } from './house/steps.mjs'
import { suiteEnvironment } from './house/suite-environment.mjs'

await runCommand(async () => {
  await prepare()
  const { failed } = await runSteps(checkSteps(suiteEnvironment()), { show: 'first' })
  return failed === 0 ? 0 : 1
})
