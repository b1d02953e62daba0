import { StoreFault } from './errors.ts'

const defaultLimitMs = 1500

/**
 * Asks whether the database answers, and says no when it does not in time. What is asked for meanwhile waits for the
 * same answer: probes of a database that hangs do not pile up.
 */
export function createPing(ask: () => Promise<unknown>, limitMs = defaultLimitMs): () => Promise<void> {
  let asking: Promise<unknown> | undefined
  return async () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new StoreFault('unavailable', `The database did not answer within ${limitMs} ms.`)),
      limitMs,
    )
    try {
      await Promise.race([asking, late.promise])
    } finally {
      clearTimeout(timer)
      // When it fails later, nobody waits any more.
      asking?.catch(() => undefined)
    }
  }
}
