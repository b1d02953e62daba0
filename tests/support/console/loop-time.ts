import { readFileSync } from 'node:fs'

/** Cost of a read of the console for the event loop of the gateway, in milliseconds of processor time. */
export interface LoopTime {
  /** Sum of its work there. */
  readonly sumMs: number
  /** Length of the longest piece, for which every other call waited. */
  readonly heldMs: number
}

const nanosecondsPerMs = 1e6
const pauseMs = 1

/**
 * Processor time of the thread that runs a process' event loop. Other programs on the machine do not lengthen it, as they do the
 * time until a response.
 */
function loopMs(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / nanosecondsPerMs
}

/**
 * Reads alone, for the sum, and again beside small calls: see `loopTimeBesideCalls`.
 * @param read receives its response to the end
 */
export async function loopTimeOf(gateway: Measured, read: () => Promise<void>): Promise<LoopTime> {
  const before = loopMs(gateway.pid)
  await read()
  const sumMs = loopMs(gateway.pid) - before
  const { heldMs } = await loopTimeBesideCalls(gateway, read)
  return { sumMs, heldMs }
}

interface Measured {
  readonly pid: number
  readonly url: string
}

/**
 * Reads while a small call is made again and again: no call waits for more than one piece of work. The sum has the time of these calls, too,
 * so a read that is within its limits here is within them alone.
 * @param read receives its response to the end
 */
export async function loopTimeBesideCalls(
  { pid, url }: Measured,
  read: () => Promise<void>,
): Promise<LoopTime> {
  let isReading = true
  let heldMs = 0
  const before = loopMs(pid)
  const callers = (async () => {
    while (isReading) {
      const start = loopMs(pid)
      await (await fetch(`${url}/api/setup`)).arrayBuffer()
      heldMs = Math.max(heldMs, loopMs(pid) - start)
      await Bun.sleep(pauseMs)
    }
  })()
  await read().finally(() => {
    isReading = false
  })
  await callers
  return { sumMs: loopMs(pid) - before, heldMs }
}
