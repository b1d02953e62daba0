import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { closeGuard, guard } from './guard/guard.mjs'
import { endWithNpm } from './guard/watch.mjs'
import { changedOption, readChanges } from './lib/changes.mjs'
import { runCommand } from './lib/command-error.mjs'
import { executable } from './lib/executable.mjs'
import { bringRuntimes, installFromDebian } from './lib/install-tools.mjs'
import { prepare } from './lib/prepare.mjs'
import { briefPrograms, suiteEnvironment } from './lib/suite-environment.mjs'
import { allSuites, readSuiteMap, suitesNamed, suitesReached } from './lib/suites.mjs'
import { sourceOf, tools } from './lib/tools.mjs'
import { buildSteps, changedSteps, completeSteps, unitSteps } from './steps/checks.mjs'
import { runSteps } from './steps/run-steps.mjs'
import { suiteStep, workStep } from './steps/steps.mjs'
import { inSeconds, writeSuiteTimes } from './times/suite-times.mjs'

/** @typedef {import('./steps/steps.mjs').Step} Step */
/** @typedef {import('./lib/suites.mjs').Suite} Suite */

/**
 * Recordings of others that are not ours to publish: the variable that names its folder, and the end of the names of the tests that use it.
 * @type {readonly { variable: string, tests: string, what: string }[]}
 */
const notOurs = [
  { variable: 'TOLLGATE_RECORDINGS', tests: 'recordings.test.ts', what: 'recorded provider traffic' },
  {
    variable: 'TOLLGATE_CASES',
    tests: 'reported-cases.test.ts',
    what: 'calls that people reported as trouble',
  },
  { variable: 'TOLLGATE_IMPORTS', tests: 'import-of-new-api.test.ts', what: 'a database that new-api wrote' },
]
/** The name of all unit tests, component tests among them. */
const unit = 'unit'
/** The option that has a complete run write how long each suite took. */
const record = '--record'
const isCi = process.env.CI === 'true' || process.env.CI === '1'
/** @type {readonly (keyof typeof tools)[]} */
const wanted = [
  'postgres',
  'redis',
  'chromium',
  'openssl',
  'faketime',
  'nginx',
  'caddy',
  'prometheus',
  'promtool',
  'systemd-analyze',
  'mariadb',
  'litellm',
]
/** Suites wait for timers, sockets and browsers as well as for the processor: two more than there are cores run, and others while these wait. */
const machine = { workers: availableParallelism() + 2, maxWorkers: 6 * availableParallelism() }
/**
 * A suite walks real browsers, databases and clocks beside three others. One that fails runs once more, alone, and is named as
 * unsteady when it then passes; more failures than these are a fault and no chance.
 */
const maxAgain = 4

/**
 * `npm test` runs unit tests, the check and every whole-system suite. `npm test -- unit` runs the unit tests, `npm test -- relay money` suites
 * by folder or name, `npm test -- smoke` the eight that tell most, and `npm test -- --changed[=commit]` what a change can reach, the check
 * included.
 * `npm test -- --record` runs everything and writes tests/suite-times.json. The last line is `N passed, N failed`.
 */
await runCommand(async () => {
  endWithNpm()
  const args = process.argv.slice(2)
  await prepare()
  const { builds, checks, suites, isComplete } = await chooseSteps(args)
  /** @type {Record<string, import('./times/suite-times.mjs').SuiteTime>} */
  const times = {}
  const { others } = await bring(suites)
  const steps = [
    ...checks(environment(), builds),
    ...suiteSteps(suites, builds, others),
    ...(isComplete ? [{ ...coverageStep(), mayBeUnsteady: true }] : []),
  ]
  const totals = await runSteps(steps, {
    show: 'all',
    ...machine,
    maxAgain,
    ended({ step, result, ms }) {
      if (suites.some(({ name }) => name === step.name))
        times[step.name] = { wall: inSeconds(ms), processor: inSeconds(result.processorMs ?? 0) }
    },
  })
  if (args[0] === record) writeSuiteTimes(times)
  const missing = await others
  await closeGuard()
  return report(totals, missing)
})

/** The tools that are there by now are in it. */
function environment() {
  return {
    ...suiteEnvironment(),
    // The pages of all suites write their calls here; the coverage step reads them at the end of a complete run.
    TOLLGATE_SENT_CALLS: join(guard().folder, 'sent-calls.txt'),
    TOLLGATE_TEST_PROGRAM: executable,
  }
}

/**
 * @typedef {object} Chosen
 * @property {readonly Step[]} builds that suites run
 * @property {(env: NodeJS.ProcessEnv, builds: readonly Step[]) => readonly Step[]} checks the builds among them
 * @property {readonly Suite[]} suites
 * @property {boolean} isComplete
 *
 * @param {readonly string[]} args
 * @returns {Promise<Chosen>}
 */
async function chooseSteps(args) {
  const map = readSuiteMap()
  const suites = allSuites(map)
  const unnamed = suites.filter(({ runsByName }) => !runsByName)
  const builds = buildSteps()
  if (args.length === 0 || (args.length === 1 && args[0] === record))
    return { builds, checks: completeSteps, suites: unnamed, isComplete: true }
  if (args.length === 1 && args[0] === unit)
    return { builds, checks: unitSteps, suites: [], isComplete: false }
  if (!args[0]?.startsWith('-'))
    return { builds, checks: () => builds, suites: suitesNamed(suites, args, map), isComplete: false }
  const files = await readChanges(changedOption('npm test', args))
  const reached = suitesReached(unnamed, map, files)
  /** @type {Chosen['checks']} */
  const checks = (env) => [...(reached.length === 0 ? [] : builds), ...changedSteps(env, files)]
  return { builds, checks, suites: reached, isComplete: false }
}

/**
 * The suites as steps, which start when the program is built; those for which more is brought when that has come, too.
 * @param {readonly Suite[]} suites
 * @param {readonly Step[]} builds
 * @param {Promise<unknown>} others what is brought beside them
 * @returns {readonly Step[]}
 */
function suiteSteps(suites, builds, others) {
  const isBringing = suites.some(({ brings }) => brings.length > 0)
  const tools = workStep('other programs are here', 'npm test', () => others.then(() => {}))
  return [
    ...(isBringing ? [tools] : []),
    ...suites.map((suite) => ({
      ...systemStep(suite, environment()),
      after: suite.brings.length > 0 ? [...builds, tools] : builds,
      mayBeUnsteady: true,
      // What was brought since is in its environment.
      run: () => systemStep(suite, environment()).run(),
    })),
  ]
}

/**
 * A suite in a process of its own.
 * @param {Suite} suite
 * @param {NodeJS.ProcessEnv} env
 */
function systemStep({ name, path, measures, runsByName }, env) {
  // Nobody waits for one that runs by name: it may fill tables of millions of rows.
  const minutes = runsByName ? 60 : 6
  const shared = measures ? env : { ...briefPrograms, ...env }
  const limits = { timeoutMs: minutes * 60_000, testTimeoutMs: 90_000, env: shared, alone: measures }
  return suiteStep(name, [`./${path}`], { ...limits, command: `npm test -- ${name}` })
}

/**
 * Brings all that Debian or a registry has for the suites, before the first of them runs: what installs beside them takes their processor
 * and their network, and they would wait for it. The check needs what Debian has; the others come beside it, for they wait for the network.
 * @param {readonly Suite[]} suites
 * @returns {Promise<{ others: Promise<readonly (keyof typeof tools)[]> }>} which resolves to what is missing
 */
async function bring(suites) {
  if (suites.length === 0) return { others: Promise.resolve([]) }
  const keys = new Set(suites.flatMap(({ brings }) => brings))
  const built = /** @type {(keyof typeof tools)[]} */ ([...keys].filter((key) => key in tools))
  const { bringOthers } = await installFromDebian([...wanted, ...built], say)
  const runtimes = keys.has('runtimes') ? bringRuntimes(say) : Promise.resolve()
  return { others: Promise.all([bringOthers(), runtimes]).then(([missing]) => missing) }
}

/** Holds what all pages called against the contract. */
function coverageStep() {
  return suiteStep('coverage', ['./tests/coverage'], {
    timeoutMs: 60_000,
    testTimeoutMs: 60_000,
    env: environment(),
    alone: true,
  })
}

/** @param {import('./steps/run-steps.mjs').Totals} totals @param {readonly (keyof typeof tools)[]} missing */
function report({ passed, failed, skipped, unsteady = [] }, missing) {
  // A run without them names them as not run and does not fail.
  const absent = notOurs.filter(({ variable }) => !existsSync(process.env[variable] ?? ''))
  const notRun = [
    ...missing.map((key) => `${tools[key].suites}: no ${tools[key].name} here (${sourceOf(key)})`),
    ...skipped.filter((name) => !absent.some(({ tests }) => name.includes(tests))),
  ]
  for (const name of unsteady) console.log(`unsteady: ${name} failed, and passed when it ran again alone`)
  for (const name of notRun) console.log(`not run: ${name}`)
  for (const { what, variable } of absent) console.log(`not run: ${what}: ${variable} names no folder`)
  const failures = failed + (isCi ? notRun.length : 0)
  console.log(`${passed} passed, ${failures} failed`)
  return failures === 0 ? 0 : 1
}

/** @param {string} doing */
function say(doing) {
  console.log(`tollgate: ${doing} …`)
}
