import type { Begun } from './attempt.ts'
import { type RelayCall, requestIdHeaders } from './call.ts'
import type { Candidate } from './candidates.ts'
import { countedUsage } from './counted-usage.ts'
import type { EarlyEnd } from './delivery.ts'
import { brokenExchange, type ExchangeEnd } from './exchange.ts'
import type { RelayDependencies } from './relay-dependencies.ts'
import { RelayError, relayErrors } from './relay-error.ts'
import type { Till } from './till.ts'

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
} as const

type StreamBegun = Extract<Begun, { kind: 'stream' }>

/**
 * Answers with a stream, forwarding frames as they came. The caller's own pace pulls it (back-pressure), and the end
 * mark leaves only after the call is settled. Whatever ends it early, what was delivered is charged: also when the
 * caller never asks for more, so that nobody keeps a call open, and unpaid, by not reading.
 */
export function streamAnswer(
  call: RelayCall,
  candidate: Candidate,
  begun: StreamBegun,
  till: Till,
  deps: RelayDependencies,
  leave: () => void,
): Response {
  if (call.connection.isGone) {
    begun.exchange.end('client')
    throw new RelayError('client_gone', 'The caller hung up.')
  }
  call.trail.firstTokenMs = deps.clock.now() - call.receivedAt
  begun.exchange.deadline.extend(deps.limits.silenceMs)
  const stream = new StreamingAnswer(call, candidate, begun, till, deps, leave)
  return new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => begun.exchange.whenEnded((reason) => void stream.ended(reason, controller)),
      pull: (controller) => stream.pull(controller),
      cancel: () => stream.cancel(),
    }),
    { headers: { ...streamHeaders, ...requestIdHeaders(call) } },
  )
}

class StreamingAnswer {
  readonly #call: RelayCall
  readonly #candidate: Candidate
  readonly #begun: StreamBegun
  readonly #till: Till
  readonly #deps: RelayDependencies
  readonly #leave: () => void
  #upstreamEnded: boolean
  #heldBack = true
  #failed = false
  /** A pull is under way and will see how the exchange ends. */
  #pulling = false
  #settling = false

  constructor(
    call: RelayCall,
    candidate: Candidate,
    begun: StreamBegun,
    till: Till,
    deps: RelayDependencies,
    leave: () => void,
  ) {
    this.#call = call
    this.#candidate = candidate
    this.#begun = begun
    this.#till = till
    this.#deps = deps
    this.#leave = leave
    this.#upstreamEnded = begun.done
  }

  /** Hands over the next bytes; called when the caller has taken the ones before. */
  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const { held, exchange } = this.#begun
    this.#pulling = true
    try {
      if (this.#heldBack) {
        this.#heldBack = false
        for (const piece of held) controller.enqueue(piece)
        if (!this.#upstreamEnded) return
      }
      while (!this.#upstreamEnded) if (await this.#forwardNext(controller)) return
      await this.#finish(controller)
    } catch (error) {
      await this.#fail(controller, this.#endOf(error), brokenExchange(exchange, error).message)
    } finally {
      this.#pulling = false
    }
  }

  /** Reads once from the upstream; true when the caller got something and has to ask again. */
  async #forwardNext(controller: ReadableStreamDefaultController<Uint8Array>): Promise<boolean> {
    const { reader, exchange } = this.#begun
    const { value } = await exchange.answer.read()
    if (this.#till.ended) return true
    exchange.deadline.extend(this.#deps.limits.silenceMs)
    const step = value === undefined ? reader.end() : reader.push(value)
    for (const piece of step.forward) controller.enqueue(piece)
    this.#failed = step.error !== undefined
    this.#upstreamEnded = value === undefined || step.done || this.#failed
    return step.forward.length > 0 && !this.#upstreamEnded
  }

  /** The caller hung up: the upstream is cut off at once, and what was delivered is charged. */
  async cancel(): Promise<void> {
    this.#begun.exchange.end('client')
    await this.#settle('client_gone')
  }

  /**
   * The exchange was ended from our side. A pull that waits for the upstream sees to it; where none waits, the caller
   * has stopped reading and may never come back, so the call is settled here.
   */
  async ended(reason: ExchangeEnd, controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#pulling) return
    try {
      if (reason === 'shutdown') {
        await this.#fail(controller, 'shutdown', 'The gateway is restarting. Try again.')
      } else if ((await this.#settle('client_gone')) !== undefined && reason === 'timeout') {
        controller.error(new Error('the caller does not read its answer'))
      }
    } catch {
      // The caller hung up meanwhile: nothing can be handed over any more, and nothing is left to settle.
    }
  }

  async #finish(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const { reader, exchange } = this.#begun
    if (this.#failed) {
      exchange.end('shutdown')
      return this.#fail(
        controller,
        'upstream_error',
        'The upstream reported an error in the middle of its answer.',
      )
    }
    if (reader.outcome !== 'complete') {
      return this.#fail(
        controller,
        this.#endOf(undefined),
        'The upstream ended its answer before it was complete.',
      )
    }
    exchange.done()
    const usage = await this.#settle(undefined)
    if (usage === undefined) return
    controller.enqueue(utf8.encode(reader.trailer(usage)))
    controller.close()
    void this.#readRest()
  }

  /** Bytes after the end mark are read away, so that the connection can serve the next call. */
  async #readRest(): Promise<void> {
    const { exchange } = this.#begun
    const deadline = this.#deps.deadlines.start(restMs, () => exchange.end('timeout'))
    try {
      while (!(await exchange.answer.read()).done);
    } catch {
      // The answer is complete; how its connection ends no longer matters.
    } finally {
      deadline.clear()
    }
  }

  /** After the first byte an error is an event of the caller's format, never a cheerful end. */
  async #fail(
    controller: ReadableStreamDefaultController<Uint8Array>,
    ended: EarlyEnd,
    message: string,
  ): Promise<void> {
    if ((await this.#settle(ended)) === undefined || ended === 'client_gone') return
    const { type } = relayErrors.upstream_unreachable
    const event = this.#deps.dialect.errorEvent(
      { message, type, param: null, code: ended },
      this.#call.requestId,
    )
    controller.enqueue(utf8.encode(event))
    controller.close()
  }

  #endOf(error: unknown): EarlyEnd {
    const { endedBy } = this.#begun.exchange
    if (endedBy === 'timeout') return 'timeout'
    if (endedBy === 'client') return 'client_gone'
    if (endedBy === 'shutdown' && error !== undefined) return 'shutdown'
    return 'upstream_cut'
  }

  /** Charges what was delivered; `undefined` when that had been done before. */
  async #settle(ended: EarlyEnd | undefined) {
    if (this.#till.ended || this.#settling) return undefined
    this.#settling = true
    const { channel, upstreamModel } = this.#candidate
    const { reader } = this.#begun
    try {
      const counted = await countedUsage(reader.usage, this.#call.request, () => reader.delivered())
      this.#till.settle({ channel, upstreamModel, ...counted, ended })
      this.#till.record()
      return counted.usage
    } finally {
      this.#leave()
    }
  }
}

const utf8 = new TextEncoder()

/** How long the rest of a finished stream may take before its connection is given up. */
const restMs = 1000
