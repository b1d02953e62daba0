import { type JsonObject, objectOf } from '@tollgate/formats'
import type { TaskReport } from '@tollgate/providers'
import type { Task, TaskChange } from '../../store/repositories/tasks.ts'

/** Longest account of a failure that is kept. */
const maxReasonLength = 2000

export function isEnd(status: Task['status']): boolean {
  return status === 'SUCCESS' || status === 'FAILURE'
}

/**
 * What a report changes of a task. What it does not say stays; progress never goes back, and an end is 100 %.
 * @param nowMs wall clock
 */
export function changeOf(task: Task, report: TaskReport, nowMs: number): TaskChange {
  const { state, failReason, startedMs, finishedMs, result, properties } = report
  const ended = isEnd(state)
  const started = time(startedMs)
  return {
    status: state,
    progress: ended ? 100 : progressOf(task, report),
    updatedMs: nowMs,
    ...(ended && { finishedMs: time(finishedMs) ?? nowMs }),
    ...(started !== undefined && { startedMs: started }),
    ...(failReason !== undefined && { failReason: failReason.slice(0, maxReasonLength) }),
    ...(result !== undefined && { result: JSON.stringify(result) }),
    ...(properties !== undefined && { properties: merged(task.properties, properties) }),
  }
}

/** An open task is never done: what upstreams say of 100 % before its end is nearly that. */
function progressOf(task: Task, { progress }: TaskReport): number {
  if (progress === undefined || !Number.isFinite(progress)) return task.progress
  return Math.max(task.progress, Math.min(Math.floor(progress), 99))
}

/** A time that can be one; upstreams write 0 for none. */
function time(ms: number | undefined): number | undefined {
  return ms !== undefined && Number.isSafeInteger(ms) && ms > 0 ? ms : undefined
}

function merged(properties: string, change: JsonObject): string {
  const kept = properties === '' ? {} : objectOf(JSON.parse(properties))
  return JSON.stringify({ ...kept, ...change })
}
