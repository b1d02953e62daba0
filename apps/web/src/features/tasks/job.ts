import type { Drawing, TaskEntry } from '@tollgate/api'

/** Work that an upstream finishes later: a drawing, or a task such as music. */
export type Job = Drawing | TaskEntry

/** The upstream's id; empty while a job was not taken. */
export function upstreamIdOf(job: Job): string {
  return 'mj_id' in job ? job.mj_id : job.task_id
}

/** Times of drawings are in milliseconds, those of tasks in seconds. */
export function timeUnitMs(job: Job): number {
  return 'mj_id' in job ? 1 : 1000
}

/** Names a job in an address: the upstream's id, else the row's number. */
export function jobKey(job: Job): string {
  return upstreamIdOf(job) || String(job.id)
}
