import type { Logger } from '../lib/logger.ts'
import type { Patience } from './pulse.ts'
import type { WorkerProcess } from './worker-process.ts'

interface Watched {
  /** Read at each look. */
  readonly workers: Iterable<WorkerProcess>
  readonly patience: Patience
  /** Every worker was asked: some may be slow by now, or slow no more. */
  readonly looked: () => void
  readonly logger: Pick<Logger, 'error'>
}

/**
 * Asks all workers for a sign of life, again and again, and kills those that hang: what they had settled is in their journals, and nobody
 * else accepts from their queues. Returns what ends that.
 */
export function watchPulses({ workers, patience, looked, logger }: Watched): () => void {
  const look = () => {
    for (const worker of workers) {
      worker.ping()
      if (worker.isListening && worker.pulse.hasRunOut) endHung(worker)
    }
    looked()
  }
  const endHung = (worker: WorkerProcess) => {
    logger.error(
      { worker: worker.number, silentMs: patience.everyMs * patience.hungAfter },
      `worker ${worker.number} gives no sign of life and is killed: see whether the machine was short of memory or of processor time, and report it where it was not`,
    )
    worker.kill()
  }
  const timer = setInterval(look, patience.everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
