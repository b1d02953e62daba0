import { getOrInsert } from '@tollgate/base'
import { z } from 'zod'
import type { WindowShare } from '../lib/sliding-window.ts'
import type { Machine } from './machine.ts'

/** Uses by the name of the window and the key. */
const counts = z.record(z.string(), z.record(z.string(), z.int()))

/** Time in which uses are gathered before the other workers hear of them. */
const gatherMs = 20

/**
 * Shares the counts of windows among the workers of a machine. Each admits by what it knows: the workers together admit, beyond a limit, what
 * they admit within some 20 ms.
 */
export function createSharedCounts(
  machine: Pick<Machine, 'count' | 'counted'>,
): (name: string) => WindowShare {
  const handlers = new Map<string, (key: string, uses: number) => void>()
  let waiting = new Map<string, Map<string, number>>()

  machine.counted((received) => {
    const parsed = counts.safeParse(received)
    // A worker of another version says what this one does not know.
    if (!parsed.success) return
    for (const [name, uses] of Object.entries(parsed.data))
      for (const [key, count] of Object.entries(uses)) if (count !== 0) handlers.get(name)?.(key, count)
  })

  function flush(): void {
    const gathered = [...waiting].map(([name, uses]) => [name, Object.fromEntries(uses)] as const)
    waiting = new Map()
    machine.count(Object.fromEntries(gathered))
  }

  return (name) => ({
    counted(key, uses) {
      if (waiting.size === 0) setTimeout(flush, gatherMs)
      const ofName = getOrInsert(waiting, name, () => new Map<string, number>())
      ofName.set(key, (ofName.get(key) ?? 0) + uses)
    },
    subscribe: (count) => void handlers.set(name, count),
  })
}
