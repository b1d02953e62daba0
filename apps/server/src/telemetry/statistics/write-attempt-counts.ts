import type { AttemptCountRepository } from '../../store/channels/attempt-counts.ts'
import type { AttemptCounter } from './attempt-counter.ts'

interface Dependencies {
  readonly counter: Pick<AttemptCounter, 'take'>
  readonly attemptCounts: Pick<AttemptCountRepository, 'add'>
}

/**
 * Writes what was counted since the last run. What could not be written stays for the next run; one whose commit was not
 * confirmed may count twice.
 */
export function createAttemptCountWriter({ counter, attemptCounts }: Dependencies): () => Promise<void> {
  let unwritten: ReturnType<AttemptCounter['take']> = []
  let running: Promise<void> | undefined

  async function write(): Promise<void> {
    // The counter keeps what is counted meanwhile, and bounds it.
    if (unwritten.length === 0) unwritten = counter.take()
    while (unwritten[0] !== undefined) {
      await attemptCounts.add(unwritten[0])
      unwritten = unwritten.slice(1)
    }
  }

  /** One run at a time: a reader that waits for a run which began before it starts another one. */
  return async () => {
    await running?.catch(() => undefined)
    running ??= write().finally(() => {
      running = undefined
    })
    await running
  }
}
