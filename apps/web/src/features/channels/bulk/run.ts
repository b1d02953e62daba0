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

/** Does the work for one target; answers a note about it, or nothing. */
export type Work = (target: RunTarget) => Promise<unknown>

/**
 * Does the same to each target, one call after the other, and goes on after a failure. Stopping lets the running call
 * end and leaves the rest waiting.
 */
export async function runEach(
  targets: readonly RunTarget[],
  work: Work,
  onOutcome: (id: number, outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const target of targets) {
    if (signal.aborted) return
    onOutcome(target.id, { state: 'running' })
    onOutcome(target.id, await outcomeOf(target, work))
  }
}

async function outcomeOf(target: RunTarget, work: Work): Promise<Outcome> {
  try {
    const note = await work(target)
    return typeof note === 'string' ? { state: 'done', note } : { state: 'done' }
  } catch (cause) {
    return { state: 'failed', message: cause instanceof Error ? cause.message : String(cause) }
  }
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
