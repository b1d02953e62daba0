import {
  encodeRealtimeError,
  publicReason,
  transcriptionSetting,
  unavailableMessage,
  withRealtimeError,
} from '@tollgate/formats'
import type { Deadline } from '../../../upstream/deadlines.ts'
import type { ExchangeEnd } from '../../../upstream/exchange.ts'
import { type ResponseHold, smallResponseBytes } from '../../../upstream/response-body/response-memory.ts'
import type { SessionListener, WebSocketSession } from '../../../upstream/websocket/session.ts'
import { firstSuccess, requirementsOf, type SuccessfulAttempt } from '../attempts/attempts.ts'
import { cleanerFor, redactor } from '../attempts/failures.ts'
import type { InFlightEntry } from '../in-flight.ts'
import { acquireLimits, type LimitGrant } from '../limits/limits.ts'
import { logged, type Prepared, prepare } from '../relay.ts'
import { apiErrorOf, internalError, RelayError } from '../relay-error.ts'
import { namedEvent, openSession, permittedEvent } from './open-session.ts'
import { refuseSession } from './refuse-session.ts'
import {
  CallerPresence,
  type CallerSocket,
  type CallerSocketListener,
  type SessionCall,
  type SessionDependencies,
} from './session-call.ts'
import { SessionCharges, upstreamName } from './session-charges.ts'
import {
  closedByCaller,
  closedByUpstream,
  endedByUs,
  idle,
  outOfQuota,
  readsTooSlowly,
  refusedBy,
  responseTimedOut,
  revoked,
  type SessionEnd,
} from './session-end.ts'
import { binaryMessage, callersError } from './session-error.ts'
import { SessionNames } from './session-names.ts'
import { SessionRetirement } from './session-retirement.ts'

type Message = string | Uint8Array

const decoder = new TextDecoder()

/** Bytes that may wait for an upstream before its caller has to wait, and for a caller before it is given up. */
const maxWaitingUpstream = 1024 * 1024
const maxWaitingCaller = 16 * 1024 * 1024
/** Polling interval, because the runtime's client does not report when its bytes have left. */
const lookAgainMs = 20

/** Call, charges and connection of a session. */
interface SessionContext {
  readonly call: SessionCall
  readonly prepared: Prepared
  readonly presence: CallerPresence
  readonly deps: SessionDependencies
}

/**
 * One session of the Realtime API: messages pass both ways as they were received, and their usage is added up. Each end
 * charges the session once, before the caller sees the end.
 */
class RealtimeSession {
  readonly #context: SessionContext
  readonly #socket: CallerSocket
  readonly #entry: InFlightEntry
  #charges: SessionCharges | undefined
  #grant: LimitGrant | undefined
  #upstream: SuccessfulAttempt<WebSocketSession> | undefined
  /** Messages from before an upstream was open, or while the session asks for quota to transcribe with. */
  #early: Message[] = []
  #isStartingTranscription = false
  #isCovering = false
  #isOver = false
  #isPaused = false
  /** Hold on memory for messages that wait for the caller, once they are large. */
  #hold: ResponseHold | undefined
  #unwatchCaller: (() => void) | undefined
  readonly #retirement: SessionRetirement
  /** Gives events their caller's names of models; `undefined` until the upstream is there. */
  #names: SessionNames | undefined
  /** Ends a session in which neither side sends anything. */
  #silence: Deadline | undefined
  /** Ends a session whose upstream does not start a requested response. */
  #responseDue: Deadline | undefined

  constructor(context: SessionContext, socket: CallerSocket) {
    this.#context = context
    this.#socket = socket
    this.#entry = context.deps.inFlight.enter(context.presence)
    this.#retirement = new SessionRetirement({
      deadlines: context.deps.deadlines,
      isResponding: () => this.#charges?.meter.isResponding === true,
      end: () => this.#cutShort('shutdown'),
    })
  }

  /** Reserves and connects; from then on messages pass. */
  start(): void {
    this.#socket.pause()
    this.#open().catch((error) => this.#refuse(error))
  }

  async #open(): Promise<void> {
    const { call, prepared, deps } = this.#context
    await this.#admit()
    const tryOne = (candidate: SuccessfulAttempt['candidate']) =>
      openSession(call, candidate, deps, this.#entry)
    const upstream = await firstSuccess(call, prepared.routePlan, deps, {
      requirements: requirementsOf(call, deps),
      tryOne,
      grant: this.#passed,
      entry: this.#entry,
    })
    this.#upstream = upstream
    this.#names = new SessionNames(call.request, upstream.candidate)
    this.#entry.opened({ end: (reason) => this.#cutShort(reason), retire: () => this.#retirement.begin() })
    if (this.#isOver) return
    this.#silence = deps.deadlines.start(deps.sessionIdleMs, () => this.#end(idle))
    this.#unwatchCaller = deps.watchCaller((reason) => this.#end(revoked(reason)), {
      channelId: upstream.candidate.channel.id,
      refuse: (caller) => refuseSession(call, caller, upstream.candidate, deps),
    })
    for (const message of this.#early.splice(0)) this.#sent(message)
    upstream.started.listen(this.#upstreamListener)
    this.#socket.resume()
  }

  async #admit(): Promise<void> {
    const { call, prepared, deps } = this.#context
    try {
      this.#grant = await acquireLimits(deps.rateLimits, call)
      this.#charges = await SessionCharges.open(call, prepared, deps)
    } catch (error) {
      throw logged(call, error, deps)
    }
  }

  get #passed(): LimitGrant {
    if (this.#grant === undefined) throw new Error('no limits have been asked')
    return this.#grant
  }

  /** Receives the events of the caller's WebSocket. */
  readonly callerListener: CallerSocketListener = {
    message: (message) => this.#sent(message),
    drained() {},
    closed: (code) => {
      // Also an attempt that is under way ends with its caller.
      this.#context.presence.isDisconnected = true
      if (this.#upstream === undefined) this.#context.presence.left()
      else this.#end(closedByCaller(code))
    },
  }

  readonly #upstreamListener: SessionListener = {
    message: (message) => this.#received(message),
    closed: (code, reason) => this.#end(closedByUpstream(code, this.#closeReason(reason))),
  }

  #sent(message: Message): void {
    if (this.#isOver) return
    this.#silence?.extend(this.#context.deps.sessionIdleMs)
    if (this.#upstream === undefined || this.#isStartingTranscription) {
      this.#early.push(message)
      return
    }
    const passed = typeof message === 'string' ? this.#checked(message) : this.#tell(binaryMessage())
    if (passed === undefined || !this.#covers()) return
    const { started } = this.#upstream
    started.send(passed)
    if (started.bufferedBytes > maxWaitingUpstream && !this.#isPaused) this.#pauseCaller(started)
  }

  /** The caller's event as the upstream receives it; `undefined` when it was refused. */
  #checked(received: string): string | undefined {
    const { call, deps } = this.#context
    const candidate = this.#upstream?.candidate
    let message = received
    let setting: ReturnType<typeof transcriptionSetting>
    try {
      if (candidate !== undefined)
        message = namedEvent(permittedEvent(received, candidate), call.request, candidate)
      setting = transcriptionSetting(message)
      const starting = setting && this.#charges?.transcribe(setting)
      if (starting !== undefined) {
        this.#sendAfter(starting, received)
        return undefined
      }
    } catch (error) {
      if (!(error instanceof RelayError)) throw error
      this.#tell(error)
      return undefined
    }
    this.#charges?.meter.sent(message)
    if (message.includes('"response.create"'))
      this.#responseDue ??= deps.deadlines.start(deps.limits.silenceMs, () => this.#end(responseTimedOut()))
    if (setting === undefined || candidate === undefined) return message
    const name = upstreamName(candidate, setting.model)
    this.#names?.transcribesWith(setting.model, name)
    return name === setting.model ? message : setting.withModel(name)
  }

  /** Sends an event, and those that follow it, once the transcription that it asks for has quota. */
  #sendAfter(starting: Promise<void>, message: Message): void {
    this.#isStartingTranscription = true
    const goOn = (messages: readonly Message[]) => {
      this.#isStartingTranscription = false
      for (const each of [...messages, ...this.#early.splice(0)]) this.#sent(each)
    }
    starting.then(
      () => goOn([message]),
      (error: unknown) => {
        if (this.#isOver) return
        this.#tell(error instanceof RelayError ? error : internalError())
        goOn([])
      },
    )
  }

  #received(message: Message): void {
    if (this.#isOver) return
    this.#silence?.extend(this.#context.deps.sessionIdleMs)
    this.#responseDue?.clear()
    this.#responseDue = undefined
    // Whatever frame an event is in, it counts.
    const text = typeof message === 'string' ? message : decoder.decode(message)
    const isError = this.#charges?.meter.received(text) === 'error'
    this.#socket.send(isError ? this.#cleaned(this.#withCallersError(text)) : this.#named(message))
    this.#retirement.heard()
    const { trace, startedAt } = this.#context.call
    if (trace.firstTokenMs === 0 && this.#charges?.hasResponded === true)
      trace.firstTokenMs = Math.round(this.#context.deps.clock.now() - startedAt)
    if (this.#hasRoomFor(this.#socket.bufferedBytes)) this.#covers()
    else this.#end(readsTooSlowly)
  }

  #named(message: Message): Message {
    return typeof message === 'string' ? (this.#names?.named(message) ?? message) : message
  }

  /** Decides whether so much may wait for the caller, within the memory for responses. */
  #hasRoomFor(waiting: number): boolean {
    if (waiting > maxWaitingCaller) return false
    if (waiting <= smallResponseBytes && this.#hold === undefined) return true
    const { call, deps } = this.#context
    this.#hold ??= deps.responses.enter(call.caller.user.id)
    return this.#hold.set(waiting) === undefined
  }

  /** The caller waits until the upstream has taken what it sent. */
  #pauseCaller(upstream: WebSocketSession): void {
    this.#isPaused = true
    this.#socket.pause()
    const look = setInterval(() => {
      if (!this.#isOver && upstream.bufferedBytes > maxWaitingUpstream / 2) return
      clearInterval(look)
      this.#isPaused = false
      if (!this.#isOver) this.#socket.resume()
    }, lookAgainMs)
  }

  /** Ends the session where the balance cannot cover more of it; it goes on while this node asks for more of the balance. */
  #covers(): boolean {
    if (this.#charges === undefined || this.#isCovering) return true
    const covered = this.#charges.covers()
    if (covered instanceof Promise) this.#endUnless(covered)
    if (covered !== false) return true
    this.#end(outOfQuota())
    return false
  }

  #endUnless(covering: Promise<boolean>): void {
    this.#isCovering = true
    // A ledger that cannot be asked says false.
    void covering.then((covered) => {
      this.#isCovering = false
      if (!covered) this.#end(outOfQuota())
    })
  }

  #cutShort(reason: ExchangeEnd): void {
    this.#end(endedByUs(reason))
  }

  /** Refuses a session without an open upstream, and without one to come. */
  #refuse(error: unknown): void {
    const { call, deps } = this.#context
    const known = error instanceof RelayError ? error : internalError()
    if (known !== error) deps.fault(error, call.requestId)
    this.#end(refusedBy(known))
  }

  #end(end: SessionEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#early = []
    this.#silence?.clear()
    this.#retirement.clear()
    this.#responseDue?.clear()
    this.#unwatchCaller?.()
    this.#upstream?.started.close(1000)
    this.#settle(end)
      .catch((error) => this.#context.deps.fault(error, this.#context.call.requestId))
      .finally(() => this.#leave(end))
  }

  async #settle(end: SessionEnd): Promise<void> {
    const settled = await this.#charges?.settle(this.#upstream?.candidate, end)
    if (settled?.charged !== true) this.#grant?.release({ succeeded: false })
    else this.#grant?.release({ succeeded: end.ended === undefined, usage: settled.usage })
  }

  #leave({ error, code, reason }: SessionEnd): void {
    this.#hold?.release()
    this.#grant?.release({ succeeded: false })
    if (!this.#context.presence.isDisconnected) {
      if (error !== undefined) this.#tell(error)
      this.#socket.close(code, reason)
    }
    this.#entry.leave()
  }

  #tell(error: RelayError): undefined {
    const { requestId } = this.#context.call
    this.#socket.send(encodeRealtimeError(apiErrorOf(error, requestId), `evt_${requestId}`))
  }

  /** An upstream's error as its caller may read it. */
  #withCallersError(message: string): string {
    const { call, deps } = this.#context
    const candidate = this.#upstream?.candidate
    if (candidate === undefined) return message
    return withRealtimeError(message, (error) => callersError(error, call, candidate, deps))
  }

  /** Returns the upstream's reason for closing, unless it concerns its account. */
  #closeReason(reason: string): string {
    const reported = publicReason(reason)
    const candidate = this.#upstream?.candidate
    if (candidate === undefined || reported === unavailableMessage) return ''
    return cleanerFor(this.#context.call, candidate)(reported)
  }

  /** An upstream's text without secrets of the channel. */
  #cleaned(text: string): string {
    const channel = this.#upstream?.candidate.channel
    return channel === undefined ? text : redactor(channel)(text)
  }
}

/**
 * Admits or refuses a session as far as that needs no socket: key, model, group, route and price. Later errors go over the
 * caller's WebSocket.
 * @returns a function that starts the session, once the caller's handshake is done
 * @throws RelayError, which has left a row in the log
 */
export function admitSession(
  details: Omit<SessionCall, 'connection'>,
  deps: SessionDependencies,
): (socket: CallerSocket) => CallerSocketListener {
  const presence = new CallerPresence()
  const call: SessionCall = { ...details, connection: presence }
  const prepared: Prepared = prepare(call, deps)
  return (socket) => {
    const session = new RealtimeSession({ call, prepared, presence, deps }, socket)
    session.start()
    return session.callerListener
  }
}
