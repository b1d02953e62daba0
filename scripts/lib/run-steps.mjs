import { availableParallelism } from 'node:os'

/**
 * @typedef {import('./steps.mjs').Step} Step
 * @typedef {import('./steps.mjs').StepResult} StepResult
 * @typedef {{ step: Step, result: StepResult, ms: number }} Finished
 * @typedef {{ passed: number, failed: number, skipped: string[] }} Totals
 */

/**
 * Runs the steps and prints a line for each. Steps run side by side, one for each core, started in their order; their
 * lines are printed together, those that failed first, else in their order. Steps that must run alone follow, one after
 * the other, each with its line as it ends. Goes on after a failure.
 * @param {readonly Step[]} steps
 * @param {{ show: 'first' | 'all', print?: (text: string) => void, lanes?: number }} options whose output is printed: the
 *   first failure's only, or every failure's
 * @returns {Promise<Totals>}
 */
export async function runSteps(steps, { show, print = console.log, lanes = availableParallelism() }) {
  /** @type {Totals} */
  const totals = { passed: 0, failed: 0, skipped: [] }
  /** @param {Finished} finished */
  const report = ({ step, result, ms }) => {
    const isFirst = totals.failed === 0
    totals.passed += result.passed
    totals.failed += result.failed
    totals.skipped.push(...result.skipped)
    print(lineFor(step, result, ms))
    if (result.failed > 0)
      print(isFirst || show === 'all' ? indent(result.output) : `    run alone: ${step.command}`)
  }
  for (const finished of failuresFirst(await runSideBySide(steps.filter(isShareable), lanes)))
    report(finished)
  for (const step of steps) if (!isShareable(step)) report(await runOne(step))
  return totals
}

/** @param {Step} step */
const isShareable = (step) => step.alone !== true

/** @param {readonly Finished[]} all */
function failuresFirst(all) {
  const hasFailed = (/** @type {Finished} */ { result }) => result.failed > 0
  return [...all.filter(hasFailed), ...all.filter((finished) => !hasFailed(finished))]
}

/**
 * Answers in the order of the steps, whichever ends first.
 * @param {readonly Step[]} steps @param {number} lanes
 * @returns {Promise<Finished[]>}
 */
async function runSideBySide(steps, lanes) {
  /** @type {Finished[]} */
  const finished = []
  const waiting = steps.entries()
  const lane = async () => {
    for (const [place, step] of waiting) finished[place] = await runOne(step)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return finished
}

/** @param {Step} step @returns {Promise<Finished>} */
async function runOne(step) {
  const start = performance.now()
  const result = await step.run()
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
