import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deadline } from '../deadline/deadline.mjs'
import { guard } from '../guard/guard.mjs'
import { at, root } from '../lib/root.mjs'
import { runGuarded } from '../lib/run.mjs'
import { bun } from '../lib/runtime.mjs'
import { browserMsIn } from '../times/processor-time.mjs'
import { readReport } from './report.mjs'

/**
 * One thing that is checked: a tool that agrees or does not, or a run of `bun test` with tests of its own.
 * @typedef {object} Step
 * @property {string} name
 * @property {string} command as a person would type it to run this step alone
 * @property {() => Promise<StepResult>} run
 * @property {boolean} [alone] nothing may run beside it: it measures time or memory, or takes the machine for itself
 * @property {readonly Step[]} [after] steps that have to end before it starts, such as the builds that it runs
 * @property {boolean} [mayBeUnsteady] a failure may be chance, so that it may run again
 *
 * @typedef {import('./report.mjs').Tally & { output: string, figures?: string, processorMs?: number | undefined }} StepResult `figures` are
 *   printed when it passes
 */

/** No tool takes this long unless it hangs. */
const toolTimeoutMs = 5 * 60_000

/**
 * A tool that says yes or no: counts as one test.
 * @param {string} name
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ hasFigures?: boolean }} options `hasFigures`: the last line that it prints is worth reading when it agrees, too
 * @returns {Step}
 */
export function toolStep(name, program, args, { hasFigures = false } = {}) {
  return {
    name,
    command: [program, ...args].join(' ').replaceAll(root, ''),
    async run() {
      const outcome = await runGuarded(program, args, { cwd: root, timeoutMs: toolTimeoutMs })
      const { code, output, processorMs } = outcome
      const figures = output.trimEnd().split('\n').at(-1) ?? ''
      return { ...verdict(code === 0, output), ...(hasFigures && { figures }), processorMs }
    },
  }
}

/**
 * Work of these scripts: counts as one test.
 * @param {string} name
 * @param {string} command
 * @param {() => Promise<void>} work throws when it cannot be done
 * @returns {Step}
 */
export function workStep(name, command, work) {
  return {
    name,
    command,
    run: () =>
      work().then(
        () => verdict(true, ''),
        (error) => verdict(false, error instanceof Error ? error.message : String(error)),
      ),
  }
}

/**
 * @param {boolean} agrees
 * @param {string} output
 * @returns {StepResult}
 */
function verdict(agrees, output) {
  return { passed: agrees ? 1 : 0, failed: agrees ? 0 : 1, skipped: [], output }
}

/**
 * @typedef {object} SuiteLimits
 * @property {number} timeoutMs of the complete run on an idle machine
 * @property {number} testTimeoutMs of one test on an idle machine
 * @property {NodeJS.ProcessEnv} env
 * @property {number} [workers] processes that share the files; one by default
 * @property {boolean} [alone]
 * @property {string} [command] as a person would type it, when there are too many paths to type
 *
 * A run of `bun test`: counts as the tests it holds.
 * @param {string} name
 * @param {readonly string[]} paths
 * @param {SuiteLimits} limits
 * @returns {Step}
 */
export function suiteStep(name, paths, limits) {
  const { timeoutMs, testTimeoutMs, env, workers = 1, alone = false } = limits
  const sharing = workers > 1 ? sharedBy(workers, name) : []
  const args = [...sharing, ...paths]
  const command = limits.command ?? ['bun', 'test', ...args].join(' ')
  return {
    name,
    alone,
    command,
    async run() {
      const folder = temporaryFolder()
      const report = join(folder, 'junit.xml')
      const reporting = ['--only-failures', '--reporter=junit', `--reporter-outfile=${report}`]
      const options = { cwd: root, env, timeoutMs, folder }
      const outcome = await runGuarded(
        bun,
        ['test', `--timeout=${deadline(testTimeoutMs)}`, ...args, ...reporting],
        options,
      )
      const tally = readReport(outcome, report)
      const processorMs = outcome.processorMs && outcome.processorMs + browserMsIn(folder)
      removeFolder(folder)
      const output = `${outcome.output}${tally.fault === undefined ? '' : `\n${tally.fault}\n`}`
      return { ...tally, output, processorMs }
    },
  }
}

/**
 * Files that run in one process share what they load, which saves a third of the processor time. Those that took longest
 * the last time start first.
 * @param {number} workers @param {string} name of the step
 */
function sharedBy(workers, name) {
  const timings = at('node_modules', '.tollgate', `timings-of-${name.replaceAll(' ', '-')}.json`)
  return [`--parallel=${workers}`, '--no-isolate', `--timings=${timings}`, '--update-timings']
}

/** A browser that ends may still write there: what stays says nothing about the suite. @param {string} folder */
function removeFolder(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  } catch {}
}

/** Makes the folder with which all that a suite leaves behind goes; the user that PostgreSQL runs as may pass through it. */
function temporaryFolder() {
  const folder = mkdtempSync(join(guard().folder, 'suite-'))
  chmodSync(folder, 0o711)
  return folder
}
