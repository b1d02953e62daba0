import type { UpstreamErrorInfo, Usage } from '@tollgate/formats'
import type { BodyListener } from '@tollgate/http'
import type { BodySink, StreamedBody } from '@tollgate/http/server'
import { limitsAfterOverride } from '../../../billing/pricing/output-limits.ts'
import { brokenExchange, type ExchangeEnd } from '../../../upstream/exchange.ts'
import type { RefusedRoom } from '../../../upstream/response-body/response-memory.ts'
import type { StartedStream } from '../attempts/attempt-result.ts'
import { endedByUpstream } from '../attempts/broken-response.ts'
import type { RelayCall } from '../call.ts'
import type { CallCharge } from '../charge/call-charge.ts'
import type { EarlyEnd } from '../charge/counted-usage.ts'
import { countedUsage, isWhole, servedBy } from '../charge/counted-usage.ts'
import { OutputBound } from '../charge/output-bound.ts'
import { StreamBudget } from '../charge/stream-budget.ts'
import type { InFlightEntry } from '../in-flight.ts'
import type { CallOutcome, LimitGrant } from '../limits/limits.ts'
import { overloadError } from '../overload-error.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import { apiErrorOf, insufficientQuota, internalError, RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import { CallerDelivery } from './caller-delivery.ts'
import { PingTimer } from './pings.ts'
import { StreamMemory } from './stream-memory.ts'

/** Dependencies of serving one streamed call. */
export interface StreamContext {
  readonly call: RelayCall
  readonly charge: CallCharge
  readonly grant: Pick<LimitGrant, 'release'>
  readonly entry: InFlightEntry
  readonly deps: RelayDependencies
}

/**
 * States of a streamed response:
 * - `waiting`: pings keep the caller's connection alive; no upstream has responded yet, so failover still goes on
 * - `flowing`: the upstream is read as fast as the caller takes it
 * - `stalled`: the caller's buffer is full; the stream waits for nothing else
 * - `covering`: the relay counts what was delivered, to check whether the balance covers more
 * - `settling`: the relay delivers nothing more and computes the charge
 * - `over`: charged or released, and the last byte delivered
 */
type State = 'waiting' | 'flowing' | 'stalled' | 'covering' | 'settling' | 'over'

/**
 * One streamed response in delivery: forwards frames as the caller takes them (back-pressure), and sends the end mark only
 * after the call is settled.
 * @step
 */
export class StreamResponse implements StreamedBody, BodyListener {
  #state: State = 'waiting'
  readonly #context: StreamContext
  readonly #budget: StreamBudget
  readonly #ping: PingTimer | undefined
  #bound: OutputBound | undefined
  #candidate: Candidate | undefined
  #started: StartedStream | undefined
  readonly #delivery: CallerDelivery
  #upstreamEnded = false
  /** Received bytes that are still to be read: the balance is checked in between. */
  #unread: Uint8Array | undefined
  /** The error that the upstream reported inside its stream. */
  #failure: UpstreamErrorInfo | undefined
  /** Events have gone out, or are on their way. */
  #hasWritten = false
  readonly #memory: StreamMemory

  constructor(context: StreamContext) {
    this.#context = context
    this.#budget = new StreamBudget(context.charge, context.call.request)
    this.#memory = new StreamMemory(() => context.deps.responses.enter(context.call.caller.user.id))
    const { connection } = context.call
    // Nothing but the end of such a stream says what the call costs.
    this.#delivery = new CallerDelivery(connection, context.charge.price.whenUncounted !== undefined)
    const { pingMs } = context.deps.pings
    const { stream, streamForm } = context.call.request
    const isPinged = pingMs !== undefined && stream && streamForm.ping !== undefined
    this.#ping = isPinged ? new PingTimer(context.deps.deadlines, pingMs) : undefined
  }

  /** Starts delivery. On an internal error it ends the upstream exchange and throws, so that the call can be refused. */
  begin(candidate: Candidate, started: StartedStream): void {
    try {
      this.#begin(candidate, started)
    } catch (error) {
      this.#state = 'over'
      started.exchange.end('shutdown')
      throw error
    }
  }

  #begin(candidate: Candidate, started: StartedStream): void {
    const { call, deps, entry } = this.#context
    if (this.#state === 'over') {
      started.exchange.end('client')
      return
    }
    const limits = limitsAfterOverride(call.request, candidate.channel.paramOverride)
    this.#bound = new OutputBound(limits, call.request)
    this.#candidate = candidate
    this.#started = started
    this.#upstreamEnded = started.done
    this.#failure = started.failure
    this.#unread = started.unread
    this.#state = 'stalled'
    call.trace.firstTokenMs = Math.round(deps.clock.now() - call.startedAt)
    started.exchange.deadline.extend(deps.limits.silenceMs)
    started.exchange.whenEnded((reason) => this.#cutShort(reason))
    this.#delivery.follow(entry, () => {
      if (this.#state === 'stalled') this.#goOn()
    })
    if (this.#delivery.isAttached && !this.#isEnding) this.#pass(started.held)
  }

  /** Ends the stream with an error event, because the status has been sent: no upstream responded, or an internal error. */
  refuse(error: unknown): void {
    const { call, charge, deps } = this.#context
    const known = error instanceof RelayError ? error : internalError()
    if (known !== error) deps.fault(error, call.requestId)
    charge.fail(known)
    call.onLateFailure?.(known)
    this.#leave({ succeeded: false })
    this.#started?.exchange.end('shutdown')
    if (known.code === 'client_gone') this.#delivery.abort()
    else this.#endWith(known)
  }

  /** Delivers everything to `sink`, as fast as the caller takes it. */
  pipe(sink: BodySink): void {
    // No byte has left yet: an empty stream must not look like a complete response.
    if (this.#state === 'over' || (this.#started !== undefined && this.#delivery.isAlone)) {
      sink.abort()
      return
    }
    this.#delivery.attach(sink)
    this.#ping?.start(() => this.#sendPing())
    if (this.#started === undefined) this.#sendPing()
    else this.#pass(this.#started.held)
  }

  piece(bytes: Uint8Array): void {
    this.#unread = bytes
    if (this.#readNext()) this.#goOn()
  }

  ended(): void {
    if (this.#read(undefined)) this.#goOn()
  }

  failed(error: unknown): void {
    const { exchange } = this.#stream()
    this.#end(this.#fail(this.#endOf(error), brokenExchange(exchange, error).message))
  }

  #stream(): StartedStream {
    if (this.#started === undefined) throw new Error('no upstream has started a response')
    return this.#started
  }

  /** Reads as much of the received bytes as the balance check allows. */
  #readNext(): boolean {
    const bytes = this.#unread
    const readable = this.#budget.readableBytes(this.#stream().reader)
    if (bytes === undefined || bytes.length <= readable) {
      this.#unread = undefined
      return this.#read(bytes)
    }
    this.#unread = bytes.subarray(readable)
    return this.#read(bytes.subarray(0, readable))
  }

  /**
   * Reads and forwards. False when it must wait for something before it reads more.
   * @param bytes `undefined` at the end of the upstream
   */
  #read(bytes: Uint8Array | undefined): boolean {
    if (this.#isEnding) return false
    const { reader, exchange } = this.#stream()
    exchange.deadline.extend(this.#context.deps.limits.silenceMs)
    try {
      const step = bytes === undefined ? reader.end() : reader.push(bytes)
      this.#failure = step.error
      this.#upstreamEnded = bytes === undefined || step.done || step.error !== undefined
      if (this.#upstreamEnded) this.#unread = undefined
      const room = this.#memory.take(bytes?.length ?? 0, step.forward.length > 0)
      if (room !== undefined) return this.#refuseRoom(room)
      return this.#forward(step.forward)
    } catch (error) {
      this.failed(error)
      exchange.end('shutdown')
      return false
    }
  }

  /** Ends the stream at an event that the memory for responses has no room for. */
  #refuseRoom(room: RefusedRoom): false {
    // First, so that the end of the exchange finds the stream ended.
    this.#end(this.#failWith('shutdown', overloadError(room)))
    this.#stream().exchange.end('shutdown')
    return false
  }

  get #isEnding(): boolean {
    return this.#state === 'settling' || this.#state === 'over'
  }

  #pass(pieces: readonly Uint8Array[]): void {
    if (this.#forward(pieces)) this.#goOn()
  }

  /** Writes to the caller. False when the caller's buffer is full; delivery resumes when it drains. */
  #forward(pieces: readonly Uint8Array[]): boolean {
    this.#ping?.extend()
    this.#hasWritten ||= pieces.length > 0
    // Set before the write: a failing write reports the disconnect synchronously, and the stream must not wait after that.
    this.#state = 'stalled'
    return this.#delivery.write(pieces) || this.#stall()
  }

  /** Stalls the delivery for a caller that does not keep up: it continues once they have taken everything. */
  #stall(): false {
    // A failing write reports the disconnect, which ends the stream.
    if (!this.#delivery.isAttached || this.#isEnding) return false
    const room = this.#memory.stall()
    if (room !== undefined) return this.#refuseRoom(room)
    this.#delivery.whenDrained(() => this.#goOn())
    return false
  }

  /** Continues until it must wait for the caller, the upstream or a count. */
  #goOn(): void {
    this.#memory.resumed()
    try {
      while (this.#takeStep());
    } catch (error) {
      this.#breakOff(error)
    }
  }

  #takeStep(): boolean {
    if (this.#isEnding) return false
    this.#state = 'flowing'
    const { reader, exchange } = this.#stream()
    if (!this.#budget.isCovered(reader)) return this.#cover()
    if (this.#unread !== undefined) return this.#readNext()
    if (this.#upstreamEnded) this.#end(this.#finish())
    else exchange.response.next(this)
    return false
  }

  /** Ends a stream that has passed its caller's limit by more than is believed; else the balance decides. */
  #cover(): boolean {
    const passed = this.#bound?.isPassed(this.#stream().reader) ?? false
    if (passed === false) return this.#coverByBalance()
    this.#state = 'covering'
    this.#end(this.#afterCounting(passed))
    return false
  }

  async #afterCounting(counting: boolean | Promise<boolean>): Promise<void> {
    const isPassed = await counting
    if (this.#state !== 'covering') return
    if (isPassed) return this.#finishAtLimit()
    if (this.#coverByBalance()) this.#goOn()
  }

  /** Reserves more for what was delivered; ends the stream where the balance cannot cover it. */
  #coverByBalance(): boolean {
    const covered = this.#budget.cover(this.#stream().reader)
    if (covered === true) return true
    this.#state = 'covering'
    this.#end(this.#afterCovering(covered))
    return false
  }

  async #afterCovering(covering: boolean | Promise<boolean>): Promise<void> {
    const covered = await covering
    if (this.#state !== 'covering') return
    if (covered || this.#upstreamEnded) {
      this.#state = 'flowing'
      return this.#upstreamEnded ? this.#finish() : this.#goOn()
    }
    this.#stream().exchange.end('shutdown')
    await this.#failWith('insufficient_quota', insufficientQuota())
  }

  #end(ending: Promise<void>): void {
    ending.catch((error) => this.#breakOff(error))
  }

  /** Breaks the stream off after an internal error. Releases what was not charged by then: the caller does not pay for it. */
  #breakOff(error: unknown): void {
    const { call, charge, deps } = this.#context
    if (!charge.ended) {
      this.refuse(error)
      return
    }
    deps.fault(error, call.requestId)
    this.#delivery.abort()
  }

  /**
   * Our side ended the exchange. A stream that waits for its upstream notices that there; one that does not has a caller that
   * stopped reading and may never return, so this settles the call.
   */
  #cutShort(reason: ExchangeEnd): void {
    if (this.#state !== 'stalled') return
    if (reason === 'shutdown') this.#end(this.#fail('shutdown', 'The gateway is restarting. Try again.'))
    else this.#end(this.#fail('client_gone'))
  }

  async #finish(): Promise<void> {
    const { reader, exchange } = this.#stream()
    if (this.#failure !== undefined) {
      exchange.end('shutdown')
      return this.#failUpstream(this.#failure)
    }
    if (reader.outcome === 'stopped') return this.#finishStopped()
    if (reader.outcome !== 'complete') {
      return this.#fail(this.#endOf(undefined), 'The upstream ended its response before it was complete.')
    }
    exchange.done()
    const usage = await this.#settle(this.#delivery.isAlone ? 'client_gone' : undefined)
    if (usage === undefined) return
    const trailer = reader.trailer(usage)
    this.#context.call.storeResponse?.(trailer)
    this.#delivery.end(trailer)
    void this.#readRest()
  }

  /** Ends the response with the error that the upstream reported in the middle of it. */
  async #failUpstream(reported: UpstreamErrorInfo): Promise<void> {
    const { call, deps } = this.#context
    if (this.#candidate === undefined) throw new Error('no upstream has started a response')
    await this.#failWith('upstream_error', endedByUpstream(call, this.#candidate, reported, deps))
  }

  /** Ends the response before a filtered word, without waiting for the rest of the upstream's output. */
  async #finishStopped(): Promise<void> {
    const { reader, exchange } = this.#stream()
    exchange.end('shutdown')
    const usage = await this.#settle('sensitive_words')
    if (usage !== undefined) this.#delivery.end(reader.trailer(usage))
  }

  /** Ends the response as an upstream does that reaches the limit: what this one would deliver beyond costs nobody anything. */
  async #finishAtLimit(): Promise<void> {
    const { reader, exchange } = this.#stream()
    exchange.end('shutdown')
    const usage = await this.#settle('output_limit')
    if (usage === undefined) return
    const trailer = reader.lengthTrailer?.(usage) ?? reader.trailer(usage)
    this.#context.call.storeResponse?.(trailer)
    this.#delivery.end(trailer)
  }

  /** Drains the bytes after the end mark, so that the connection can serve the next call. */
  async #readRest(): Promise<void> {
    const { exchange } = this.#stream()
    const deadline = this.#context.deps.deadlines.start(restMs, () => exchange.end('timeout'))
    try {
      while (!(await exchange.response.read()).done);
    } catch {
      // The response is complete; how its connection ends no longer matters.
    } finally {
      deadline.clear()
    }
  }

  /**
   * Ends the call early, unless it has ended. After the first byte an error is an event of the caller's format, never
   * a regular end mark.
   * @param message `undefined` when the caller has disconnected or stopped reading
   */
  async #fail(ended: EarlyEnd, message?: string): Promise<void> {
    if (message === undefined || ended === 'client_gone') {
      if ((await this.#settle(ended)) !== undefined) this.#delivery.abort()
      return
    }
    await this.#failWith(ended, new RelayError('upstream_unreachable', message, { upstreamCode: ended }))
  }

  async #failWith(ended: EarlyEnd, error: RelayError): Promise<void> {
    if ((await this.#settle(ended)) === undefined) return
    this.#endWith(error)
  }

  #endWith(error: RelayError): void {
    const { dialect, request, requestId, createdAt } = this.#context.call
    const report = apiErrorOf(error, requestId)
    const events =
      this.#started?.reader.failure?.(report) ??
      dialect.errorEvents(report, { model: request.model, responseId: requestId, createdAt })
    const form = this.#started?.form ?? request.streamForm
    this.#delivery.end(form.last(events, this.#hasWritten))
  }

  #endOf(error: unknown): EarlyEnd {
    const { endedBy } = this.#stream().exchange
    if (endedBy === 'timeout') return 'timeout'
    if (endedBy === 'client') return 'client_gone'
    if (endedBy === 'shutdown' && error !== undefined) return 'shutdown'
    return 'upstream_cut'
  }

  /** Charges what was delivered; `undefined` when it was charged before. */
  async #settle(ended: EarlyEnd | undefined) {
    if (this.#isEnding || this.#candidate === undefined) return undefined
    this.#state = 'settling'
    const { call, charge } = this.#context
    const served = servedBy(this.#candidate)
    let usage: Usage | undefined
    try {
      const counted = await countedUsage(call.request, this.#candidate, this.#stream().reader)
      const { made } = this.#stream().reader
      await charge.settle({ ...served, ...counted, ...(made !== undefined && { made }), ended })
      charge.record()
      usage = counted.usage
      return usage
    } finally {
      this.#leave({ succeeded: isWhole(ended), usage })
    }
  }

  #leave(outcome: CallOutcome): void {
    this.#state = 'over'
    this.#ping?.stop()
    this.#memory.release()
    this.#context.grant.release(outcome)
    this.#context.entry.leave()
    // Before a response has started, an attempt may still read the body.
    if (this.#started !== undefined) this.#context.call.releaseBody?.()
  }

  #sendPing(): void {
    if (this.#isEnding) return
    const caller = this.#context.call.connection
    if (this.#state === 'stalled' || caller.isDisconnected) return
    this.#delivery.write([Buffer.from(this.#context.call.request.streamForm.ping ?? '')])
  }
}

/** Time that the rest of a finished stream may take before its connection is given up. */
const restMs = 1000
