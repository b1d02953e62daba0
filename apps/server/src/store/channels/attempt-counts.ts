import type { CallOutcome } from '@tollgate/api'
import type { Connection } from '../database.ts'
import type { CountedKind } from '../log/quarters/counted-kinds.ts'
import type { Stretch } from '../log/quarters/split-hours.ts'
import { openQuarters } from '../log/rows/open-quarters.ts'
import type { Value } from '../program.ts'
import { defineTable, integer, type RowOf, text } from '../schema/table.ts'
import type { Seconds } from '../units.ts'
import {
  type AttemptsByChannel,
  type AttemptsOfModel,
  type CallerQuery,
  type Callers,
  type CallsInStep,
  type CallsOfModel,
  countedSteps,
} from './read-attempt-counts.ts'
import type { RouteObservations } from './route-observations.ts'

/** Attempts or calls with one outcome that ended within one minute, hour or (until that is over) quarter hour. */
export const attemptCountTable = defineTable('attempt_counts', {
  /** Seconds that the row covers. */
  step: integer(),
  kind: text<CountedKind>(),
  startsAt: integer(),
  /** Id of the channel, user or key. */
  id: integer(),
  /** Model as a key of rollups has it; empty for keys. */
  model: text(),
  outcome: text<CallOutcome>(),
  count: integer(),
  /** Sum of the times to the first event, of those that succeeded. */
  ms: integer(),
})

export interface AttemptCount {
  readonly step: number
  readonly kind: CountedKind
  readonly startsAt: Seconds
  readonly id: number
  readonly model: string
  readonly outcome: CallOutcome
  readonly count: number
  readonly ms: number
}

/** The first columns of the table are its key. */
const keyColumns = 6

const add = `on conflict (step, kind, starts_at, id, model, outcome) do update set
  count = attempt_counts.count + excluded.count, ms = attempt_counts.ms + excluded.ms`

/** Rollups of attempts: minutes for a while, hours for ever. Nodes add to the same rows. */
export interface AttemptCountRepository {
  /** @param counts with no two of the same place */
  add(counts: readonly AttemptCount[]): Promise<void>
  /** Reads counts by the minute. */
  byChannel(since: Seconds): Promise<readonly AttemptsByChannel[]>
  /** By the quarter hour, at all channels; `isToday` for those from `today` on. */
  atChannels(since: Seconds, today: Seconds): Promise<readonly AttemptsOfModel[]>
  /** Calls of everybody, by the quarter hour. */
  calls(since: Seconds, today: Seconds): Promise<readonly CallsOfModel[]>
  /** Calls of everybody by step, model and outcome. */
  callSteps(stretch: Stretch): Promise<readonly CallsInStep[]>
  /** Calls of one user, by the quarter hour. */
  callsOfUser(since: Seconds, today: Seconds, userId: number): Promise<readonly CallsOfModel[]>
  /** The same with one key, whose rows have no model. */
  callsOfToken(since: Seconds, today: Seconds, tokenId: number): Promise<readonly CallsOfModel[]>
  /** Adds up the calls with some models of users in some groups. */
  callers(callerQuery: CallerQuery): Promise<Callers>
  /** By channel, model and outcome, with what calls of each model used: by the hour. */
  observations(since: Seconds): Promise<RouteObservations>
  deleteMinutesBefore(before: Seconds): Promise<void>
}

export function createAttemptCountRepository({
  db,
  dialect,
  batch,
  read,
}: Connection): AttemptCountRepository {
  return {
    async add(counts) {
      if (counts.length === 0) return
      // In one order, so that two nodes do not wait for each other.
      const rows = counts
        .map((count) => attemptCountTable.values(count))
        .map(withKey)
        .sort(byKey)
      const values = rows.map(({ row }) => row)
      const quarters = counts.filter(({ step }) => step === countedSteps.hour).map(({ startsAt }) => startsAt)
      // The lock of a quarter comes before its rows, as it does where they are taken over.
      await batch([
        ...openQuarters(quarters, dialect),
        dialect.insertRows('attempt_counts', attemptCountTable.columnTypes, values, add),
      ])
    },
    byChannel: (since) => read('readAttemptsByChannel', since),
    atChannels: (since, today) => read('readAttemptsAtChannels', since, today),
    calls: (since, today) => read('readCallCounts', 'calls', since, today, 0),
    callSteps: (stretch) => read('readCallSteps', stretch),
    callsOfUser: (since, today, userId) => read('readCallCounts', 'user-calls', since, today, userId),
    callsOfToken: (since, today, tokenId) => read('readCallCounts', 'token-calls', since, today, tokenId),
    callers: (callerQuery) => read('readCallers', callerQuery),
    observations: (since) => read('readRouteObservations', since),
    async deleteMinutesBefore(before) {
      await db
        .deleteFrom('attempt_counts')
        .where('step', '=', countedSteps.minute)
        .where('starts_at', '<', before)
        .execute()
    },
  }
}

function withKey(row: Value[]) {
  return { row, key: row.slice(0, keyColumns).join(' ') }
}

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : 1
}

declare module '../schema/tables.ts' {
  interface Tables {
    attempt_counts: RowOf<typeof attemptCountTable>
  }
}
