import type { Clock } from '@tollgate/base'
import type { PollFailure } from './poll-account.ts'

/** The state of a lane: tasks of an account that are polled alike. */
interface PollState {
  readonly count: number
  /** The most tasks that one poll names. */
  readonly batch: number
  /** Milliseconds since the last of them was submitted. */
  readonly youngestMs: number
  /** Consecutive polls without a change. */
  readonly unchangedPolls: number
}

const youngMs = 60_000
/** A lane of more tasks is not polled more often because one of them is young. */
const fewTasks = 200
const manyUnchangedPolls = 8
/** Shortest average time between two polls of a lane. */
export const minPauseMs = 100
const maxPauseMs = 5 * 60_000

/**
 * The time from one poll to the next. Every task has its turn within a round; where one poll cannot name all of them, polls
 * come closer together. Young tasks are polled more often, quiet ones less.
 * @param roundMs the usual time of a round
 */
export function pollPause({ count, batch, youngestMs, unchangedPolls }: PollState, roundMs: number): number {
  const isYoung = youngestMs < youngMs && count <= fewTasks
  const round = isYoung ? roundMs / 5 : unchangedPolls >= manyUnchangedPolls ? roundMs * 2 : roundMs
  return Math.max(minPauseMs, Math.min(round, (round * batch) / Math.max(count, 1)))
}

/**
 * The pause after a failure, longer each time.
 * @param failures in a row, at least 1
 */
export function backOff(failures: number, roundMs: number): number {
  return Math.min(roundMs * 2 ** Math.min(failures, 10), Math.max(maxPauseMs, roundMs))
}

interface Dependencies {
  readonly monotonic: Clock
  readonly roundMs: number
}

/** Pauses an account while every poll of it would fail, longer each time. */
export class AccountBackoff {
  readonly #deps: Dependencies
  #untilMs = 0
  #failures = 0
  #timeouts = 0

  constructor(deps: Dependencies) {
    this.#deps = deps
  }

  /** Consecutive polls that failed for the whole account. */
  get failures(): number {
    return this.#failures
  }

  isOver(): boolean {
    return this.#untilMs <= this.#deps.monotonic.now()
  }

  responded(): void {
    this.#failures = 0
    this.#timeouts = 0
  }

  /** Counts a failure; true when it pauses the account: one timeout may concern one task, several in a row do not. */
  failed({ ofAccount, isTimeout }: Pick<PollFailure, 'ofAccount' | 'isTimeout'>): boolean {
    this.#timeouts = isTimeout ? this.#timeouts + 1 : 0
    if (ofAccount || this.#timeouts > 1) {
      this.#failures += 1
      this.pause(backOff(this.#failures, this.#deps.roundMs))
      return true
    }
    if (!isTimeout) this.#failures = 0
    return false
  }

  pause(ms: number): void {
    this.#untilMs = this.#deps.monotonic.now() + ms
  }
}
