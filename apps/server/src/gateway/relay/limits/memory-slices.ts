import { getOrInsert } from '@tollgate/base'
import { countInView, WindowCounter } from '../../../lib/window-counter.ts'
import { currentWindow, type Slice, type SliceRequest, type SliceStore } from './slice-store.ts'

const maxKeys = 100_000

/**
 * Counts of one node while no store of the fleet responds: it grants its part of each limit.
 * @param nowMs milliseconds of the Unix epoch, in which the stores number their windows
 * @param nodes nodes of the fleet when they were last known
 */
export function createMemorySlices(nowMs: () => number, nodes: () => number): SliceStore {
  const counters = new Map<string, WindowCounter>()

  function counterOf({ key, windowMs, held }: SliceRequest, now: number): WindowCounter {
    const [oldest] = counters.keys()
    if (counters.size >= maxKeys && oldest !== undefined) counters.delete(oldest)
    const counter = getOrInsert(counters, key, () => new WindowCounter(windowMs ?? Number.POSITIVE_INFINITY))
    if (held !== undefined) counter.set(held, now)
    return counter
  }

  function grant(request: SliceRequest): Slice {
    const now = nowMs()
    const { need, wish } = request
    const parts = Math.max(1, nodes())
    const limit = Math.max(1, Math.floor(request.limit / parts))
    const counter = counterOf(request, now)
    correct(counter, request, parts, now)
    const used = countInView(counter.counts(now))
    const room = Math.max(0, Math.floor(limit - used))
    const granted = used + wish <= limit / 2 ? wish : Math.min(need, room)
    const window = counter.add(granted, now)
    const { current, previous, passedMs } = counter.counts(now)
    return { granted, window, current, previous, passedMs }
  }

  return { exchange: async (requests) => requests.map(grant) }
}

function correct(counter: WindowCounter, request: SliceRequest, parts: number, now: number): void {
  const { corrections, atLeast } = request
  const number = counter.number(now)
  if (atLeast?.window === number)
    counter.set(Math.max(counter.counts(now).current, Math.ceil(atLeast.current / parts)), now)
  for (const { window, amount } of corrections)
    counter.takeBack(-amount, window === currentWindow ? number : window, now)
}
