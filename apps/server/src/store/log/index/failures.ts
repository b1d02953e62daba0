import { type Program, query } from '../../program.ts'
import type { Quota } from '../../units.ts'
import { idsAt, positionsOf } from './block.ts'
import { lastSealedId } from './dimensions.ts'
import { rowCondition } from './filter.ts'
import {
  type FailureGroup,
  type Failures,
  type LogFilter,
  logColumns,
  logTable,
  maxFailures,
  type StoredLog,
} from './log-row.ts'
import type { LogPage } from './read.ts'
import { stretchesOf, takeCounts } from './spans/stretches.ts'

/** Facts of a failure in a failed call's row. */
type Failure = Pick<StoredLog, 'id' | 'created_at' | 'user_id' | 'username' | 'model' | 'channel_id'> & {
  readonly reason: string
  /** Balance that the call needed; 0 where its row does not say. */
  readonly needed: Quota
}

/** Failed calls of the filter by what they have in common. */
export function* readFailures(filter: LogFilter): Program<Failures> {
  const { failures, complete } = yield* newestFailures(filter)
  return { groups: groupsOf(failures), complete }
}

/** A page of the failed calls of the filter's reason, newest first. */
export function* readFailurePage(filter: LogFilter, page: number, size: number): Program<LogPage> {
  const { failures } = yield* newestFailures(filter)
  const visible = failures.slice((page - 1) * size, page * size)
  const [newest, oldest] = [visible[0], visible.at(-1)]
  if (newest === undefined || oldest === undefined) return { rows: [], total: failures.length }
  const times = visible.map((failure) => failure.created_at)
  const rows = yield* query<StoredLog>(
    `select ${logColumns} from logs
      where id in (${visible.map(() => '?').join(', ')}) and created_at between ? and ? order by id desc`,
    [...visible.map(({ id }) => id), Math.min(...times), Math.max(...times)],
  )
  return { rows: rows.map(logTable.read), total: failures.length }
}

/** The newest failed calls of a filter, newest first. */
export function* newestFailures(
  filter: LogFilter,
): Program<{ readonly failures: readonly Failure[]; readonly complete: boolean }> {
  const failed: LogFilter = { ...filter, type: 'error' }
  const rows = [...(yield* readUnsealed(failed))]
  const stretches = yield* stretchesOf(failed)
  const { taken } = takeCounts(stretches.all, 0, maxFailures + 1)
  for (const match of yield* stretches.matchesOf(taken)) {
    const left = maxFailures - rows.length
    if (left < 0) break
    // One more than are read tells whether there are more.
    const ids = yield* idsAt(match, positionsOf(match).slice(-left - 1))
    rows.push(
      ...(yield* query<StoredFailure>(
        `select ${columns} from logs
          where id in (${ids.map(() => '?').join(', ')}) and created_at between ? and ? order by id desc`,
        [...ids, match.block.min_at, match.block.max_at],
      )),
    )
  }
  const read = rows
    .slice(0, maxFailures)
    .map(({ other, ...row }) => ({ ...row, reason: reasonOf(other), needed: neededOf(other) }))
  return {
    failures: filter.reason === undefined ? read : read.filter(({ reason }) => reason === filter.reason),
    complete: rows.length <= maxFailures,
  }
}

type StoredFailure = Omit<Failure, 'reason' | 'needed'> & { readonly other: string }

const columns = 'id, created_at, user_id, username, model, channel_id, other'

function* readUnsealed(filter: LogFilter): Program<readonly StoredFailure[]> {
  const [sealed] = yield* query<{ id: number }>(lastSealedId)
  const condition = rowCondition(filter)
  return yield* query<StoredFailure>(
    `select ${columns} from logs where id > ? and ${condition.sql} order by id desc limit ?`,
    [sealed?.id ?? 0, ...condition.parameters, maxFailures + 1],
  )
}

/**
 * Returns the reason of a failure from its row: the gateway's own reason, or the code that the caller got in rows without one. Empty
 * when there is neither.
 */
export function reasonOf(other: string): string {
  const error = errorIn(other)
  const reason = error?.reason ?? error?.code
  return typeof reason === 'string' ? reason : ''
}

/** Returns the balance that a call needed which was refused for want of it; 0 in rows of older versions, which do not say it. */
export function neededOf(other: string): Quota {
  return Number(errorIn(other)?.params?.needed ?? 0) || 0
}

interface StoredError {
  readonly reason?: unknown
  readonly code?: unknown
  readonly params?: { readonly needed?: unknown }
}

function errorIn(other: string): StoredError | undefined {
  try {
    return (JSON.parse(other) as { error?: StoredError }).error
  } catch {
    return undefined
  }
}

type Mutable<Shape> = { -readonly [Name in keyof Shape]: Shape[Name] }

/** @param failures newest first */
function groupsOf(failures: readonly Failure[]): FailureGroup[] {
  const groups = new Map<string, Mutable<FailureGroup>>()
  for (const { reason, model, user_id, username, channel_id, created_at, needed } of failures) {
    const key = JSON.stringify([reason, model, user_id, channel_id])
    const known = groups.get(key)
    if (known === undefined)
      groups.set(key, {
        reason,
        model,
        userId: user_id,
        username,
        channelId: channel_id,
        count: 1,
        firstAt: created_at,
        lastAt: created_at,
        lastNeeded: needed,
      })
    else {
      known.count += 1
      known.firstAt = Math.min(known.firstAt, created_at)
      known.lastAt = Math.max(known.lastAt, created_at)
    }
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || b.lastAt - a.lastAt)
}
