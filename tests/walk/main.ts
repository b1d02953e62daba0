import { parseArgs } from 'node:util'
import { suiteEnvironment } from '../../scripts/lib/suite-environment.mjs'

/**
 * `npm run walk -- --seed 7 --runs 500`: generated walks across features, with `--nodes 3` over a fleet. Every run takes another
 * seed by default.
 */
const text = { type: 'string' } as const
const { values } = parseArgs({ options: { seed: text, runs: text, nodes: text } })
const { seed = String(Date.now() % 1_000_000), runs = '200', nodes = '1' } = values
const suites = new Map([
  ['1', './tests/e2e/operation/walk.test.ts'],
  ['3', './tests/e2e/operation/fleet-walk.test.ts'],
])
const suite = suites.get(nodes)

if (suite !== undefined && [seed, runs].every((value) => /^\d{1,9}$/.test(value))) {
  console.log(`tollgate: ${runs} walks of seed ${seed} over ${nodes === '1' ? 'one node' : `${nodes} nodes`}`)
  const env = { ...suiteEnvironment(), WALK_SEED: seed, WALK_RUNS: runs }
  const stdio = ['inherit', 'inherit', 'inherit'] as const
  process.exitCode = await Bun.spawn([process.execPath, 'test', suite], { stdio: [...stdio], env }).exited
} else {
  console.error('tollgate: npm run walk takes --seed and --runs, each an integer, and --nodes 1 or 3')
  process.exitCode = 1
}
