import type { LogType } from '@tollgate/api'
import { encodeLogEvent, type LogEvent } from '@tollgate/api/log-events'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { NewLogRow } from '../../store/log/index/log-row.ts'
import type { UsageRepository } from '../../store/log/usage.ts'
import type { Quota } from '../../store/units.ts'

/** The person a row is about. */
export interface LogSubject {
  readonly userId: number
  readonly username: string
}

/** Rows of the usage log that are not charges: what happened, by its code. `log-view.ts` makes sentences of them for their readers. */
export interface EventLog {
  /** An action of an administrator on a user. */
  appendManagementLog(subject: LogSubject, event: LogEvent): Promise<void>
  /** The system's own actions: gifts, refunds. */
  appendSystemLog(subject: LogSubject, event: LogEvent, quota?: Quota): Promise<void>
  /** Incoming money. */
  appendTopUpLog(subject: LogSubject, event: LogEvent, quota: Quota): Promise<void>
}

export function createEventLog(deps: { readonly usage: UsageRepository; readonly clock: Clock }): EventLog {
  const append = (
    type: Exclude<LogType, 'consumption' | 'error'>,
    subject: LogSubject,
    event: LogEvent,
    quota: Quota,
  ) => deps.usage.append([eventRow(unixSeconds(deps.clock), type, subject, event, quota)])
  return {
    appendManagementLog: (subject, event) => append('management', subject, event, 0),
    appendSystemLog: (subject, event, quota = 0) => append('system', subject, event, quota),
    appendTopUpLog: (subject, event, quota) => append('top-up', subject, event, quota),
  }
}

/** A row about a person that is no call. */
export function eventRow(
  createdAt: number,
  type: LogType,
  { userId, username }: LogSubject,
  event: LogEvent,
  quota: Quota,
): NewLogRow {
  return {
    createdAt,
    type,
    userId,
    username,
    tokenId: 0,
    tokenName: '',
    model: '',
    quota,
    promptTokens: 0,
    completionTokens: 0,
    useTimeSeconds: 0,
    isStream: false,
    channelId: 0,
    group: '',
    requestId: '',
    ...encodeLogEvent(event),
  }
}
