import { startDeadline } from '../../scripts/deadline/deadline.mjs'

const firstPauseMs = 5
const maxPauseMs = 30
/** The longer nothing is seen, the less often a look pays: it takes the processor from what is waited for. */
const growth = 1.3

/** Looks until there is something to see, or throws after `timeoutMs`, which a slow machine extends. */
export async function until<T>(
  look: () => T | undefined | Promise<T | undefined>,
  timeoutMs = 5000,
): Promise<T> {
  const limit = startDeadline(timeoutMs)
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * growth, maxPauseMs)) {
    const seen = await look()
    if (seen !== undefined) return seen
    if (limit.remainingMs() <= 0)
      throw new Error(`nothing was seen within ${timeoutMs} ms, times ${limit.extent().toFixed(1)} here`)
    await Bun.sleep(pauseMs)
  }
}
