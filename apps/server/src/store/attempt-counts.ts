import type { CountedOutcome } from '@tollgate/api'
import { type Program, query } from './program.ts'
import type { Seconds } from './units.ts'

/** Seconds that the rows of a rollup cover. */
export const countedSteps = { minute: 60, hour: 3600 } as const

/** Attempts at one channel. */
export interface AttemptsByChannel {
  readonly channelId: number
  readonly outcome: CountedOutcome
  readonly count: number
  /** Sum of the times to the first event, of those that succeeded. */
  readonly ms: number
}

/** Attempts with one model, at one channel (0: refused before any). */
export interface AttemptsOfModel {
  readonly channelId: number
  readonly model: string
  readonly outcome: CountedOutcome
  readonly isToday: boolean
  readonly count: number
}

export function* readAttemptsByChannel(since: Seconds): Program<readonly AttemptsByChannel[]> {
  const rows = yield* query<Omit<AttemptsByChannel, 'channelId'> & { id: number }>(
    `select id, outcome, cast(sum(count) as bigint) as count, cast(sum(ms) as bigint) as ms from attempt_counts
      where step = ${countedSteps.minute} and kind = 'channel' and starts_at >= ? and id > 0
      group by id, outcome`,
    [since],
  )
  return rows.map(({ id, ...figures }) => ({ channelId: id, ...figures }))
}

type ModelRow = Omit<AttemptsOfModel, 'channelId' | 'isToday'> & { id: number; today: number }

const columns = `id, model, outcome, case when starts_at >= ? then 1 else 0 end as today,
  cast(sum(count) as bigint) as count`

export function* readAttemptsOfAll(since: Seconds, today: Seconds): Program<readonly AttemptsOfModel[]> {
  const rows = yield* query<ModelRow>(
    `select ${columns} from attempt_counts
      where step = ${countedSteps.hour} and kind = 'channel' and starts_at >= ?
      group by id, model, outcome, 4`,
    [today, since],
  )
  return rows.map(ofModel)
}

/** Looks up hour by hour: the key of the table starts with the hour, so that writes are at its end. */
export function* readAttemptsOfOne(
  kind: 'user' | 'token',
  since: Seconds,
  today: Seconds,
  id: number,
): Program<readonly AttemptsOfModel[]> {
  const rows = yield* query<ModelRow>(
    `with recursive ends(first, last) as (
        select min(starts_at), max(starts_at) from attempt_counts
          where step = ${countedSteps.hour} and kind = ? and starts_at >= ?
      ), hours(hour) as (
        select first from ends where first is not null
        union all select hour + 3600 from hours where hour + 3600 <= (select last from ends)
      )
      select 0 as ${columns} from hours cross join attempt_counts
        where step = ${countedSteps.hour} and kind = ? and starts_at = hours.hour and id = ?
        group by model, outcome, 4`,
    [kind, since, today, kind, id],
  )
  return rows.map(ofModel)
}

const ofModel = ({ id, today, ...row }: ModelRow): AttemptsOfModel => ({
  ...row,
  channelId: id,
  isToday: today === 1,
})
