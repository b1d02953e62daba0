import { indexOfStep } from '@tollgate/api/calendar'
import { isRescued, triedChannels } from '../../../store/log/index/failover/failover.ts'
import { neededOf, reasonOf } from '../../../store/log/index/failures.ts'
import type { LogFilter, LogRow } from '../../../store/log/index/log-row.ts'
import type { UsageRepository } from '../../../store/log/usage.ts'

/** The usage log in a list, oldest first, with the store's promises. */
export function usageInMemory(): UsageRepository & { readonly rows: LogRow[] } {
  const rows: LogRow[] = []
  let lastId = 0
  const matching = (filter: LogFilter) => rows.filter((row) => matches(row, filter))
  const consumed = (filter: LogFilter) => matching(filter).filter((row) => row.type === 'consumption')
  return {
    rows,
    append: async (added) => {
      for (const row of added) rows.push({ ...row, cost: row.cost ?? null, id: ++lastId })
    },
    page: async (filter, page, size) => {
      const found = matching(filter).toReversed()
      return { rows: found.slice((page - 1) * size, page * size), total: found.length }
    },
    find: async (id, { at, userId } = {}) =>
      rows.find(
        (row) =>
          row.id === id &&
          (at === undefined || row.createdAt === at) &&
          (userId === undefined || row.userId === userId),
      ),
    top: async (filter, figure, size) => {
      const figureOf = (row: LogRow) => (figure === 'quota' ? row.quota : row.useTimeSeconds)
      const ranked = matching(filter).toSorted((a, b) => figureOf(b) - figureOf(a) || b.id - a.id)
      return { rows: ranked.slice(0, size), complete: true, since: 0 }
    },
    sumQuota: async (filter) => consumed(filter).reduce((sum, row) => sum + row.quota, 0),
    clearBefore: async (before, progress) => {
      const retained = rows.filter((row) => row.createdAt >= before)
      const deleted = rows.length - retained.length
      rows.splice(0, rows.length, ...retained)
      if (deleted > 0) progress?.(deleted)
      return deleted
    },
    cover: async () => undefined,
    fileExtent: async () => undefined,
    batch: async (filter, before, size) => {
      const older = matching(filter)
        .toReversed()
        .filter((row) => before === undefined || row.id < before)
      const batch = older.slice(0, size)
      return { rows: batch, next: older.length > size ? batch.at(-1)?.id : undefined }
    },
    search: async ({ filter, content, limit, maxScanned }) => {
      const all = matching(filter).toReversed()
      const found = all.slice(0, maxScanned).filter((row) => row.content.startsWith(content))
      return { rows: found.slice(0, limit), total: found.length, complete: all.length <= maxScanned }
    },
    histogram: async (filter, starts) =>
      matching(filter)
        .filter(({ type }) => type === 'consumption' || type === 'error')
        .map(({ createdAt, type }) => ({
          at: starts[indexOfStep(starts, createdAt)] ?? createdAt,
          calls: type === 'consumption' ? 1 : 0,
          errors: type === 'error' ? 1 : 0,
        })),
    failures: async (filter) => ({
      groups: matching({ ...filter, type: 'error' })
        .toReversed()
        .map(({ other, model, userId, username, channelId, createdAt }) => ({
          ...{ reason: reasonOf(other), model, userId, username, channelId },
          count: 1,
          firstAt: createdAt,
          lastAt: createdAt,
          lastNeeded: neededOf(other),
        })),
      complete: true,
    }),
    recent: async (filter, since) => {
      const { from: _from, to: _to, ...timeless } = filter
      const recent = consumed(timeless).filter((row) => row.createdAt >= since)
      const tokens = recent.reduce((sum, row) => sum + row.promptTokens + row.completionTokens, 0)
      return { requests: recent.length, tokens }
    },
  }
}

function matches(row: LogRow, filter: LogFilter): boolean {
  return (
    (filter.type === undefined || [filter.type].flat().includes(row.type)) &&
    (filter.tokenId === undefined || row.tokenId === filter.tokenId) &&
    (filter.userId === undefined || row.userId === filter.userId) &&
    (filter.tokenName === undefined || row.tokenName === filter.tokenName) &&
    (filter.model === undefined || row.model === filter.model) &&
    (filter.channelId === undefined || row.channelId === filter.channelId) &&
    (filter.triedChannelId === undefined || hasTried(row, filter.triedChannelId)) &&
    (filter.isRescued !== true || isRescued(row)) &&
    (filter.group === undefined || row.group === filter.group) &&
    (filter.requestId === undefined || row.requestId === filter.requestId) &&
    (filter.reason === undefined || reasonOf(row.other) === filter.reason) &&
    (filter.from === undefined || row.createdAt >= filter.from) &&
    (filter.to === undefined || row.createdAt <= filter.to)
  )
}

function hasTried({ channelId, other }: LogRow, tried: number): boolean {
  return channelId === tried || triedChannels(other).includes(tried)
}

/** A plain consumption row. */
export function logRow(fields: Partial<LogRow> = {}): Omit<LogRow, 'id'> {
  return {
    createdAt: 1_700_000_000,
    type: 'consumption',
    userId: 1,
    username: 'ann',
    tokenId: 1,
    tokenName: 'key',
    model: 'gpt-4o',
    quota: 10,
    cost: null,
    promptTokens: 3,
    completionTokens: 4,
    useTimeSeconds: 1,
    isStream: true,
    channelId: 7,
    group: 'default',
    content: '',
    requestId: 'r-1',
    other: '',
    ...fields,
  }
}
