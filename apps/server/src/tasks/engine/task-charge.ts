import { objectOf } from '@tollgate/formats'
import type { Charge, Failure } from '../../billing/ledger-types.ts'
import type { Task } from '../../store/repositories/tasks.ts'
import type { Seconds } from '../../store/units.ts'

/** What the log row of a task says beside its cost, kept with the task until it has ended. */
export interface LogFacts {
  readonly username: string
  readonly tokenName: string
  readonly requestId: string
  /** JSON text: the price's terms, times and attempts (`LogOther`). */
  readonly other: string
}

interface Ending {
  readonly at: Seconds
  readonly logged: boolean
}

/** The charge of a task that has succeeded. */
export function chargeOf(task: Task, ending: Ending): Charge {
  const { other, ...row } = rowOf(task, ending)
  return { ...row, quota: task.quota, content: '', other }
}

/** The row of a task that has failed; it costs nothing. */
export function failureOf(task: Task, ending: Ending): Failure {
  const { other, ...row } = rowOf(task, ending)
  return { ...row, content: task.failReason, other: withFailure(other) }
}

function rowOf(task: Task, { at, logged }: Ending) {
  const { username, tokenName, requestId, other } = factsOf(task)
  return {
    createdAt: at,
    logged,
    userId: task.userId,
    username,
    tokenId: task.tokenId,
    tokenName,
    channelId: task.channelId,
    model: task.model,
    group: task.group,
    useTimeSeconds: Math.max(0, Math.round((task.finishedMs - task.submittedMs) / 1000)),
    isStream: false,
    promptTokens: 0,
    completionTokens: 0,
    requestId,
    other,
  }
}

function factsOf({ charge }: Task): LogFacts {
  const kept = objectOf(charge === '' ? {} : JSON.parse(charge))
  const text = (name: keyof LogFacts) => (typeof kept[name] === 'string' ? kept[name] : '')
  return {
    username: text('username'),
    tokenName: text('tokenName'),
    requestId: text('requestId'),
    other: text('other') || '{}',
  }
}

/** Terms of a price say nothing of what costs nothing. */
function withFailure(other: string): string {
  const { timing, admin_info } = objectOf(JSON.parse(other))
  // The row's content is the reason; no answer had a status that says it.
  const error = { code: 'task_failed', status: 0, reason: 'task_failed' }
  return JSON.stringify({
    error,
    ...(timing !== undefined && { timing }),
    ...(admin_info !== undefined && { admin_info }),
  })
}
