import { type Outcome as Ended, runSequentially } from '../../../lib/api/run-sequentially.ts'

/** One thing of a run over many: what became of it. */
export type Outcome =
  | { readonly state: 'waiting' }
  | { readonly state: 'running' }
  /** `note` is a figure to be shown, such as how long a test took. */
  | { readonly state: 'done'; readonly note?: string }
  | { readonly state: 'failed'; readonly message: string }

export interface RunTarget {
  readonly id: number
  readonly name: string
}

export type Outcomes = ReadonlyMap<number, Outcome>

/** Does the work for one target; returns a note about it, or nothing. */
export type Work = (target: RunTarget) => Promise<unknown>

/** Does the same to each target, one after the other and on after a failure; targets not reached stay waiting. */
export async function runEach(
  targets: readonly RunTarget[],
  work: Work,
  onOutcome: (id: number, outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<void> {
  await runSequentially(targets, work, {
    signal,
    onStart: ({ id }) => onOutcome(id, { state: 'running' }),
    onOutcome: (ended) => onOutcome(ended.item.id, visibleOutcome(ended)),
  })
}

function visibleOutcome(ended: Ended<RunTarget, unknown>): Outcome {
  if (!ended.ok) return { state: 'failed', message: ended.error.message }
  return typeof ended.result === 'string' ? { state: 'done', note: ended.result } : { state: 'done' }
}

export interface RunCount {
  readonly done: number
  readonly failed: number
  /** Neither done nor failed, nor running. */
  readonly waiting: number
  readonly total: number
}

export function countOutcomes(outcomes: Outcomes): RunCount {
  const states = [...outcomes.values()].map(({ state }) => state)
  const count = (state: Outcome['state']) => states.filter((each) => each === state).length
  return { done: count('done'), failed: count('failed'), waiting: count('waiting'), total: states.length }
}
