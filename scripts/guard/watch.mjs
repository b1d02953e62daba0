import { constants } from 'node:os'
import { closeGuard, guard } from './guard.mjs'
import { lineage } from './processes.mjs'

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/** Time after which the end of npm is noticed. */
const lineageCheckMs = 250

let watched = 0
let hasStopped = false

/** Returns whether this process is about to leave: it starts nothing more, and tells of nothing that ends now. */
export const isStopping = () => hasStopped

/**
 * Has a child end with this process, however this one ends: after SIGINT, SIGTERM or SIGHUP this one leaves when all of them have ended.
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
}

function silence() {
  for (const signal of signals) process.off(signal, stop)
}

/** Has this command end with the npm that runs it, whatever ends that. npm may pass a signal on, and cannot when it is killed. */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const above = lineage()
  const check = () => {
    if (above.length > 0 && lineage().join() === above.join()) return
    clearInterval(watching)
    stop('SIGHUP')
  }
  const watching = setInterval(check, lineageCheckMs)
  watching.unref()
}

/** A second signal does not wait for what ends. @param {NodeJS.Signals} signal */
function stop(signal) {
  const leave = () => process.exit(128 + constants.signals[signal])
  if (hasStopped) leave()
  hasStopped = true
  process.stderr.write('tollgate: ending what this command has started …\n')
  void closeGuard().then(leave)
}
