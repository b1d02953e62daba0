import { useEffect, useRef, useState } from 'react'
import { type Outcome, type RunOptions, runSequentially } from '../../lib/api/run-sequentially.ts'

export interface RunState {
  readonly done: number
  readonly total: number
}

/** Runs one thing at a time, and reports its progress. The run stops when its component leaves the screen. */
export function useRun() {
  const [state, setState] = useState<RunState>()
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])

  async function start<Item, Result>(
    items: readonly Item[],
    work: (item: Item) => Promise<Result>,
    options: Pick<RunOptions, 'stopAtFailure'>,
  ): Promise<readonly Outcome<Item, Result>[]> {
    const mine = new AbortController()
    controller.current = mine
    const total = items.length
    setState({ done: 0, total })
    const outcomes = await runSequentially(items, work, {
      ...options,
      signal: mine.signal,
      onOutcome: (_outcome, done) => setState({ done, total }),
    })
    setState(undefined)
    return outcomes
  }

  return {
    /** `undefined` while nothing runs. */
    state,
    start,
    stop: () => controller.current?.abort(),
  }
}
