import { availableParallelism, cpus, freemem } from 'node:os'
import { inspect } from 'node:util'

/**
 * @typedef {import('./steps.mjs').Step} Step
 * @typedef {import('./steps.mjs').StepResult} StepResult
 * @typedef {{ step: Step, result: StepResult, ms: number }} Finished
 * @typedef {{ passed: number, failed: number, skipped: string[], unsteady?: string[] }} Totals `unsteady` names the steps that
 *   failed and passed when they ran again
 */

/**
 * Runs the steps and prints a line for each. Steps run side by side, one for each worker, started in their order as soon as the steps that
 * they come after have ended: one more for each look that finds cores idle, up to `maxWorkers`, and one less for each that finds none.
 * Steps that must run alone follow, one after the other. Goes on after a failure.
 * @param {readonly Step[]} steps
 * @param {{ show: 'first' | 'all', print?: (text: string) => void, workers?: number, maxWorkers?: number, maxAgain?: number,
 *   ended?: (finished: Finished) => void, idleCores?: () => number, lookMs?: number }} options
 *   `first` prints the lines together at the end of the steps that share the machine, failures first, with the output of the
 *   first failure; `all` prints each line as its step ends, with the output of every failure. Where at most `maxAgain` steps
 *   failed (0 by default) that may be unsteady, each of these runs again at the end, alone, and its second result counts
 * @returns {Promise<Totals>}
 */
export async function runSteps(steps, options) {
  const { show, print = console.log, maxAgain = 0 } = options
  const { workers = availableParallelism(), maxWorkers = workers } = options
  const { idleCores = createIdleMeter(), lookMs = 1000 } = options
  /** @type {Totals} */
  const totals = { passed: 0, failed: 0, skipped: [] }
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
    options.ended?.(finished)
    print(lineFor(step, result, ms))
    if (result.failed === 0 && result.figures !== undefined) print(indent(result.figures))
    if (result.failed > 0)
      print(isFirst || show === 'all' ? indent(result.output) : `    run alone: ${step.command}`)
  }
  const ended = show === 'all' ? report : () => {}
  const finished = await runSideBySide(
    steps.filter(isShareable),
    { workers, maxWorkers, idleCores, lookMs },
    ended,
  )
  if (show === 'first') for (const one of failuresFirst(finished)) report(one)
  for (const step of steps) if (!isShareable(step)) report(await runOne(step))
  const unsteady = failures.filter(({ step }) => step.mayBeUnsteady)
  if (unsteady.length > maxAgain) return totals
  for (const failure of unsteady) {
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
 * @param {readonly Step[]} steps @param {{ workers: number, maxWorkers: number, idleCores: () => number, lookMs: number }} machine
 * @param {(finished: Finished) => void} ended
 * @returns {Promise<Finished[]>} in the order of the steps
 */
async function runSideBySide(steps, { workers, maxWorkers, idleCores, lookMs }, ended) {
  /** @type {Finished[]} */
  const finished = []
  const waiting = [...steps.entries()]
  /** @type {Map<Step, Promise<void>>} */
  const running = new Map()
  const isAhead = (/** @type {Step} */ step) =>
    running.has(step) || waiting.some(([, other]) => other === step)
  /** Starts the first step that comes after none which is still ahead; false where there is none. */
  const startNext = () => {
    const index = waiting.findIndex(([, { after = [] }]) => !after.some(isAhead))
    const [[position, step] = []] = index < 0 ? [] : waiting.splice(index, 1)
    if (position === undefined || step === undefined) return false
    const run = async () => {
      const one = await runOne(step)
      finished[position] = one
      running.delete(step)
      ended(one)
    }
    running.set(step, run())
    return true
  }
  let wanted = workers
  const fill = () => {
    while (running.size < wanted && startNext());
  }
  const looking = setInterval(() => {
    const cores = idleCores()
    if (cores >= neededCores) wanted = Math.min(wanted + 1, maxWorkers)
    else if (cores < fewCores) wanted = Math.max(wanted - 1, workers)
    fill()
  }, lookMs)
  for (fill(); running.size > 0; fill()) await Promise.race(running.values())
  clearInterval(looking)
  return finished
}

/** Idle cores from which on one more step runs, and below which one less does. */
const [neededCores, fewCores] = [0.4, 0.1]
/** Memory that one more step finds free: a suite with a fleet or a browser takes a gigabyte. */
const neededBytes = 1.5 * 2 ** 30

/** Returns a function that returns how many cores of this machine were idle since its last call; none where memory is short. */
function createIdleMeter() {
  let last = coreTimes()
  return () => {
    const now = coreTimes()
    const [idle, all] = [now.idle - last.idle, now.all - last.all]
    last = now
    return all === 0 || freemem() < neededBytes ? 0 : (idle / all) * cpus().length
  }
}

/** Sums what all cores did since the machine started, in milliseconds. */
function coreTimes() {
  const all = cpus().flatMap(({ times }) => Object.values(times))
  const idle = cpus().map(({ times }) => times.idle)
  return { idle: sumOf(idle), all: sumOf(all) }
}

/** @param {readonly number[]} numbers */
const sumOf = (numbers) => numbers.reduce((sum, each) => sum + each, 0)

/** A step that cannot run, because the disk is full for example, counts as one failure. @param {Step} step @returns {Promise<Finished>} */
async function runOne(step) {
  const start = performance.now()
  const result = await step
    .run()
    .catch((error) => ({ passed: 0, failed: 1, skipped: [], output: inspect(error) }))
  return { step, result, ms: performance.now() - start }
}

/** @param {Step} step @param {StepResult} result @param {number} ms */
function lineFor(step, { passed, failed, processorMs }, ms) {
  const mark = failed === 0 ? '✓' : '✗'
  const counts = passed + failed === 1 ? '' : `${passed} passed${failed === 0 ? '' : `, ${failed} failed`}`
  const processor =
    processorMs === undefined ? '' : `, ${inSeconds(processorMs).padStart(5)} s of the processor`
  return `${mark} ${step.name.padEnd(46)} ${counts.padStart(23)} ${inSeconds(ms).padStart(7)} s${processor}`
}

/** @param {number} ms */
function inSeconds(ms) {
  return (ms / 1000).toFixed(1)
}

/** @param {string} text */
function indent(text) {
  return text.trimEnd().replace(/^/gm, '    ')
}
