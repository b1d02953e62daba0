import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readReport } from './report.mjs'
import { root } from './root.mjs'
import { runGuarded } from './run.mjs'
import { bun } from './runtime.mjs'

/**
 * One thing that is checked: a tool that agrees or does not, or a run of `bun test` with tests of its own.
 * @typedef {object} Step
 * @property {string} name
 * @property {string} command as a person would type it to run this step alone
 * @property {() => Promise<StepResult>} run
 *
 * @typedef {import('./report.mjs').Tally & { output: string }} StepResult
 */

/** No tool takes this long unless it hangs. */
const toolTimeoutMs = 5 * 60_000

/**
 * A tool that says yes or no: counts as one test.
 * @param {string} name
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {Step}
 */
export function toolStep(name, program, args) {
  return {
    name,
    command: [program, ...args].join(' ').replaceAll(root, ''),
    async run() {
      const { code, output } = await runGuarded(program, args, { cwd: root, timeoutMs: toolTimeoutMs })
      return verdict(code === 0, output)
    },
  }
}

/**
 * Work of the house itself: counts as one test.
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
 * A run of `bun test`: counts as the tests it holds.
 * @param {string} name
 * @param {readonly string[]} paths
 * @param {{ timeoutMs: number, testTimeoutMs: number, env: NodeJS.ProcessEnv }} limits
 * @returns {Step}
 */
export function suiteStep(name, paths, { timeoutMs, testTimeoutMs, env }) {
  const args = ['test', `--timeout=${testTimeoutMs}`, ...paths]
  return {
    name,
    command: ['bun', ...args].join(' '),
    async run() {
      const folder = temporaryFolder()
      const report = join(folder, 'junit.xml')
      const reporting = ['--only-failures', '--reporter=junit', `--reporter-outfile=${report}`]
      const options = { cwd: root, env: { ...env, TMPDIR: folder }, timeoutMs }
      const outcome = await runGuarded(bun, [...args, ...reporting], options)
      const tally = readReport(outcome, report)
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
      return { ...tally, output: outcome.output }
    },
  }
}

/** What a suite leaves behind goes with this folder; the user that PostgreSQL runs as may pass through it. */
function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-suite-'))
  chmodSync(folder, 0o711)
  return folder
}

/**
 * Runs the steps one after the other, a line for each, and goes on after a failure.
 * @param {readonly Step[]} steps
 * @param {{ show: 'first' | 'all' }} options whose output is printed: the first failure's only, or every failure's
 */
export async function runSteps(steps, { show }) {
  const total = { passed: 0, failed: 0, skipped: /** @type {string[]} */ ([]) }
  for (const step of steps) {
    const start = performance.now()
    const result = await step.run()
    const isFirst = total.failed === 0
    total.passed += result.passed
    total.failed += result.failed
    total.skipped.push(...result.skipped)
    console.log(lineFor(step, result, performance.now() - start))
    if (result.failed > 0)
      console.log(isFirst || show === 'all' ? indent(result.output) : `    run alone: ${step.command}`)
  }
  return total
}

/** @param {Step} step @param {StepResult} result @param {number} ms */
function lineFor(step, { passed, failed }, ms) {
  const mark = failed === 0 ? '✓' : '✗'
  const counts = passed + failed === 1 ? '' : `${passed} passed${failed === 0 ? '' : `, ${failed} failed`}`
  return `${mark} ${step.name.padEnd(46)} ${counts.padStart(23)} ${(ms / 1000).toFixed(1).padStart(7)} s`
}

/** @param {string} text */
function indent(text) {
  return text.trimEnd().replace(/^/gm, '    ')
}
