import { availableParallelism } from 'node:os'
import { inspect } from 'node:util'

/**
 * @typedef {import('./steps.mjs').Step} Step
 * @typedef {import('./steps.mjs').StepResult} StepResult
 * @typedef {{ step: Step, result: StepResult, ms: number }} Finished
 * @typedef {{ passed: number, failed: number, skipped: string[], unsteady?: string[] }} Totals `unsteady` names the steps that
 *   failed and passed when they ran again
 */

/**
 * Runs the steps and prints a line for each. Steps run side by side, one for each worker, started in their order. Steps that
 * must run alone follow, one after the other. Goes on after a failure.
 * @param {readonly Step[]} steps
 * @param {{ show: 'first' | 'all', print?: (text: string) => void, workers?: number, totals?: Totals, maxAgain?: number }} options
 *   `first` prints the lines together at the end of the steps that share the machine, failures first, with the output of the
 *   first failure; `all` prints each line as its step ends, with the output of every failure. `totals` continues a run. Where at
 *   most `maxAgain` steps failed (0 by default), each runs again at the end, alone, and its second result counts
 * @returns {Promise<Totals>}
 */
export async function runSteps(steps, options) {
  const { show, print = console.log, workers = availableParallelism(), maxAgain = 0 } = options
  const { totals = { passed: 0, failed: 0, skipped: [] } } = options
  /** @type {Finished[]} */
  const failures = []
  /** @param {Finished} finished */
  const report = (finished) => {
    const { step, result, ms } = finished
    if (result.failed > 0) failures.push(finished)
    const isFirst = totals.failed === 0
    totals.passed += result.passed
    totals.failed += result.failed
    totals.skipped.push(...result.skipped)
    print(lineFor(step, result, ms))
    if (result.failed === 0 && result.figures !== undefined) print(indent(result.figures))
    if (result.failed > 0)
      print(isFirst || show === 'all' ? indent(result.output) : `    run alone: ${step.command}`)
  }
  const ended = show === 'all' ? report : () => {}
  const finished = await runSideBySide(steps.filter(isShareable), workers, ended)
  if (show === 'first') for (const one of failuresFirst(finished)) report(one)
  for (const step of steps) if (!isShareable(step)) report(await runOne(step))
  if (failures.length > maxAgain) return totals
  for (const failure of [...failures]) {
    print(`runs again, alone: ${failure.step.name}`)
    const second = await runOne(failure.step)
    takeBack(totals, failure.result)
    report(second)
    if (second.result.failed === 0) totals.unsteady = [...(totals.unsteady ?? []), failure.step.name]
  }
  return totals
}

/** Leaves out of the totals what a step reported that runs again. @param {Totals} totals @param {StepResult} result */
function takeBack(totals, { passed, failed, skipped }) {
  totals.passed -= passed
  totals.failed -= failed
  totals.skipped = totals.skipped.filter((name) => !skipped.includes(name))
}

/** @param {Step} step */
const isShareable = (step) => step.alone !== true

/** @param {readonly Finished[]} all */
function failuresFirst(all) {
  const hasFailed = (/** @type {Finished} */ { result }) => result.failed > 0
  return [...all.filter(hasFailed), ...all.filter((finished) => !hasFailed(finished))]
}

/**
 * @param {readonly Step[]} steps @param {number} workers @param {(finished: Finished) => void} ended
 * @returns {Promise<Finished[]>} in the order of the steps
 */
async function runSideBySide(steps, workers, ended) {
  /** @type {Finished[]} */
  const finished = []
  const waiting = steps.entries()
  const work = async () => {
    for (const [position, step] of waiting) {
      const one = await runOne(step)
      finished[position] = one
      ended(one)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return finished
}

/** A step that cannot run, because the disk is full for example, counts as one failure. @param {Step} step @returns {Promise<Finished>} */
async function runOne(step) {
  const start = performance.now()
  const result = await step
    .run()
    .catch((error) => ({ passed: 0, failed: 1, skipped: [], output: inspect(error) }))
  return { step, result, ms: performance.now() - start }
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
