import { taskPlatforms, taskStatuses } from '@tollgate/api'
import type { TaskFilter } from '../store/repositories/tasks.ts'

/** Filters as consoles send them; 0 or blank for any. */
export interface TaskQuery {
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
  readonly channel_id?: number | undefined
}

export interface MidjourneyQuery extends TaskQuery {
  readonly mj_id?: string | undefined
}

export interface OtherTaskQuery extends TaskQuery {
  readonly task_id?: string | undefined
  readonly platform?: string | undefined
  readonly action?: string | undefined
  readonly status?: string | undefined
}

/** Below this a time is in seconds: as milliseconds it would be before 1974. */
const leastMilliseconds = 10 ** 11
const lastMillisecond = 999

/** The filter that a query means; `undefined` when no task can match. */
export function midjourneyFilter({ mj_id, ...query }: MidjourneyQuery): TaskFilter {
  return { ...commonFilter(query), platform: 'mj', ...(mj_id && { upstreamId: mj_id }) }
}

export function otherTaskFilter({ task_id, action, ...query }: OtherTaskQuery): TaskFilter | undefined {
  const others = taskPlatforms.filter((known) => known !== 'mj')
  const platform = query.platform ? others.find((known) => known === query.platform) : others
  const status = query.status ? taskStatuses.find((known) => known === query.status) : undefined
  if (platform === undefined || (query.status && status === undefined)) return undefined
  return {
    ...commonFilter(query),
    platform,
    ...(task_id && { upstreamId: task_id }),
    ...(action && { action }),
    ...(status !== undefined && { status }),
  }
}

function commonFilter({ start_timestamp, end_timestamp, channel_id }: TaskQuery): TaskFilter {
  return {
    ...(channel_id && { channelId: channel_id }),
    ...(start_timestamp && { fromMs: inMilliseconds(start_timestamp, 0) }),
    ...(end_timestamp && { toMs: inMilliseconds(end_timestamp, lastMillisecond) }),
  }
}

/** A second ends with its last millisecond. */
function inMilliseconds(time: number, within: number): number {
  return Math.abs(time) < leastMilliseconds ? time * 1000 + within : time
}
