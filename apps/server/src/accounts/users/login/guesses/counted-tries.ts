import { type Clock, unixSeconds } from '@tollgate/base'
import type { SlidingWindow } from '../../../../lib/sliding-window.ts'
import type { OneTimeSecretRepository } from '../../../../store/accounts/one-time-secrets.ts'

/** Limits how often each subject may try something, over all nodes. */
export interface CountedTries<Subject> {
  /** Counts a try. Returns the seconds to wait, and counts nothing, when the tries of the window are used up; else 0. */
  take(subject: Subject): Promise<number>
  /** Takes back a try that turned out not to count. */
  giveBack(subject: Subject): Promise<void>
}

export type TryRepository = Pick<OneTimeSecretRepository, 'countAttempt' | 'refundAttempt'>

/** One of the counts that a try adds to. */
export interface TryCount {
  readonly subject: string
  readonly max: number
}

interface Options<Subject> {
  /** Counts of this process: they bound what a stranger can have stored. */
  readonly own: SlidingWindow<Subject>
  readonly tries: TryRepository
  /** Says in the database what is tried. */
  readonly purpose: string
  readonly windowSeconds: number
  readonly countsOf: (subject: Subject) => readonly TryCount[]
  /** A wall clock: nodes and restarts share the windows. */
  readonly clock: Clock
  /** Resolves to true when the operator had all counts forgotten since the last call. */
  readonly isForgotten?: () => Promise<boolean>
}

/** Counts in memory first, then in the database, where neither another node nor a restart forgets. */
export function createCountedTries<Subject>(options: Options<Subject>): CountedTries<Subject> {
  const { own, tries, purpose, windowSeconds, countsOf, clock, isForgotten } = options

  async function countAll(counts: readonly TryCount[]): Promise<boolean> {
    const now = unixSeconds(clock)
    for (const [index, { subject, max }] of counts.entries()) {
      if (await tries.countAttempt(purpose, subject, now, { max, windowSeconds })) continue
      await refundAll(counts.slice(0, index))
      return false
    }
    return true
  }

  async function refundAll(counts: readonly TryCount[]): Promise<void> {
    for (const { subject } of counts) await tries.refundAttempt(purpose, subject)
  }

  /** Counts in memory; a count that is used up may be one of before `tollgate unlock`. */
  async function takeOwn(subject: Subject): Promise<boolean> {
    if (own.take(subject)) return true
    if ((await isForgotten?.()) !== true) return false
    own.clear()
    return own.take(subject)
  }

  return {
    async take(subject) {
      if (!(await takeOwn(subject))) return own.retryAfterSeconds(subject)
      if (await countAll(countsOf(subject))) return 0
      own.giveBack(subject)
      return windowSeconds
    },
    async giveBack(subject) {
      own.giveBack(subject)
      await refundAll(countsOf(subject))
    },
  }
}
