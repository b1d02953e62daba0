import { useEffect, useRef, useState } from 'react'
import { type Outcome, type Outcomes, type RunTarget, runEach, type Work } from './run.ts'

export interface Run<Kind extends string> {
  readonly kind: Kind
  readonly targets: readonly RunTarget[]
  readonly outcomes: Outcomes
  readonly active: boolean
}

export interface RunControl<Kind extends string> {
  readonly run: Run<Kind> | undefined
  /** Resolves with what became of each, at the end or after `stop`. */
  readonly start: (kind: Kind, targets: readonly RunTarget[], work: Work) => Promise<Outcomes>
  readonly stop: () => void
  /** Forgets a run that has ended. */
  readonly clear: () => void
}

/** One run at a time over many things. It stops when its page is left. */
export function useRun<Kind extends string>(): RunControl<Kind> {
  const [run, setRun] = useState<Run<Kind>>()
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])

  async function start(kind: Kind, targets: readonly RunTarget[], work: Work): Promise<Outcomes> {
    controller.current?.abort()
    const mine = new AbortController()
    controller.current = mine
    let outcomes: Outcomes = new Map<number, Outcome>(targets.map(({ id }) => [id, { state: 'waiting' }]))
    setRun({ kind, targets, outcomes, active: true })
    const onOutcome = (id: number, outcome: Outcome) => {
      outcomes = new Map(outcomes).set(id, outcome)
      if (controller.current === mine) setRun({ kind, targets, outcomes, active: true })
    }
    await runEach(targets, work, onOutcome, mine.signal)
    if (controller.current === mine) setRun({ kind, targets, outcomes, active: false })
    return outcomes
  }

  return { run, start, stop: () => controller.current?.abort(), clear: () => setRun(undefined) }
}
