import type { Logger } from '../lib/logger.ts'
import type { LeaseRepository } from '../store/fleet/leases.ts'

interface Holding {
  /** Name of the work, the same on every node; not that of a job. */
  readonly name: string
  readonly node: string
  readonly leases: Pick<LeaseRepository, 'take' | 'give'>
  readonly logger: Pick<Logger, 'warn'>
}

/** A node that is silent for so long does nothing any more, and its lease is free. */
const goneMs = 6000
const beatMs = 2000

/**
 * Runs work that one node at a time may do, under a lease of the database that it prolongs until the end. Of one process the
 * caller itself starts it once. Returns `undefined`, without running it, while another node does it.
 */
export async function whileHolding<Result>(
  { name, node, leases, logger }: Holding,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const take = async () => (await leases.take([name], node, goneMs)).length > 0
  if (!(await take())) return undefined
  const beat = setInterval(
    () =>
      take().catch((error: unknown) =>
        logger.warn(
          { err: error, work: name },
          'this lease was not prolonged, and another node may begin the same work: check the database',
        ),
      ),
    beatMs,
  )
  try {
    return { result: await work() }
  } finally {
    clearInterval(beat)
    // It ends by itself where the database does not respond.
    await leases.give([name], node).catch(() => undefined)
  }
}
