import type { Logger } from '../lib/logger.ts'
import { isRetryable } from './delivery-error.ts'

/** A message to deliver. */
export interface Delivery {
  /** For the log: no address, no secret. */
  readonly about: Readonly<Record<string, unknown>>
  /** One attempt. */
  send(signal: AbortSignal): Promise<void>
  /** Called when it was delivered or given up; not when the gateway stops before. */
  settled?(): void
}

interface Options {
  readonly logger: Pick<Logger, 'warn' | 'info'>
  /** The most messages that wait, for a turn or for a retry. */
  readonly limit?: number
  readonly atOnce?: number
  /** Pauses before the second and each further attempt; after the last the message is given up. */
  readonly pausesMs?: readonly number[]
}

const defaults = { limit: 1000, atOnce: 8, pausesMs: [1000, 5000, 30_000] }

/** Sends in the background, a few at a time; a delivery that waits for its retry blocks no other. */
export function createDeliveryQueue(options: Options) {
  const { logger, limit, atOnce, pausesMs } = { ...defaults, ...options }
  const ready: { readonly delivery: Delivery; readonly tries: number }[] = []
  const pausing = new Set<ReturnType<typeof setTimeout>>()
  const running = new Set<Promise<void>>()
  const ending = new AbortController()

  function enqueue(delivery: Delivery, tries: number): void {
    ready.push({ delivery, tries })
    next()
  }

  function next(): void {
    if (running.size >= atOnce || ending.signal.aborted) return
    const waiting = ready.shift()
    if (waiting === undefined) return
    const run = tryOnce(waiting.delivery, waiting.tries).finally(() => {
      running.delete(run)
      next()
    })
    running.add(run)
  }

  async function tryOnce(delivery: Delivery, tries: number): Promise<void> {
    try {
      await delivery.send(ending.signal)
      delivery.settled?.()
    } catch (error) {
      if (!ending.signal.aborted) failed(delivery, tries, error)
    }
  }

  function failed(delivery: Delivery, tries: number, error: unknown): void {
    const pauseMs = isRetryable(error) ? pausesMs[tries] : undefined
    const facts = { ...delivery.about, reason: reasonOf(error), tries: tries + 1 }
    if (pauseMs === undefined) {
      logger.warn(facts, 'a notification was given up')
      delivery.settled?.()
      return
    }
    logger.info(facts, 'a notification did not arrive, trying again')
    const timer = setTimeout(() => {
      pausing.delete(timer)
      enqueue(delivery, tries + 1)
    }, pauseMs)
    timer.unref()
    pausing.add(timer)
  }

  return {
    /** False, and the message is lost, when too many wait. Never throws. */
    add(delivery: Delivery): boolean {
      if (ending.signal.aborted) return false
      if (ready.length + pausing.size >= limit) {
        logger.warn(delivery.about, 'a notification is lost: too many wait')
        return false
      }
      enqueue(delivery, 0)
      return true
    },
    /** Aborts deliveries under way and drops those that wait. */
    async stop(): Promise<void> {
      ending.abort()
      for (const timer of pausing) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>

/** The error in words: its full text may name the address, and addresses of webhooks can hold secrets. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const own = `${error.name}: ${error.message}`
  return error.cause instanceof Error ? `${own} (${reasonOf(error.cause)})` : own
}
