import type { BodyListener } from '@tollgate/http'
import type { BodySink, Reply, StreamedBody } from '@tollgate/http/server'
import type { Begun } from './attempt.ts'
import { type RelayCall, requestIdHeaders } from './call.ts'
import type { Candidate } from './candidates.ts'
import { countedUsage } from './counted-usage.ts'
import type { EarlyEnd } from './delivery.ts'
import { brokenExchange, type ExchangeEnd } from './exchange.ts'
import type { InFlightEntry } from './in-flight.ts'
import type { RelayDependencies } from './relay-dependencies.ts'
import { RelayError, relayErrors } from './relay-error.ts'
import type { Till } from './till.ts'

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
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
  entry: InFlightEntry,
): Reply {
  if (call.connection.isGone) {
    begun.exchange.end('client')
    throw new RelayError('client_gone', 'The caller hung up.')
  }
  call.trail.firstTokenMs = deps.clock.now() - call.receivedAt
  begun.exchange.deadline.extend(deps.limits.silenceMs)
  const answer = new StreamingAnswer(call, candidate, begun, till, deps, entry)
  begun.exchange.whenEnded((reason) => answer.cutShort(reason))
  return { status: 200, headers: { ...streamHeaders, ...requestIdHeaders(call) }, body: answer }
}

class StreamingAnswer implements StreamedBody, BodyListener {
  readonly #call: RelayCall
  readonly #candidate: Candidate
  readonly #begun: StreamBegun
  readonly #till: Till
  readonly #deps: RelayDependencies
  readonly #entry: InFlightEntry
  #sink: BodySink | undefined
  #upstreamEnded: boolean
  #failed = false
  /** Nothing but the caller is waited for; otherwise how the exchange ends is seen where the upstream is read. */
  #stalled = true
  #settling = false

  constructor(
    call: RelayCall,
    candidate: Candidate,
    begun: StreamBegun,
    till: Till,
    deps: RelayDependencies,
    entry: InFlightEntry,
  ) {
    this.#call = call
    this.#candidate = candidate
    this.#begun = begun
    this.#till = till
    this.#deps = deps
    this.#entry = entry
    this.#upstreamEnded = begun.done
  }

  /** Hands everything over, as fast as the caller takes it. */
  pipe(sink: BodySink): void {
    if (this.#till.ended) {
      // Before the first byte left: the caller must not take nothing for an answer.
      sink.cutOff()
    } else {
      this.#sink = sink
      this.#forward(this.#begun.held)
    }
  }

  piece(bytes: Uint8Array): void {
    this.#read(bytes)
  }

  ended(): void {
    this.#read(undefined)
  }

  failed(error: unknown): void {
    this.#end(this.#fail(this.#endOf(error), brokenExchange(this.#begun.exchange, error).message))
  }

  /** @param bytes what the upstream sent next; `undefined` at its end */
  #read(bytes: Uint8Array | undefined): void {
    if (this.#till.ended) return
    const { reader, exchange } = this.#begun
    exchange.deadline.extend(this.#deps.limits.silenceMs)
    try {
      const step = bytes === undefined ? reader.end() : reader.push(bytes)
      this.#failed = step.error !== undefined
      this.#upstreamEnded = bytes === undefined || step.done || this.#failed
      this.#forward(step.forward)
    } catch (error) {
      this.failed(error)
      exchange.end('shutdown')
    }
  }

  /** Writes to the caller, and goes on as soon as the caller takes more. */
  #forward(pieces: readonly Uint8Array[]): void {
    const takesMore = this.#sink?.write(pieces) === true
    this.#stalled = !takesMore
    if (takesMore) this.#goOn()
    else this.#sink?.whenDrained(() => this.#goOn())
  }

  #goOn(): void {
    this.#stalled = false
    if (this.#till.ended) return
    if (this.#upstreamEnded) this.#end(this.#finish())
    else this.#begun.exchange.answer.next(this)
  }

  /** A fault of ours on the way breaks the stream off. */
  #end(ending: Promise<void>): void {
    ending.catch((error) => {
      this.#cutOff()
      this.#deps.fault(error, this.#call.requestId)
    })
  }

  /**
   * The exchange was ended from our side. Where the upstream is waited for, that is seen there; where it is not, the
   * caller has stopped reading and may never come back, so the call is settled here.
   */
  cutShort(reason: ExchangeEnd): void {
    if (!this.#stalled) return
    if (reason === 'shutdown') this.#end(this.#fail('shutdown', 'The gateway is restarting. Try again.'))
    else this.#end(this.#fail('client_gone'))
  }

  async #finish(): Promise<void> {
    const { reader, exchange } = this.#begun
    if (this.#failed) {
      exchange.end('shutdown')
      return this.#fail('upstream_error', 'The upstream reported an error in the middle of its answer.')
    }
    if (reader.outcome !== 'complete') {
      return this.#fail(this.#endOf(undefined), 'The upstream ended its answer before it was complete.')
    }
    exchange.done()
    const usage = await this.#settle(undefined)
    if (usage === undefined) return
    this.#close(reader.trailer(usage))
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

  /**
   * Ends the call early, unless it has ended. After the first byte an error is an event of the caller's format, never
   * a cheerful end.
   * @param message `undefined` when the caller is gone, or reads no more
   */
  async #fail(ended: EarlyEnd, message?: string): Promise<void> {
    if ((await this.#settle(ended)) === undefined) return
    if (message === undefined || ended === 'client_gone') return this.#cutOff()
    const { type } = relayErrors.upstream_unreachable
    const { requestId } = this.#call
    this.#close(this.#deps.dialect.errorEvent({ message, type, param: null, code: ended }, requestId))
  }

  #close(last: string): void {
    this.#sink?.end(last)
  }

  #cutOff(): void {
    this.#sink?.cutOff()
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
      const { usage } = reader
      const counted =
        usage === undefined
          ? await countedUsage(this.#call.request, reader.delivered())
          : { usage, estimated: false }
      this.#till.settle({ channel, upstreamModel, ...counted, ended })
      this.#till.record()
      return counted.usage
    } finally {
      this.#entry.leave()
    }
  }
}

/** How long the rest of a finished stream may take before its connection is given up. */
const restMs = 1000
