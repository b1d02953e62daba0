import { unixSeconds } from '@tollgate/base'
import { LRUCache } from 'lru-cache'
import type { Services } from '../../../services.ts'

/** Precision of "last seen", and so the shortest interval of writes for a credential in use. */
const seenEverySeconds = 300
const maxNoted = 10_000

interface Options extends Pick<Services, 'clock' | 'logger'> {
  readonly write: (key: string, at: number) => Promise<void>
  /** Name of the sighted objects for the log. */
  readonly name: string
}

/** Writes when a credential was last used, beside the call that uses it, every few minutes at most. */
export function createSightings({ write, name, clock, logger }: Options) {
  const noted = new LRUCache<string, number>({ max: maxNoted })
  return (key: string, writtenAt: number): void => {
    const at = unixSeconds(clock)
    if (at - Math.max(writtenAt, noted.get(key) ?? 0) < seenEverySeconds) return
    noted.set(key, at)
    write(key, at).catch((err: unknown) =>
      logger.warn(
        { err },
        `the last use of ${name} was not recorded, and its list shows an older one: check the database`,
      ),
    )
  }
}
