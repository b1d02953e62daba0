/** A song or its words as the gateway keeps them. Times are milliseconds, 0 until then. */
export interface SunoTask {
  readonly id: string
  readonly action: string
  readonly status: string
  /** Percent. */
  readonly progress: number
  readonly submittedMs: number
  readonly startedMs: number
  readonly finishedMs: number
  readonly failReason: string
  /** What the upstream made of it; null until it says. */
  readonly data: unknown
}

/** Writes a task as clients read it: times are seconds. */
export function encodeSunoTask(task: SunoTask) {
  return {
    task_id: task.id,
    action: task.action,
    status: task.status,
    fail_reason: task.failReason,
    submit_time: seconds(task.submittedMs),
    start_time: seconds(task.startedMs),
    finish_time: seconds(task.finishedMs),
    progress: `${task.progress}%`,
    data: task.data,
  }
}

/** An answer that is none of a refusal. */
export function encodeSunoResponse<Data>(data: Data) {
  return { code: 'success', message: '', data }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
