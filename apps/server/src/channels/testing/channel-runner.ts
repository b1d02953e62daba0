import type { ChannelReason } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import { inParallel } from '../../lib/async/in-parallel.ts'
import type { RoutedChannel } from '../routing/routing-types.ts'

/** A channel, or one key of it, that a run took out of service. */
export interface TakenOut {
  readonly id: number
  readonly name: string
  /** The place of the key that alone is out; `null` for the complete channel. */
  readonly keyIndex: number | null
  readonly reason: ChannelReason
}

/** What a run found out about a channel, and did to it. */
export interface ChannelOutcome {
  readonly isFine: boolean
  readonly takenOut?: TakenOut | undefined
  /** Its test or its balance is bad, and it stays in service because calls succeed there. */
  readonly isSpared?: boolean
}

/** The progress of a run, or the result of the last one. Times in unix seconds, 0 for none. */
export interface RunProgress {
  readonly running: boolean
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly cancelled: boolean
  readonly startedAt: number
  readonly finishedAt: number
  readonly startedBy: string
  readonly takenOut: readonly TakenOut[]
  readonly spared: readonly Pick<RoutedChannel, 'id' | 'name'>[]
}

/** A run over channels that can be started in the background, watched and cancelled. */
export interface ChannelRunControl<Starter> {
  /** Starts a run in the background. Throws `Refusal` while one is under way. */
  start(starter: Starter): void | Promise<void>
  /** Runs to the end; does nothing while a run is under way. */
  run(signal: AbortSignal): Promise<void>
  readonly progress: RunProgress
  /** Aborts the run, if there is one, and resolves when it has ended. */
  cancel(): Promise<RunProgress>
}

interface Run {
  readonly startedBy: string
  readonly channels: readonly RoutedChannel[]
  readonly work: (channel: RoutedChannel, signal: AbortSignal) => Promise<ChannelOutcome>
  readonly signal?: AbortSignal | undefined
}

interface Dependencies {
  readonly wallClock: Clock
}

const atOnce = 4

const never: RunProgress = {
  running: false,
  total: 0,
  done: 0,
  failed: 0,
  cancelled: false,
  startedAt: 0,
  finishedAt: 0,
  startedBy: '',
  takenOut: [],
  spared: [],
}

/** One run at a time in the whole process, some channels side by side. */
export class ChannelRunner {
  readonly #deps: Dependencies
  #progress = never
  #current: { readonly controller: AbortController; readonly ended: Promise<unknown> } | undefined

  constructor(deps: Dependencies) {
    this.#deps = deps
  }

  get progress(): RunProgress {
    return this.#progress
  }

  /** Resolves with the result; rejects with the first fault, when all the others are done. One run at a time. */
  run(run: Run): Promise<RunProgress> {
    const controller = new AbortController()
    const signal =
      run.signal === undefined ? controller.signal : AbortSignal.any([controller.signal, run.signal])
    const startedAt = unixSeconds(this.#deps.wallClock)
    const { startedBy, channels } = run
    this.#progress = { ...never, running: true, total: channels.length, startedAt, startedBy }
    const ended = this.#runAll(run, signal)
    this.#current = { controller, ended }
    return ended
  }

  async cancel(): Promise<RunProgress> {
    this.#current?.controller.abort()
    await this.#current?.ended.catch(() => undefined)
    return this.#progress
  }

  async #runAll({ channels, work }: Run, signal: AbortSignal): Promise<RunProgress> {
    const each = async (channel: RoutedChannel) => {
      let outcome: ChannelOutcome = { isFine: false }
      try {
        outcome = await work(channel, signal)
      } catch (error) {
        // An aborted test says nothing about the channel.
        if (signal.aborted) return
        throw error
      } finally {
        if (!signal.aborted) this.#count(channel, outcome)
      }
    }
    try {
      await inParallel(channels, atOnce, each, signal)
    } finally {
      this.#current = undefined
      const { done, total } = this.#progress
      const cancelled = signal.aborted && done < total
      const finishedAt = unixSeconds(this.#deps.wallClock)
      this.#progress = { ...this.#progress, running: false, cancelled, finishedAt }
    }
    return this.#progress
  }

  #count({ id, name }: RoutedChannel, { isFine, takenOut, isSpared = false }: ChannelOutcome): void {
    const { done, failed, takenOut: out, spared } = this.#progress
    this.#progress = {
      ...this.#progress,
      done: done + 1,
      failed: failed + (isFine ? 0 : 1),
      takenOut: takenOut === undefined ? out : [...out, takenOut],
      spared: isSpared ? [...spared, { id, name }] : spared,
    }
  }
}
