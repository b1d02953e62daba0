import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'

/** A fixed piece of work, and how long an idle core of the machines takes for it on which the limits of the tests were written. */
const rounds = 8_000_000
const referenceMs = 25

/** A machine that is slower than this by load passes no run, and a test that hangs has to end some day. */
const maxSlowness = 10

/**
 * Factor of a limit that is taken for the life of a test: load comes later too. It only ends what hangs, so that nothing
 * waits for it where all is well.
 */
const reserve = 3

/** Time for which a measurement stands. */
const freshMs = 5000

/** @type {{ slowness: number, at: number } | undefined} */
let last

/**
 * Returns how many times longer things take here and now than on an idle machine of reference; at least 1. Measured by a fixed piece of work, which
 * waits for the processor as everything does, and by the load of the last minute, which tells of a burst that is over.
 */
export function slowness() {
  const now = performance.now()
  if (last === undefined || now - last.at > freshMs) last = { slowness: measure(), at: now }
  return last.slowness
}

function measure() {
  const load = (loadavg()[0] ?? 0) / availableParallelism()
  return Math.min(maxSlowness, Math.max(1, load, workMs() / referenceMs))
}

function workMs() {
  const startedAt = performance.now()
  let state = 1
  for (let round = 0; round < rounds; round += 1) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
  }
  // Never true: it keeps the loop from being dropped.
  return state === 0 ? 0 : performance.now() - startedAt
}

/**
 * A limit that another program holds, such as the test runner or a browser: long enough for this machine as it is now, and in reserve for
 * load that comes later.
 * @param {number} ms what an idle machine may take
 */
export function deadline(ms) {
  return Math.ceil(ms * reserve * slowness())
}

/**
 * A limit that begins now. It measures again before it is over, and is extended as the machine is slow, or as threads waited for its cores
 * on average of all looks: a burst of load is over when the limit is, and has cost its time.
 * @param {number} ms what an idle machine may take
 * @param {() => number} measureNow
 * @param {() => number} lookAtQueue threads that run or wait, for each core
 * @param {() => number} now milliseconds of a clock that only goes forward
 * @returns {{ remainingMs: () => number, extent: () => number }} 0 or less when it is over; the extent is a factor
 */
export function startDeadline(
  ms,
  measureNow = slowness,
  lookAtQueue = queuePerCore,
  now = () => performance.now(),
) {
  const startedAt = now()
  let [extent, looks, queued] = [1, 0, 0]
  return {
    remainingMs() {
      const elapsed = now() - startedAt
      looks += 1
      queued += lookAtQueue()
      if (elapsed >= ms * extent)
        extent = Math.max(extent, measureNow(), Math.min(maxSlowness, queued / looks))
      return ms * extent - elapsed
    },
    extent: () => extent,
  }
}

/** Returns how many threads run or wait for each core now; 0 on systems that do not say. */
function queuePerCore() {
  if (process.platform !== 'linux') return 0
  const [, running = '0'] = / (\d+)\//.exec(readFileSync('/proc/loadavg', 'latin1')) ?? []
  return Number(running) / availableParallelism()
}

/**
 * Calls `act` when a limit that begins now is over.
 * @param {number} ms what an idle machine may take
 * @param {() => void} act
 * @returns {() => void} takes it back
 */
export function afterDeadline(ms, act) {
  const limit = startDeadline(ms)
  const look = () => {
    const remaining = limit.remainingMs()
    if (remaining <= 0) act()
    else timer = setTimeout(look, remaining)
  }
  let timer = setTimeout(look, ms)
  return () => clearTimeout(timer)
}
