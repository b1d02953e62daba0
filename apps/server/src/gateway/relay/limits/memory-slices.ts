import { getOrInsert } from '@tollgate/base'
import { currentWindow, type Slice, type SliceRequest, type SliceStore } from './slice-store.ts'
import { countInView } from './window-counter.ts'

interface Count {
  window: number
  current: number
  previous: number
}

const maximumKeys = 100_000

/**
 * Counts of one node while no store of the fleet responds: it grants its part of each limit.
 * @param nowMs milliseconds of the Unix epoch, in which the stores number their windows
 * @param nodes nodes of the fleet when they were last known
 */
export function createMemorySlices(nowMs: () => number, nodes: () => number): SliceStore {
  const counts = new Map<string, Count>()

  function countOf({ key, windowMs, held }: SliceRequest, now: number): Count {
    const [oldest] = counts.keys()
    if (counts.size >= maximumKeys && oldest !== undefined) counts.delete(oldest)
    const count = getOrInsert(counts, key, () => ({ window: 0, current: 0, previous: 0 }))
    const window = windowMs === undefined ? 0 : Math.floor(now / windowMs)
    if (window > count.window) {
      count.previous = window === count.window + 1 ? count.current : 0
      count.current = 0
      count.window = window
    }
    if (held !== undefined) count.current = held
    return count
  }

  function grant(request: SliceRequest): Slice {
    const now = nowMs()
    const { windowMs, need, wish } = request
    const parts = Math.max(1, nodes())
    const limit = Math.max(1, Math.floor(request.limit / parts))
    const count = countOf(request, now)
    correct(count, request, parts)
    const passedMs = windowMs === undefined ? 0 : now % windowMs
    const used = countInView({ ...count, passedMs, windowMs: windowMs ?? 1 })
    const room = Math.max(0, Math.floor(limit - used))
    const granted = used + wish <= limit / 2 ? wish : Math.min(need, room)
    count.current += granted
    return { granted, window: count.window, current: count.current, previous: count.previous, passedMs }
  }

  return { exchange: async (requests) => requests.map(grant) }
}

function correct(count: Count, { corrections, atLeast }: SliceRequest, parts: number): void {
  if (atLeast?.window === count.window)
    count.current = Math.max(count.current, Math.ceil(atLeast.current / parts))
  for (const { window, amount } of corrections) {
    if (window === count.window || window === currentWindow)
      count.current = Math.max(0, count.current + amount)
    else if (window === count.window - 1) count.previous = Math.max(0, count.previous + amount)
  }
}
