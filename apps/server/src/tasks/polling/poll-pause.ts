import type { Clock } from '@tollgate/base'
import type { PollFailure } from './poll-account.ts'

/** Tasks of an account that are asked about alike, and how that has gone so far. */
interface PollState {
  readonly count: number
  /** The most tasks that one question names. */
  readonly batch: number
  /** Milliseconds since the last of them was submitted. */
  readonly youngestMs: number
  /** Answers in a row that told nothing new. */
  readonly unchangedPolls: number
}

const youngMs = 60_000
/** More tasks than these are not asked about more often because one of them is young. */
const fewTasks = 200
const manyUnchangedPolls = 8
/** Between two questions of a lane, on average. */
export const shortestPauseMs = 100
const longestPauseMs = 5 * 60_000

/**
 * The time from one question to the next. Every task has its turn within a round; where a question cannot name all of them,
 * questions come closer together instead. Young tasks are asked about more often, quiet ones less.
 * @param roundMs the usual time of a round
 */
export function pollPause({ count, batch, youngestMs, unchangedPolls }: PollState, roundMs: number): number {
  const isYoung = youngestMs < youngMs && count <= fewTasks
  const round = isYoung ? roundMs / 5 : unchangedPolls >= manyUnchangedPolls ? roundMs * 2 : roundMs
  return Math.max(shortestPauseMs, Math.min(round, (round * batch) / Math.max(count, 1)))
}

/**
 * How long something is left alone that has failed, longer each time.
 * @param failures in a row, at least 1
 */
export function backOff(failures: number, roundMs: number): number {
  return Math.min(roundMs * 2 ** Math.min(failures, 10), Math.max(longestPauseMs, roundMs))
}

interface Dependencies {
  readonly monotonic: Clock
  readonly roundMs: number
}

/** Leaves an account alone while any question of it would fail, longer each time. */
export class AccountBackoff {
  readonly #deps: Dependencies
  #untilMs = 0
  #failures = 0
  #timeouts = 0

  constructor(deps: Dependencies) {
    this.#deps = deps
  }

  /** Questions in a row that failed for the whole account. */
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

  /** Whether a failure leaves the account alone: a question that hangs may do so for one task, several in a row do not. */
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
