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

/** Over twelve minutes: a receiver that restarts, or a mail server that takes a stranger's mail at the second try, gets it. */
const defaultPausesMs = [1000, 5000, 30_000, 120_000, 600_000]
const defaults = { limit: 1000, atOnce: 8, pausesMs: defaultPausesMs }

/** Milliseconds from the first try of a message to its last, beside what the tries themselves take. */
export const lastTryAfterMs = defaultPausesMs.reduce((sum, pauseMs) => sum + pauseMs)

/** Delivers mails and webhooks in the background: the one place that retries, bounds and stops them. */
export function createDeliveryQueue(options: Options) {
  const lane = () => createLane({ ...defaults, ...options })
  const lanes = { mail: lane(), notification: lane(), task: lane() } satisfies Record<Delivery['kind'], Lane>
  return {
    /**
     * False, and the message is lost, when too many of its kind wait for a turn. One that waits for another try gives way before:
     * a receiver that is away must not cost others their messages. Never throws.
     */
    add: (delivery: Delivery): boolean => lanes[delivery.kind].add(delivery),
    /** Aborts the deliveries under way and drops what waits. */
    stop: async (): Promise<void> => void (await Promise.all(kinds.map((kind) => lanes[kind].stop()))),
  }
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>

type Lane = ReturnType<typeof createLane>

interface Waiting {
  readonly delivery: Delivery
  /** Failed ones. */
  readonly tries: number
}

/** Sends a few at a time; a delivery that waits for its next try blocks no other. */
function createLane({ logger, limit, atOnce, pausesMs }: Required<Options>) {
  const ready: Waiting[] = []
  const pausing = createPauses()
  const running = new Set<Promise<void>>()
  const ending = new AbortController()

  function enqueue(waiting: Waiting): void {
    ready.push(waiting)
    next()
  }

  function next(): void {
    if (running.size >= atOnce || ending.signal.aborted) return
    const waiting = ready.shift()
    if (waiting === undefined) return
    const run = tryOnce(waiting).finally(() => {
      running.delete(run)
      next()
    })
    running.add(run)
  }

  async function tryOnce({ delivery, tries }: Waiting): Promise<void> {
    try {
      await delivery.send(ending.signal)
      delivery.settled?.()
    } catch (error) {
      if (!ending.signal.aborted) failed({ delivery, tries: tries + 1 }, error)
    }
  }

  function failed(waiting: Waiting, error: unknown): void {
    const pauseMs = isRetryable(error) ? pausesMs[waiting.tries - 1] : undefined
    const reason = reasonOf(error)
    if (pauseMs === undefined) giveUp(waiting, reason)
    else {
      logger.info({ ...factsOf(waiting), reason }, 'this message did not arrive and is sent again later')
      pausing.add(waiting, pauseMs, () => enqueue(waiting))
    }
  }

  function giveUp(waiting: Waiting, reason: string): void {
    const facts = { ...factsOf(waiting), reason }
    logger.warn(facts, 'this message was given up: check the destination, or the SMTP settings')
    waiting.delivery.settled?.()
  }

  return {
    add(delivery: Delivery): boolean {
      if (ending.signal.aborted) return false
      const isFull = ready.length + pausing.size >= limit
      const replaced = isFull ? pausing.take() : undefined
      if (replaced !== undefined) giveUp(replaced, 'too many others wait')
      else if (isFull) {
        logger.warn(
          factsOf({ delivery, tries: 0 }),
          'this message is lost, because too many wait for a destination that does not respond: check the SMTP settings and webhooks',
        )
        return false
      }
      enqueue({ delivery, tries: 0 })
      return true
    },
    async stop(): Promise<void> {
      ending.abort()
      pausing.clear()
      await Promise.all(running)
    },
  }
}

function factsOf({ delivery: { kind, about }, tries }: Waiting): Readonly<Record<string, unknown>> {
  return { kind, ...about, tries }
}

/** Messages that wait for another try. */
function createPauses() {
  const pausing = new Map<ReturnType<typeof setTimeout>, Waiting>()
  return {
    get size() {
      return pausing.size
    },
    add(waiting: Waiting, pauseMs: number, ended: () => void): void {
      const timer = setTimeout(() => {
        pausing.delete(timer)
        ended()
      }, pauseMs)
      timer.unref()
      pausing.set(timer, waiting)
    },
    /** Takes out the message with the highest number of failed tries. */
    take(): Waiting | undefined {
      const [timer, waiting] = [...pausing].toSorted(([, a], [, b]) => b.tries - a.tries)[0] ?? []
      clearTimeout(timer)
      if (timer !== undefined) pausing.delete(timer)
      return waiting
    },
    clear(): void {
      for (const timer of pausing.keys()) clearTimeout(timer)
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

/** Throws `DeliveryError` when a receiver did not respond with 2xx. */
export function assertDelivered(status: number): void {
  if (status < 200 || status >= 300)
    throw new DeliveryError(`the receiver responded with ${status}`, { isPermanent: isLasting(status) })
}

/** Recognises a status with which a receiver refuses the request itself: a retry cannot help. */
function isLasting(status: number): boolean {
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status)
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
