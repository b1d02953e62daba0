import { parseArgs } from 'node:util'
import { suiteEnvironment } from '../../scripts/lib/suite-environment.mjs'

/** `npm run walk -- --seed 7 --runs 500`: generated walks across features. Every run takes another seed by default. */
const number = { type: 'string' } as const
const { values } = parseArgs({ options: { seed: number, runs: number } })
const { seed = String(Date.now() % 1_000_000), runs = '200' } = values

if ([seed, runs].every((text) => /^\d{1,9}$/.test(text))) {
  console.log(`tollgate: ${runs} walks of seed ${seed}`)
  const env = { ...suiteEnvironment(), WALK_SEED: seed, WALK_RUNS: runs }
  const suite = './tests/e2e/operation/walk.test.ts'
  const stdio = ['inherit', 'inherit', 'inherit'] as const
  process.exitCode = await Bun.spawn([process.execPath, 'test', suite], { stdio: [...stdio], env }).exited
} else {
  console.error('tollgate: npm run walk takes --seed and --runs, each an integer')
  process.exitCode = 1
}
