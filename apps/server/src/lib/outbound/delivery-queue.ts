import type { Logger } from '../logger.ts'
import { Refusal } from '../refusal.ts'
import { OutboundError } from './outbound-fetch.ts'
import { OutboundForbiddenError } from './outbound-guard.ts'

/** Each kind has its own turns and its own bound: slow receivers of one kind delay no other. */
const kinds = ['mail', 'notification', 'task'] as const

/** A message to deliver. */
export interface Delivery {
  readonly kind: (typeof kinds)[number]
  /** Facts for the log: no address, no secret. */
  readonly about: Readonly<Record<string, unknown>>
  /** One attempt. */
  send(signal: AbortSignal): Promise<void>
  /** Called when it arrived or was given up; not when the gateway stops before. */
  settled?(): void
}

interface Options {
  readonly logger: Pick<Logger, 'warn' | 'info'>
  /** Messages of one kind that wait, for a turn or for another try. */
  readonly limit?: number
  readonly atOnce?: number
  /** Pauses before the second and each further attempt; after the last the message is given up. */
  readonly pausesMs?: readonly number[]
}

const defaults = { limit: 1000, atOnce: 8, pausesMs: [1000, 5000, 30_000] }

/** Delivers mails and webhooks in the background: the one place that retries, bounds and stops them. */
export function createDeliveryQueue(options: Options) {
  const lane = () => createLane({ ...defaults, ...options })
  const lanes = { mail: lane(), notification: lane(), task: lane() } satisfies Record<Delivery['kind'], Lane>
  return {
    /** False, and the message is lost, when too many of its kind wait. Never throws. */
    add: (delivery: Delivery): boolean => lanes[delivery.kind].add(delivery),
    /** Aborts the deliveries under way and drops what waits. */
    stop: async (): Promise<void> => void (await Promise.all(kinds.map((kind) => lanes[kind].stop()))),
  }
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>

type Lane = ReturnType<typeof createLane>

/** Sends a few at a time; a delivery that waits for its next try blocks no other. */
function createLane({ logger, limit, atOnce, pausesMs }: Required<Options>) {
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
    const facts = { kind: delivery.kind, ...delivery.about, reason: reasonOf(error), tries: tries + 1 }
    if (pauseMs === undefined) {
      logger.warn(
        facts,
        'this message was given up after its last try: check the destination, or the SMTP settings',
      )
      delivery.settled?.()
      return
    }
    logger.info(facts, 'this message did not arrive and is sent again later')
    const timer = setTimeout(() => {
      pausing.delete(timer)
      enqueue(delivery, tries + 1)
    }, pauseMs)
    timer.unref()
    pausing.add(timer)
  }

  return {
    add(delivery: Delivery): boolean {
      if (ending.signal.aborted) return false
      if (ready.length + pausing.size >= limit) {
        logger.warn(
          { kind: delivery.kind, ...delivery.about },
          'this message is lost, because too many wait for a destination that does not respond: check the SMTP settings and webhooks',
        )
        return false
      }
      enqueue(delivery, 0)
      return true
    },
    async stop(): Promise<void> {
      ending.abort()
      for (const timer of pausing) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

/** A message that was not delivered. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  /** Another attempt would not help. */
  readonly isPermanent: boolean

  constructor(message: string, { isPermanent }: { readonly isPermanent: boolean }) {
    super(message)
    this.isPermanent = isPermanent
  }
}

/** Decides whether another attempt may succeed after this error. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof DeliveryError) return !error.isPermanent
  if (error instanceof OutboundForbiddenError) return false
  if (error instanceof OutboundError) return error.failure === 'timeout' || error.failure === 'unreachable'
  if (error instanceof Refusal) return error.code === 'mail_failed' && !isRefusedForGood(error.cause)
  return true
}

/** SMTP: replies from 500 on are permanent, those below are not. https://www.rfc-editor.org/rfc/rfc5321#section-4.2.1 */
function isRefusedForGood(cause: unknown): boolean {
  const { responseCode = 0 } = (cause ?? {}) as { readonly responseCode?: number }
  return responseCode >= 500
}

/** The error in words: its full text may name the address, and addresses of webhooks can hold secrets. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const own = `${error.name}: ${error.message}`
  return error.cause instanceof Error ? `${own} (${reasonOf(error.cause)})` : own
}
