import type { RowOutcome } from '@tollgate/api'

/** Progress of a test of chosen channels. */
export interface ChosenProgress {
  readonly done: number
  readonly failed: number
  readonly total: number
}

/** Number of upstreams that are called at the same time. */
const atOnce = 4

export interface ChosenTest {
  readonly signal: AbortSignal
  /** Called after each with the number of finished ones. */
  readonly onProgress: (done: number, failed: number) => void
}

/**
 * Tests the chosen channels, a few at a time: the contract has a call for one and a run over all, but none for some.
 * After an abort no other is begun; those that were not reached have no outcome.
 */
export async function testChosen(
  ids: readonly number[],
  test: (id: number) => Promise<unknown>,
  { signal, onProgress }: ChosenTest,
): Promise<readonly RowOutcome[]> {
  const waiting = [...ids]
  const outcomes: RowOutcome[] = []
  async function work(): Promise<void> {
    while (!signal.aborted) {
      const id = waiting.shift()
      if (id === undefined) return
      outcomes.push(await outcomeOf(id, test))
      onProgress(outcomes.length, outcomes.filter(({ success }) => !success).length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, ids.length) }, work))
  return outcomes
}

async function outcomeOf(id: number, test: (id: number) => Promise<unknown>): Promise<RowOutcome> {
  try {
    await test(id)
    return { id, success: true, message: '' }
  } catch (cause) {
    return { id, success: false, message: cause instanceof Error ? cause.message : String(cause) }
  }
}
