import { useEffect, useRef } from 'react'
import type { SharedState } from './shared-state.ts'

/**
 * Adds entries to a shared list while the component is mounted. Their `run` may change with every rendering; the list
 * changes only when `signatureOf` does.
 */
export function useMountedEntries<Entry extends { readonly run: () => void }>(
  list: SharedState<readonly Entry[]>,
  entries: readonly Entry[],
  signatureOf: (entry: Entry) => string,
): void {
  const latest = useRef(entries)
  useEffect(() => {
    latest.current = entries
  })
  const signature = entries.map(signatureOf).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature stands for the entries; `run` is read late
  useEffect(() => {
    const mine = latest.current.map((entry, index) => ({ ...entry, run: () => latest.current[index]?.run() }))
    list.set([...list.get(), ...mine])
    return () => list.set(list.get().filter((entry) => !mine.includes(entry)))
  }, [signature])
}
