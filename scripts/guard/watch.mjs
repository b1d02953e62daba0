import { constants } from 'node:os'
import { closeGuard, guard } from './guard.mjs'
import { lineage } from './processes.mjs'

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/** How soon the end of npm is noticed. */
const lineageCheckMs = 250

let watched = 0
let hasStopped = false
/** @type {NodeJS.Timeout | undefined} */
let lineageCheck

/** Whether this process is about to leave: it starts nothing more, and tells of nothing that ends now. */
export const isStopping = () => hasStopped

/**
 * Has a child end with this process, however this one ends, and ends all of them in order on a signal or with npm.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} to call when it has ended
 */
export function watchOver({ pid }) {
  if (pid === undefined) return () => {}
  guard().add(pid)
  watched += 1
  if (watched === 1) listen()
  return () => {
    if (hasStopped) return
    guard().remove(pid)
    watched -= 1
    if (watched === 0) silence()
  }
}

function listen() {
  for (const signal of signals) process.on(signal, stop)
  // npm ends on a signal, but passes it to the shell in between and not to what it runs: its end is the sign.
  if (process.env.npm_lifecycle_event === undefined) return
  const above = lineage().join()
  lineageCheck = setInterval(() => lineage().join() === above || stop('SIGHUP'), lineageCheckMs)
  lineageCheck.unref()
}

function silence() {
  for (const signal of signals) process.off(signal, stop)
  clearInterval(lineageCheck)
}

/** A second signal does not wait for what ends. @param {NodeJS.Signals} signal */
function stop(signal) {
  const leave = () => process.exit(128 + constants.signals[signal])
  if (hasStopped) leave()
  hasStopped = true
  clearInterval(lineageCheck)
  void closeGuard().then(leave)
}
