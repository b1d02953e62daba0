import type { UsageRepository } from '../../store/log/usage.ts'

/** Writes what waits to be written. */
interface WriteBehind {
  flush(): Promise<void>
}

/**
 * The log with every call that has ended. The ledger writes behind, so each read flushes it first, which takes a few
 * milliseconds.
 */
export function flushBeforeReads(usage: UsageRepository, ledger: WriteBehind): UsageRepository {
  return {
    ...usage,
    async page(filter, page, size) {
      await ledger.flush()
      return usage.page(filter, page, size)
    },
    async top(filter, figure, size) {
      await ledger.flush()
      return usage.top(filter, figure, size)
    },
    async find(id, hint) {
      await ledger.flush()
      return usage.find(id, hint)
    },
    async sumQuota(filter) {
      await ledger.flush()
      return usage.sumQuota(filter)
    },
    async clearBefore(before, progress, signal) {
      await ledger.flush()
      return usage.clearBefore(before, progress, signal)
    },
    async batch(filter, before, size) {
      // A read in several pieces has the state of its start.
      if (before === undefined) await ledger.flush()
      return usage.batch(filter, before, size)
    },
    async search(search) {
      await ledger.flush()
      return usage.search(search)
    },
    async histogram(filter, steps) {
      await ledger.flush()
      return usage.histogram(filter, steps)
    },
    async failures(filter) {
      await ledger.flush()
      return usage.failures(filter)
    },
    async recent(filter, since) {
      await ledger.flush()
      return usage.recent(filter, since)
    },
  }
}
