import type { Clock } from '@tollgate/base'
import type { OpenTaskRow } from '../../../store/work/tasks.ts'

/** Times for which the gateway follows tasks. */
export interface TaskLimits {
  /** Longest that an upstream may take to accept one. */
  readonly dispatchMs: number
  /** Longest that a task may take before it counts as lost. */
  readonly finishMs: number
  /** Longest that its upstream may be unreachable after that, before the task counts as lost. */
  readonly unreachableMs: number
}

/** Deadlines after which open tasks count as lost, by the wall clock, with the reason for each. */
export class TaskDeadlines {
  readonly #limits: TaskLimits
  readonly #clock: Clock

  constructor(limits: TaskLimits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  /** Decides whether no upstream has accepted the task in time. */
  wasNeverTaken({ reference, updatedMs }: OpenTaskRow): boolean {
    return reference === '' && this.#clock.now() - updatedMs > this.#limits.dispatchMs
  }

  deadlineMs({ submittedMs }: OpenTaskRow): number {
    return submittedMs + this.#limits.finishMs
  }

  /** Decides whether the response to a poll at that time is the last one before the task counts as lost. */
  isOverdue(row: OpenTaskRow, polledAtMs: number): boolean {
    return polledAtMs > this.deadlineMs(row)
  }

  /** Decides whether the task counts as lost although its upstream does not respond. */
  isLost(row: OpenTaskRow): boolean {
    return this.#clock.now() > this.deadlineMs(row) + this.#limits.unreachableMs
  }

  /** @param last the upstream's last state of the task */
  overdueReason(last = ''): string {
    const reason = `The upstream did not finish the task within ${minutesOf(this.#limits.finishMs)} minutes.`
    return last === '' ? reason : `${reason} Its last response: ${last}.`
  }

  lostReason(cause: string): string {
    const minutes = minutesOf(this.#limits.unreachableMs)
    return `${this.overdueReason()} For another ${minutes} minutes it could not be asked: ${cause}.`
  }
}

function minutesOf(ms: number): number {
  return Math.round(ms / 60_000)
}
