import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { CommandError, runCommand } from './lib/command-error.mjs'
import { prepare } from './lib/prepare.mjs'
import { exitCodeOf } from './lib/run.mjs'
import { bun } from './lib/runtime.mjs'
import { suiteEnvironment } from './lib/suite-environment.mjs'

/** Generated walks across features: `npm run walk -- --seed 7 --runs 500`. Another seed at each run unless one is given. */
await runCommand(async () => {
  const { seed, runs } = options()
  await prepare({ server: true })
  console.log(`tollgate: ${runs} walks of seed ${seed}`)
  const env = { ...suiteEnvironment(), WALK_SEED: seed, WALK_RUNS: runs }
  const run = spawn(bun, ['test', './tests/e2e/operation/walk.test.ts'], { stdio: 'inherit', env })
  return await new Promise((done) => run.on('close', (code, signal) => done(exitCodeOf(code, signal))))
})

function options() {
  const number = /** @type {const} */ ({ type: 'string' })
  const { values } = parseArgs({ options: { seed: number, runs: number } })
  const { seed = String(Date.now() % 1_000_000), runs = '200' } = values
  if (![seed, runs].every((text) => /^\d{1,9}$/.test(text)))
    throw new CommandError('npm run walk takes --seed and --runs, each a whole number')
  return { seed, runs }
}
