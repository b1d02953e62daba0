import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * @typedef {object} Outcome
 * @property {number} code 128 plus the signal's number when a signal ended it, 127 when it could not be started
 * @property {string} output stdout and stderr as they came
 * @property {boolean} timedOut
 */

/**
 * Runs a program to its end and keeps what it printed.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<Outcome>}
 */
export function run(program, args, { cwd, env = process.env } = {}) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = collectOutput(child)
  return new Promise((done) => {
    child.on('error', (error) => done({ code: 127, output: error.message, timedOut: false }))
    child.on('close', (code, signal) =>
      done({ code: exitCodeOf(code, signal), output: output(), timedOut: false }),
    )
  })
}

/** How long what a program printed last may take to arrive after its end. */
const drainMs = 1000

/**
 * Like `run`, for suites that start servers of their own: the program leads a process group, and whatever is left of
 * the group when it ends, when its time is over or when this process receives a signal to stop, is killed.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs: number }} options
 * @returns {Promise<Outcome>}
 */
export function runGuarded(program, args, { cwd, env = process.env, timeoutMs }) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const output = collectOutput(child)
  const stopWatching = killGroupOnStop(child)
  let timedOut = false
  let timer = setTimeout(() => {
    timedOut = true
    killGroup(child)
  }, timeoutMs)
  // A server that outlives its suite holds the pipes open: it is killed instead of waited for.
  child.on('exit', () => {
    clearTimeout(timer)
    timer = setTimeout(() => killGroup(child), drainMs)
  })
  return new Promise((done) => {
    /** @param {number} code @param {string} [note] */
    const finish = (code, note = '') => {
      clearTimeout(timer)
      stopWatching()
      const late = timedOut ? `\ntook longer than ${timeoutMs / 1000} s and was ended\n` : ''
      done({ code, output: output() + note + late, timedOut })
    }
    child.on('error', (error) => finish(127, error.message))
    child.on('close', (code, signal) => {
      killGroup(child)
      finish(exitCodeOf(code, signal))
    })
  })
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export function exitCodeOf(code, signal) {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}

/** @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child */
function collectOutput(child) {
  /** @type {Buffer[]} */
  const chunks = []
  child.stdout.on('data', (chunk) => chunks.push(chunk))
  child.stderr.on('data', (chunk) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}

/** @param {import('node:child_process').ChildProcess} child */
function killGroup(child) {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group is gone already, which is what was wanted.
  }
}

/**
 * A group of its own does not receive the terminal's Ctrl-C, so this process ends it.
 * @param {import('node:child_process').ChildProcess} child
 */
function killGroupOnStop(child) {
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    killGroup(child)
    process.exit(exitCodeOf(null, signal))
  }
  for (const signal of signals) process.on(signal, stop)
  return () => {
    for (const signal of signals) process.off(signal, stop)
  }
}
