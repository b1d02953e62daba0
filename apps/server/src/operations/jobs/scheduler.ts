import type { Logger } from '../../lib/logger.ts'
import type { JobLeases } from './job-leases.ts'

/** Work that repeats. */
export interface Job {
  readonly name: string
  readonly everyMs: number
  /** `node`: every node does it. `fleet`: one node at a time, under a lease; another goes on when that one dies. */
  readonly scope: 'node' | 'fleet'
  /** Ends early when `signal` is aborted. A new signal: the node has the job anew, and others may have had it meanwhile. */
  run(signal: AbortSignal): Promise<void>
}

interface Options {
  readonly logger: Pick<Logger, 'error'>
  /** Absent where there is one node: it runs every job. */
  readonly leases?: JobLeases | undefined
  /** Decides whether this node may work for the fleet now. */
  readonly isFit?: (() => boolean) | undefined
}

/** A job that is due again sooner starts anew on its next node. */
const notedFromMs = 30_000

/**
 * Runs each job after its pause, counted from the end of its last run, so that a run never overlaps itself. A job of the fleet
 * runs while this node has its lease, and goes on where its last holder left it. A run that fails is logged and the job goes
 * on. Timers do not keep the process alive.
 */
export function createScheduler(jobs: readonly Job[], { logger, leases, isFit }: Options) {
  const repetitions = new Map(
    jobs.map((job) => [job.name, new Repetition(job, logger, isLeased(job) ? { leases, isFit } : {})]),
  )
  const leased = jobs.filter(isLeased)
  let stopping: Promise<void> | undefined

  function isLeased({ scope }: Job): boolean {
    return leases !== undefined && scope === 'fleet'
  }

  async function stopAll(): Promise<void> {
    await leases?.stop()
    for (const repetition of repetitions.values()) repetition.end()
    await Promise.all([...repetitions.values()].map((repetition) => repetition.idle()))
    await leases?.giveUp()
  }

  return {
    start(): void {
      for (const job of jobs) if (!isLeased(job)) repetitions.get(job.name)?.begin(job.everyMs)
      if (leased.length === 0) return
      const names = leased.map(({ name }) => name)
      leases?.start(names, {
        taken: (name, sinceRunMs) => repetitions.get(name)?.goOn(sinceRunMs),
        lost: (name) => repetitions.get(name)?.end(),
      })
    },
    /** Ends what runs, and resolves when it has ended and other nodes may go on. */
    stop(): Promise<void> {
      stopping ??= stopAll()
      return stopping
    },
  }
}

export type Scheduler = ReturnType<typeof createScheduler>

/** The runs of one job on this node. */
class Repetition {
  readonly #job: Job
  readonly #logger: Options['logger']
  readonly #leases: JobLeases | undefined
  readonly #isFit: () => boolean
  /** Aborted when the job is this node's no more. */
  #term: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(
    job: Job,
    logger: Options['logger'],
    { leases, isFit = () => true }: Pick<Options, 'leases' | 'isFit'>,
  ) {
    this.#job = job
    this.#logger = logger
    this.#leases = leases
    this.#isFit = isFit
  }

  begin(pauseMs: number): void {
    this.#term = new AbortController()
    this.#plan(pauseMs, this.#term.signal)
  }

  /** Takes the job over from a node that ran it so long ago. */
  goOn(sinceRunMs = 0): void {
    this.begin(Math.max(0, this.#job.everyMs - sinceRunMs))
  }

  end(): void {
    this.#term?.abort()
    clearTimeout(this.#timer)
  }

  idle(): Promise<void> {
    return this.#running
  }

  #plan(pauseMs: number, signal: AbortSignal): void {
    this.#timer = setTimeout(() => {
      // A run of an earlier term may still be ending.
      this.#running = this.#running.then(() => this.#runOnce(signal))
    }, pauseMs)
    this.#timer.unref()
  }

  async #runOnce(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    try {
      if (this.#isFit()) await this.#runFit(signal)
    } catch (error) {
      if (!signal.aborted)
        this.#logger.error(
          { err: error, job: this.#job.name },
          'this job failed, and runs again at its next time: see err for the cause',
        )
    }
    if (!signal.aborted) this.#plan(this.#job.everyMs, signal)
  }

  async #runFit(signal: AbortSignal): Promise<void> {
    await this.#job.run(signal)
    if (!signal.aborted && this.#job.everyMs >= notedFromMs) await this.#leases?.noteRun(this.#job.name)
  }
}
