import type { Clock } from '@tollgate/base'
import type { Logger } from '../lib/logger.ts'
import { maxSkewMs, skewText } from './clock-skew.ts'

/** Differences up to this are steps of NTP and pauses between two reads. */
const noticedMs = 2000
const defaultTimes = { lookMs: 1000, confirmMs: 60_000 }

interface Options {
  readonly wall: Clock
  readonly monotonic: Clock
  /** Measures the wall clock against the database's; absent where the database has no clock of its own. */
  readonly aheadOfDatabase?: (() => Promise<number>) | undefined
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly times?: typeof defaultTimes
}

/**
 * Notices that the wall clock of a running node was set, forwards or backwards: the monotonic clock does not move with it. From
 * then on a node of a fleet is not trusted until the database's clock confirms its own; a clock that drifts apart slowly is found
 * by a comparison every minute. Where the database is a file on this machine, a jump is logged.
 */
export class ClockWatch {
  readonly #options: Options
  #offsetMs: number
  #isConfirmed = true
  #comparedAt = Number.NEGATIVE_INFINITY
  #aheadMs: number | undefined
  #asking: Promise<void> | undefined
  /** Difference to the database that was logged last, so that it is logged once. */
  #reportedMs: number | undefined
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(options: Options) {
    this.#options = options
    this.#offsetMs = this.#offset()
  }

  /** Decides whether work by the wall clock may be done for other nodes. Compares the clocks, so that no jump is missed. */
  get isTrusted(): boolean {
    this.#look()
    return this.#isConfirmed
  }

  /** Lead of this machine's clock over the database's at their last comparison; `undefined` before, and without another clock. */
  get aheadMs(): number | undefined {
    return this.#aheadMs
  }

  start(): void {
    this.#comparedAt = this.#options.monotonic.now()
    this.#timer = setInterval(() => void this.check(), (this.#options.times ?? defaultTimes).lookMs)
    this.#timer.unref()
  }

  /** Looks for a jump, and asks the database where that is due. */
  async check(): Promise<void> {
    this.#look()
    const { monotonic, times = defaultTimes } = this.#options
    if (this.#isConfirmed && monotonic.now() - this.#comparedAt < times.confirmMs) return
    this.#asking ??= this.#confirm().finally(() => {
      this.#asking = undefined
    })
    await this.#asking
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #offset(): number {
    return this.#options.wall.now() - this.#options.monotonic.now()
  }

  #look(): void {
    const offsetMs = this.#offset()
    const jumpMs = offsetMs - this.#offsetMs
    this.#offsetMs = offsetMs
    if (Math.abs(jumpMs) <= noticedMs) return
    const { logger, aheadOfDatabase } = this.#options
    const isInFleet = aheadOfDatabase !== undefined
    logger.warn({ jumpMs: Math.round(jumpMs) }, jumpText(jumpMs, isInFleet))
    if (isInFleet) this.#isConfirmed = false
  }

  async #confirm(): Promise<void> {
    const { aheadOfDatabase, monotonic, logger } = this.#options
    if (aheadOfDatabase === undefined) return
    const wasConfirmed = this.#isConfirmed
    const offsetMs = this.#offsetMs
    try {
      const aheadMs = await aheadOfDatabase()
      this.#comparedAt = monotonic.now()
      this.#aheadMs = aheadMs
      this.#look()
      // Another jump came meanwhile: what was read is of the clock before it.
      if (Math.abs(this.#offsetMs - offsetMs) > noticedMs) return
      this.#isConfirmed = Math.abs(aheadMs) <= maxSkewMs
      if (!this.#isConfirmed) this.#complain(aheadMs)
      else if (!wasConfirmed) {
        this.#reportedMs = undefined
        logger.info({ aheadMs: Math.round(aheadMs) }, 'the database confirms the clock of this machine')
      }
    } catch (err) {
      if (!wasConfirmed)
        logger.warn(
          { err },
          'the clock of this machine cannot be compared with that of the database, and the last comparison holds: check the database',
        )
    }
  }

  #complain(aheadMs: number): void {
    const isReported = this.#reportedMs !== undefined && Math.abs(this.#reportedMs - aheadMs) <= noticedMs
    if (isReported) return
    this.#reportedMs = aheadMs
    this.#options.logger.error(
      { aheadMs: Math.round(aheadMs) },
      `${skewText(aheadMs)}: synchronize both (NTP). Until then this node takes no calls from load balancers and no jobs of the fleet`,
    )
  }
}

function jumpText(jumpMs: number, isInFleet: boolean): string {
  const seconds = Math.round(Math.abs(jumpMs) / 1000)
  const direction = jumpMs > 0 ? 'forwards' : 'backwards'
  const jumped = `the clock of this machine jumped ${seconds} s ${direction} while the gateway ran`
  const consequence = isInFleet
    ? 'this node does no work of the fleet until the database confirms its clock'
    : 'sessions, codes, expiry of keys, kept logs and the times of new rows go by it'
  return `${jumped}: ${consequence}. Keep it synchronized (NTP)`
}
