import type { LogEntry } from '@tollgate/api'
import type { CorrectionRepository, Store } from '../../store/store.ts'
import type { UsageLog } from './usage-log.ts'

/** The log whose rows say, too, by how much their charges were corrected or credited since: the rows themselves never change. */
export function withCorrections(
  log: UsageLog,
  corrections: Pick<CorrectionRepository, 'listChanges'>,
  goodwill: Pick<Store['goodwill'], 'listAmounts'>,
): UsageLog {
  async function corrected<Listed extends { readonly items: LogEntry[] }>(
    reading: Promise<Listed>,
  ): Promise<Listed> {
    const listed = await reading
    const ids = listed.items.map(({ id }) => id)
    const [changes, credits] = await Promise.all([corrections.listChanges(ids), goodwill.listAmounts(ids)])
    if (changes.size === 0 && credits.size === 0) return listed
    const items = listed.items.map((entry) => {
      const [corrected, credited] = [changes.get(entry.id), credits.get(entry.id)]
      return {
        ...entry,
        ...(corrected !== undefined && { corrected }),
        ...(credited !== undefined && { credited }),
      }
    })
    return { ...listed, items }
  }

  return {
    ...log,
    top: (...sent) => corrected(log.top(...sent)),
    topOwn: (...sent) => corrected(log.topOwn(...sent)),
    list: (...sent) => corrected(log.list(...sent)),
    listOwn: (...sent) => corrected(log.listOwn(...sent)),
    listOfKey: (...sent) => corrected(log.listOfKey(...sent)),
    search: (...sent) => corrected(log.search(...sent)),
    searchOwn: (...sent) => corrected(log.searchOwn(...sent)),
  }
}
