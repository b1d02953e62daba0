/** How an account's tasks have been asked about so far. */
export interface PollState {
  /** Tasks that have not ended. */
  readonly count: number
  /** The most tasks that one question names. */
  readonly batch: number
  /** Milliseconds since the last of them was submitted. */
  readonly youngestMs: number
  /** Answers in a row that told nothing new. */
  readonly quiet: number
  /** Questions in a row that got no answer. */
  readonly failures: number
}

const youngMs = 60_000
/** More tasks than these are not asked about more often because one of them is young. */
const fewTasks = 200
const quietAnswers = 8
const shortestPauseMs = 250
const longestPauseMs = 5 * 60_000

/**
 * How long an account is left alone after a question. Every task has its turn within a round; where a question cannot name
 * all of them, questions come closer together instead. Young tasks are asked about more often, quiet ones less, and an
 * upstream that does not answer is left alone longer each time.
 * @param roundMs the usual time of a round
 */
export function pollPause({ count, batch, youngestMs, quiet, failures }: PollState, roundMs: number): number {
  if (failures > 0) return Math.min(roundMs * 2 ** Math.min(failures, 10), Math.max(longestPauseMs, roundMs))
  const isYoung = youngestMs < youngMs && count <= fewTasks
  const round = isYoung ? roundMs / 5 : quiet >= quietAnswers ? roundMs * 2 : roundMs
  return Math.max(shortestPauseMs, Math.min(round, (round * batch) / Math.max(count, 1)))
}
