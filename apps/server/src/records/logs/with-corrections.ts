import type { LogEntry } from '@tollgate/api'
import type { CorrectionRepository } from '../../store/store.ts'
import type { UsageLog } from './usage-log.ts'

/** The log whose rows say, too, by how much their charges were corrected since: the rows themselves never change. */
export function withCorrections(
  log: UsageLog,
  corrections: Pick<CorrectionRepository, 'listChanges'>,
): UsageLog {
  async function corrected<Listed extends { readonly items: LogEntry[] }>(
    reading: Promise<Listed>,
  ): Promise<Listed> {
    const listed = await reading
    const changes = await corrections.listChanges(listed.items.map(({ id }) => id))
    if (changes.size === 0) return listed
    const items = listed.items.map((entry) => {
      const amount = changes.get(entry.id)
      return amount === undefined ? entry : { ...entry, corrected: amount }
    })
    return { ...listed, items }
  }

  return {
    ...log,
    list: (...sent) => corrected(log.list(...sent)),
    listOwn: (...sent) => corrected(log.listOwn(...sent)),
    listOfKey: (...sent) => corrected(log.listOfKey(...sent)),
    search: (...sent) => corrected(log.search(...sent)),
    searchOwn: (...sent) => corrected(log.searchOwn(...sent)),
  }
}
