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
 * Reads twice: once alone, for the sum, and once while a small call is made again and again: no call waits for more than one piece
 * of work.
 * @param read receives its response to the end
 */
export async function loopTimeOf(
  { pid, url }: { readonly pid: number; readonly url: string },
  read: () => Promise<void>,
): Promise<LoopTime> {
  const before = loopMs(pid)
  await read()
  const sumMs = loopMs(pid) - before
  let isReading = true
  let heldMs = 0
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
  return { sumMs, heldMs }
}
