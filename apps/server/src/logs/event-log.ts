import type { LogType } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { NewLogRow } from '../store/log-index/log-row.ts'
import type { UsageRepository } from '../store/repositories/usage.ts'
import type { Quota } from '../store/units.ts'

/** The person a row is about. */
export interface LogSubject {
  readonly userId: number
  readonly username: string
}

/** Rows of the usage log that are not charges. */
export interface EventLog {
  /** An action of an administrator on a user. */
  appendManagementLog(subject: LogSubject, content: string): Promise<void>
  /** The system's own actions: gifts, refunds. */
  appendSystemLog(subject: LogSubject, content: string, quota?: Quota): Promise<void>
  /** Incoming money. */
  appendTopUpLog(subject: LogSubject, content: string, quota: Quota): Promise<void>
}

export function createEventLog(deps: { readonly usage: UsageRepository; readonly clock: Clock }): EventLog {
  const append = (
    type: Exclude<LogType, 'consumption' | 'error'>,
    subject: LogSubject,
    content: string,
    quota: Quota,
  ) => deps.usage.append([eventRow(unixSeconds(deps.clock), type, subject, content, quota)])
  return {
    appendManagementLog: (subject, content) => append('management', subject, content, 0),
    appendSystemLog: (subject, content, quota = 0) => append('system', subject, content, quota),
    appendTopUpLog: (subject, content, quota) => append('top-up', subject, content, quota),
  }
}

/** A row about a person that is no call. */
export function eventRow(
  createdAt: number,
  type: LogType,
  { userId, username }: LogSubject,
  content: string,
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
    content,
    requestId: '',
    other: '',
  }
}
