import { spawn } from 'node:child_process'
import { CommandError } from './command-error.mjs'
import { exitCodeOf } from './run.mjs'

/**
 * Variables that the runtime reads when it starts, unless the environment has them. Its own limit of 256 upstream requests at once is far below
 * what a gateway carries. Memory that a call frees stays for the next ones for a second, in milliseconds: the system takes a seventh of
 * the processor time of a call with 2 MB to take it back and to clear it again.
 */
export const runtimeVariables = { BUN_CONFIG_MAX_HTTP_REQUESTS: '65535', MIMALLOC_PURGE_DELAY: '1000' }

/** Time after which the end of npm is noticed. */
const parentCheckMs = 250

/**
 * Runs the server in the caller's folder and terminal until it ends, and passes signals on. Should this process be killed outright, the
 * server goes with it instead of keeping the port.
 * @param {string} bun
 * @param {string} program
 * @param {readonly string[]} provided arguments
 * @returns {Promise<number>} the exit code
 */
export function launch(bun, program, provided) {
  const env = { ...runtimeVariables, ...process.env }
  const child = spawn(bun, ['--no-orphans', program, ...provided], { stdio: 'inherit', env })
  passSignalsTo(child)
  return new Promise((done, fail) => {
    child.on('error', (error) => fail(new CommandError(`Bun could not be started: ${error.message}`)))
    child.on('close', (code, signal) => done(exitCodeOf(code, signal)))
  })
}

/** @param {import('node:child_process').ChildProcess} child */
function passSignalsTo(child) {
  let isForwarded = false
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    isForwarded = true
    child.kill(signal)
  }
  process.on('SIGTERM', forward)
  process.on('SIGHUP', forward)
  // A terminal sends Ctrl-C to the server too, and a second one would read as "at once".
  process.on('SIGINT', (signal) => process.stdin.isTTY || forward(signal))
  if (process.env.npm_lifecycle_event !== undefined) watchParent(() => isForwarded || forward('SIGTERM'))
}

/**
 * npm ends on a signal, but passes it to the shell in between and not to us: its end is the sign.
 * @param {() => void} gone
 */
function watchParent(gone) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    gone()
  }, parentCheckMs)
  watch.unref()
}
