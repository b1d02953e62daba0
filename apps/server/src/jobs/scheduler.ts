import type { Logger } from '../lib/logger.ts'

/** Work that repeats. */
export interface Job {
  readonly name: string
  readonly everyMs: number
  /** Ends early when `signal` is aborted. */
  run(signal: AbortSignal): Promise<void>
}

/**
 * Runs each job after its pause, counted from the end of its last run, so that a run never overlaps itself. Logs a run
 * that fails and goes on. Timers do not hold the process open.
 */
export function createScheduler(jobs: readonly Job[], logger: Pick<Logger, 'error'>) {
  const timers = new Map<Job, ReturnType<typeof setTimeout>>()
  const running = new Set<Promise<void>>()
  let controller = new AbortController()

  function plan(job: Job): void {
    const timer = setTimeout(() => {
      const run = runOnce(job).finally(() => running.delete(run))
      running.add(run)
    }, job.everyMs)
    timer.unref()
    timers.set(job, timer)
  }

  async function runOnce(job: Job): Promise<void> {
    const { signal } = controller
    try {
      await job.run(signal)
    } catch (error) {
      if (!signal.aborted) logger.error({ err: error, job: job.name }, 'a job failed')
    }
    if (!signal.aborted) plan(job)
  }

  return {
    start(): void {
      controller = new AbortController()
      for (const job of jobs) plan(job)
    },
    /** Ends running jobs, and resolves when they have ended. */
    async stop(): Promise<void> {
      controller.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      await Promise.all(running)
    },
  }
}
