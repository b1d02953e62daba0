import { encodeRealtimeError, RealtimeMeter } from '@tollgate/formats'
import type { ExchangeEnd } from '../../upstream/exchange.ts'
import type { SessionListener, WebSocketSession } from '../../upstream/websocket-session.ts'
import { type Answered, firstBegun, wantedOf } from '../attempts/attempts.ts'
import { redactor } from '../attempts/upstream-refusal.ts'
import { CallCharge } from '../charge/call-charge.ts'
import type { InFlightEntry } from '../in-flight.ts'
import { type Permit, passLimits } from '../limits/limits.ts'
import { hold, logged, type Prepared } from '../relay.ts'
import { apiErrorOf, RelayError } from '../relay-error.ts'
import type { CallerPresence, CallerSocket, CallerSocketListener } from './caller-socket.ts'
import { openSession } from './open-session.ts'
import { coverSession, firstEstimate, usageOfSession } from './session-budget.ts'
import type { SessionCall, SessionDependencies } from './session-call.ts'
import {
  closedByCaller,
  closedByUpstream,
  endedByUs,
  outOfQuota,
  readsTooSlowly,
  refusedBy,
  type SessionEnd,
} from './session-end.ts'

type Message = string | Uint8Array

/** Bytes that may wait for an upstream before its caller has to wait, and for a caller before it is given up. */
const maxWaitingUpstream = 1024 * 1024
const maxWaitingCaller = 16 * 1024 * 1024
/** The runtime's client does not tell when its bytes have left. */
const lookAgainMs = 20

/** What a session is served with. */
export interface SessionContext {
  readonly call: SessionCall
  readonly prepared: Prepared
  readonly presence: CallerPresence
  readonly deps: SessionDependencies
}

/**
 * One session of the Realtime API: messages pass both ways as they were received, and what they use is added up. Whoever
 * ends it, it is charged once, before the caller is told of the end.
 */
export class RealtimeSession {
  readonly #context: SessionContext
  readonly #socket: CallerSocket
  readonly #meter = new RealtimeMeter()
  readonly #entry: InFlightEntry
  #charge: CallCharge | undefined
  #permit: Permit | undefined
  #upstream: Answered<WebSocketSession> | undefined
  /** Came before an upstream was open. */
  #early: Message[] = []
  #isOver = false
  #isHeldBack = false

  constructor(context: SessionContext, socket: CallerSocket) {
    this.#context = context
    this.#socket = socket
    this.#entry = context.deps.inFlight.enter(context.presence)
  }

  /** Reserves and connects; from then on messages pass. */
  start(): void {
    this.#socket.pause()
    this.#open().catch((error) => this.#refuse(error))
  }

  async #open(): Promise<void> {
    const { call, prepared, deps } = this.#context
    this.#charge = await this.#admit()
    const tryOne = (candidate: Answered['candidate']) => openSession(call, candidate, deps, this.#entry)
    const upstream = await firstBegun(call, prepared.planned, deps, {
      wanted: wantedOf(call, deps),
      tryOne,
      permit: this.#passed,
    })
    this.#upstream = upstream
    this.#entry.opened({ end: (reason) => this.#cutShort(reason) })
    if (this.#isOver) return
    for (const message of this.#early.splice(0)) this.#sent(message)
    upstream.begun.listen(this.#upstreamListener)
    this.#socket.resume()
  }

  async #admit(): Promise<CallCharge> {
    const { call, prepared, deps } = this.#context
    const { price } = prepared
    try {
      this.#permit = await passLimits(deps.rateLimits, call)
      const estimate = firstEstimate(price, deps.settings.current.PreConsumedQuota)
      const reservation = hold(call, { estimate }, deps)
      return new CallCharge(call, { price, promptTokens: 0, reservation }, deps.charge)
    } catch (error) {
      throw logged(call, error, deps)
    }
  }

  get #passed(): Permit {
    if (this.#permit === undefined) throw new Error('no limits have been asked')
    return this.#permit
  }

  /** Told of the caller. */
  readonly callerListener: CallerSocketListener = {
    message: (message) => this.#sent(message),
    drained() {},
    closed: (code) => {
      // Also an attempt that is under way ends with its caller.
      this.#context.presence.isGone = true
      if (this.#upstream === undefined) this.#context.presence.left()
      else this.#end(closedByCaller(code))
    },
  }

  readonly #upstreamListener: SessionListener = {
    message: (message) => this.#received(message),
    closed: (code, reason) => this.#end(closedByUpstream(code, this.#cleaned(reason))),
  }

  #sent(message: Message): void {
    if (this.#isOver) return
    if (this.#upstream === undefined) {
      this.#early.push(message)
      return
    }
    if (typeof message === 'string') this.#meter.sent(message)
    if (!this.#covers()) return
    const { begun } = this.#upstream
    begun.send(message)
    if (begun.bufferedBytes > maxWaitingUpstream && !this.#isHeldBack) this.#holdBack(begun)
  }

  #received(message: Message): void {
    if (this.#isOver) return
    const isError = typeof message === 'string' && this.#meter.received(message) === 'error'
    this.#socket.send(isError ? this.#cleaned(message) : message)
    const { trail, startedAt } = this.#context.call
    if (trail.firstTokenMs === 0 && this.#meter.hasAnswered)
      trail.firstTokenMs = Math.round(this.#context.deps.clock.now() - startedAt)
    if (this.#socket.bufferedBytes > maxWaitingCaller) this.#end(readsTooSlowly)
    else this.#covers()
  }

  /** The caller waits until the upstream has taken what it sent. */
  #holdBack(upstream: WebSocketSession): void {
    this.#isHeldBack = true
    this.#socket.pause()
    const look = setInterval(() => {
      if (!this.#isOver && upstream.bufferedBytes > maxWaitingUpstream / 2) return
      clearInterval(look)
      this.#isHeldBack = false
      if (!this.#isOver) this.#socket.resume()
    }, lookAgainMs)
  }

  /** Ends the session where the balance cannot carry more of it. */
  #covers(): boolean {
    if (this.#charge === undefined || coverSession(this.#meter, this.#charge)) return true
    this.#end(outOfQuota())
    return false
  }

  #cutShort(reason: ExchangeEnd): void {
    this.#end(endedByUs(reason))
  }

  /** No upstream is open, and none will be. */
  #refuse(error: unknown): void {
    const { call, deps } = this.#context
    const known = error instanceof RelayError ? error : new RelayError('internal_error', internalMessage)
    if (known !== error) deps.fault(error, call.requestId)
    this.#end(refusedBy(known))
  }

  #end(end: SessionEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#early = []
    this.#upstream?.begun.close(1000)
    this.#settle(end)
      .catch((error) => this.#context.deps.fault(error, this.#context.call.requestId))
      .finally(() => this.#leave(end))
  }

  /** Charged once, for all responses together; what held no response costs nothing. */
  async #settle({ ended, error }: SessionEnd): Promise<void> {
    const charge = this.#charge
    if (charge === undefined) return
    const { call, deps } = this.#context
    if (this.#upstream === undefined || !this.#meter.hasAnswered) {
      if (error === undefined) charge.release()
      else charge.fail(error)
      this.#permit?.release({ succeeded: false })
      return
    }
    const { channel, upstreamModel } = this.#upstream.candidate
    const counted = await usageOfSession(this.#meter, call.request.model, deps)
    charge.settle({ channel, upstreamModel, ...counted, ended })
    charge.record()
    this.#permit?.release({ succeeded: ended === undefined, usage: counted.usage })
  }

  #leave({ error, code, reason }: SessionEnd): void {
    const { requestId } = this.#context.call
    this.#permit?.release({ succeeded: false })
    if (!this.#context.presence.isGone) {
      if (error !== undefined)
        this.#socket.send(encodeRealtimeError(apiErrorOf(error, requestId), `evt_${requestId}`))
      this.#socket.close(code, reason)
    }
    this.#entry.leave()
  }

  /** An upstream's words without what its callers must not learn of the channel. */
  #cleaned(text: string): string {
    const channel = this.#upstream?.candidate.channel
    return channel === undefined ? text : redactor(channel)(text)
  }
}

const internalMessage = 'Internal server error. Tell the administrator the request id.'
