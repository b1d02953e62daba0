import { useEffect, useRef, useState } from 'react'
import { type Outcome, type Outcomes, type RunTarget, runEach, type Work } from './run.ts'

interface Run {
  readonly outcomes: Outcomes
  readonly active: boolean
}

/** One run at a time over many things. It stops when its page is left. */
export function useRun() {
  const [run, setRun] = useState<Run>()
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])

  /** Resolves at the end or after `stop`. */
  async function start(targets: readonly RunTarget[], work: Work): Promise<void> {
    controller.current?.abort()
    const mine = new AbortController()
    controller.current = mine
    let outcomes: Outcomes = new Map<number, Outcome>(targets.map(({ id }) => [id, { state: 'waiting' }]))
    const show = (active: boolean) => controller.current === mine && setRun({ outcomes, active })
    show(true)
    const onOutcome = (id: number, outcome: Outcome) => {
      outcomes = new Map(outcomes).set(id, outcome)
      show(true)
    }
    await runEach(targets, work, onOutcome, mine.signal)
    show(false)
  }

  return { run, start, stop: () => controller.current?.abort() }
}
