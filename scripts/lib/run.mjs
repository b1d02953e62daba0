import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { afterDeadline } from '../deadline/deadline.mjs'
import { endProcesses } from '../guard/end-processes.mjs'
import { isStopping, watchOver } from '../guard/watch.mjs'
import { measured, processorMsIn } from '../times/processor-time.mjs'

/**
 * @typedef {object} Outcome
 * @property {number} code 128 plus the signal's number when a signal ended it, 127 when it could not be started
 * @property {string} output stdout and stderr as they came
 * @property {boolean} timedOut
 * @property {number | undefined} [processorMs] of it and of all that it waited for, where it was measured
 */

/**
 * Runs a program to its end and keeps what it printed. It ends with this process, however this one ends.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<Outcome>}
 */
export function run(program, args, { cwd, env = process.env } = {}) {
  if (isStopping()) return never
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = collectOutput(child)
  return outcomeOf(child, (code, note = '') => ({ code, output: output() + note, timedOut: false }))
}

/** Runs a program in the terminal of this one. @param {string} program @param {readonly string[]} args @returns {Promise<number>} its exit code */
export function runInTerminal(program, args) {
  return outcomeOf(spawn(program, args, { stdio: 'inherit' }), (code) => code)
}

/** Time in which the last output of a program arrives after its end. */
const drainMs = 1000

/**
 * Like `run`, for suites that start servers of their own: the program leads a session, and whatever is left of its work when it ends or
 * when its time is over ends too.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs: number, folder?: string }} options `timeoutMs` is what an idle machine
 *   may take, `folder` holds its temporary files
 * @returns {Promise<Outcome>}
 */
export function runGuarded(program, args, { cwd, env = process.env, timeoutMs, folder }) {
  if (isStopping()) return never
  const [measuring, provided] = measured(program, args)
  const child = spawn(measuring, provided, {
    cwd,
    env: folder === undefined ? env : { ...env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const output = collectOutput(child)
  const times = collectOutput(child, [3])
  const work = { leaders: [child.pid ?? 0], ...(folder !== undefined && { folder }) }
  const endWork = () => (child.pid === undefined || isStopping() ? Promise.resolve() : endProcesses(work))
  let timedOut = false
  let release = afterDeadline(timeoutMs, () => {
    timedOut = true
    void endWork()
  })
  // A server that outlives its suite holds the pipes open: it is ended instead of waited for.
  child.on('exit', () => {
    release()
    const drain = setTimeout(endWork, drainMs)
    release = () => clearTimeout(drain)
  })
  return outcomeOf(child, async (code, note = '') => {
    release()
    await endWork()
    const late = timedOut ? `\ntook longer than ${timeoutMs / 1000} s and was ended\n` : ''
    return { code, output: output() + note + late, timedOut, processorMs: processorMsIn(times()) }
  })
}

/** The result of a command that is being stopped: it hears of nothing more. @type {Promise<never>} */
const never = new Promise(() => {})

/**
 * Waits for the end of a child.
 * @template Result
 * @param {import('node:child_process').ChildProcess} child
 * @param {(code: number, note?: string) => Result | Promise<Result>} resultOf
 * @returns {Promise<Result>}
 */
function outcomeOf(child, resultOf) {
  const release = watchOver(child)
  return new Promise((done) => {
    /** @param {number} code @param {string} [note] */
    const finish = async (code, note) => {
      const result = await resultOf(code, note)
      release()
      if (!isStopping()) done(result)
    }
    child.on('error', (error) => finish(127, error.message))
    child.on('close', (code, signal) => finish(exitCodeOf(code, signal)))
  })
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export function exitCodeOf(code, signal) {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}

/** @param {import('node:child_process').ChildProcess} child @param {readonly number[]} descriptors that it writes to */
function collectOutput({ stdio }, descriptors = [1, 2]) {
  /** @type {Buffer[]} */
  const chunks = []
  for (const descriptor of descriptors) stdio[descriptor]?.on('data', (chunk) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}
