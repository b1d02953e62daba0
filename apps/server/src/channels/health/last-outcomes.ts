import { type ChannelReason, type ChannelReasonParams, isChannelReasonCode } from '@tollgate/api'
import type { ChannelOutcome, ChannelOutcomeRepository } from '../../store/channels/channels.ts'
import type { ChannelSnapshot } from '../routing/routing-types.ts'
import type { HealthRegistry } from './health-types.ts'

/** Times of the last success and failure of a channel's calls, where the failure is its fault; unix seconds, 0 for never. */
export interface LastOutcome {
  readonly lastSuccessAt: number
  readonly lastFailureAt: number
  readonly lastFailure: ChannelReason | undefined
}

export const neverTried: LastOutcome = { lastSuccessAt: 0, lastFailureAt: 0, lastFailure: undefined }

/** A channel that goes on succeeding is written again after this long, not for each call. */
const staleAfterSeconds = 60

/**
 * The last outcomes of every channel. They outlive the process: changes are written from time to time, so that the
 * console shows a failing channel as failing after a restart.
 */
export class LastOutcomes {
  readonly #last = new Map<number, LastOutcome>()
  /** The outcomes last written. */
  readonly #written = new Map<number, LastOutcome>()
  readonly #changed = new Set<number>()

  of(channelId: number): LastOutcome {
    return this.#last.get(channelId) ?? neverTried
  }

  succeed(channelId: number, at: number): void {
    const last = this.of(channelId)
    if (last.lastSuccessAt === at) return
    this.#last.set(channelId, { ...last, lastSuccessAt: at })
    const written = this.#written.get(channelId) ?? neverTried
    const isNews = written.lastSuccessAt <= last.lastFailureAt
    if (isNews || at - written.lastSuccessAt >= staleAfterSeconds) this.#changed.add(channelId)
  }

  fail(channelId: number, at: number, reason: ChannelReason): void {
    this.#last.set(channelId, { ...this.of(channelId), lastFailureAt: at, lastFailure: reason })
    this.#changed.add(channelId)
  }

  restore(outcomes: readonly ChannelOutcome[]): void {
    for (const outcome of outcomes) {
      const last = lastOutcomeOf(outcome)
      this.#last.set(outcome.channelId, last)
      this.#written.set(outcome.channelId, last)
    }
  }

  /** Returns the outcomes that changed since the last call; they count as written from now on. */
  take(): readonly ChannelOutcome[] {
    const taken = [...this.#changed].map((channelId) => {
      const last = this.of(channelId)
      this.#written.set(channelId, last)
      return outcomeOf(channelId, last)
    })
    this.#changed.clear()
    return taken
  }

  forget(channelId: number): void {
    this.#last.delete(channelId)
    this.#written.delete(channelId)
    this.#changed.delete(channelId)
  }
}

function lastOutcomeOf({
  lastSuccessAt,
  lastFailureAt,
  failureCode,
  failureParams,
}: ChannelOutcome): LastOutcome {
  return { lastSuccessAt, lastFailureAt, lastFailure: reasonOf(failureCode, failureParams) }
}

/** Reads a reason; an unknown code, written by a later version, counts as no failure. */
function reasonOf(code: string, params: ChannelReasonParams): ChannelReason | undefined {
  return isChannelReasonCode(code) ? { code, params } : undefined
}

function outcomeOf(channelId: number, { lastFailure, ...times }: LastOutcome): ChannelOutcome {
  return {
    channelId,
    ...times,
    failureCode: lastFailure?.code ?? '',
    failureParams: lastFailure?.params ?? {},
  }
}

interface Dependencies {
  readonly outcomes: Pick<ChannelOutcomeRepository, 'save'>
  readonly health: Pick<HealthRegistry, 'takeOutcomes'>
  readonly directory: { readonly snapshot: ChannelSnapshot }
}

/** Writes the outcomes that changed since the last run. The next run repeats what could not be written. */
export function createOutcomeWriter({ outcomes, health, directory }: Dependencies): () => Promise<void> {
  const unwritten = new Map<number, ChannelOutcome>()
  return async () => {
    for (const outcome of health.takeOutcomes()) unwritten.set(outcome.channelId, outcome)
    const written = [...unwritten.values()].filter(({ channelId }) => directory.snapshot.channel(channelId))
    await outcomes.save(written)
    unwritten.clear()
  }
}
