import { encodeRealtimeError, transcriptionSetting } from '@tollgate/formats'
import type { Deadline } from '../../../upstream/deadlines.ts'
import type { ExchangeEnd } from '../../../upstream/exchange.ts'
import type { InFlightEntry } from '../in-flight.ts'
import { apiErrorOf, internalError, RelayError } from '../relay-error.ts'
import type { SessionDependencies } from './session-call.ts'
import { CallerPresence, type CallerSocket, type CallerSocketListener } from './session-call.ts'
import { endedByUs, refusedBy, type SessionEnd } from './session-end.ts'

type Message = string | Uint8Array
type Begin = (socket: CallerSocket) => CallerSocketListener

const maxWaitMs = 30_000
/** Bound of the messages before a model is named. */
const maxEarlyBytes = 1024 * 1024

interface Waiting extends Pick<SessionDependencies, 'deadlines' | 'inFlight' | 'fault'> {
  readonly requestId: string
}

/**
 * Waits for the caller's event that names the model: buffers messages until then, and starts the session as if the model had
 * been in the URL.
 * @param admit throws RelayError when there is no such session
 */
export function awaitModel(admit: (model: string) => Begin, waiting: Waiting): Begin {
  return (socket) => new AwaitedSession(admit, waiting, socket)
}

class AwaitedSession implements CallerSocketListener {
  readonly #admit: (model: string) => Begin
  readonly #waiting: Waiting
  readonly #socket: CallerSocket
  readonly #entry: InFlightEntry
  readonly #deadline: Deadline
  readonly #early: Message[] = []
  #earlyBytes = 0
  #isRefused = false
  #session: CallerSocketListener | undefined

  constructor(admit: (model: string) => Begin, waiting: Waiting, socket: CallerSocket) {
    this.#admit = admit
    this.#waiting = waiting
    this.#socket = socket
    this.#entry = waiting.inFlight.enter(new CallerPresence())
    const end = (reason: ExchangeEnd) => this.#refuse(endedByUs(reason))
    this.#entry.opened({ end, retire: () => end('shutdown') })
    this.#deadline = waiting.deadlines.start(maxWaitMs, () => this.#refuse(unnamed()))
  }

  message(message: Message): void {
    if (this.#session !== undefined) this.#session.message(message)
    else if (!this.#isRefused) this.#wait(message)
  }

  drained(): void {
    this.#session?.drained()
  }

  closed(code: number, reason: string): void {
    this.#leave()
    this.#session?.closed(code, reason)
  }

  #wait(message: Message): void {
    this.#early.push(message)
    this.#earlyBytes += message.length
    const named = typeof message === 'string' ? transcriptionSetting(message) : undefined
    if (named !== undefined) this.#begin(named.model)
    else if (this.#earlyBytes > maxEarlyBytes) this.#refuse(unnamed())
  }

  #begin(model: string): void {
    try {
      this.#session = this.#admit(model)(this.#socket)
      this.#leave()
    } catch (error) {
      this.#refuse(refusedBy(this.#known(error)))
    }
    for (const message of this.#early.splice(0)) this.#session?.message(message)
  }

  #known(error: unknown): RelayError {
    if (error instanceof RelayError) return error
    this.#waiting.fault(error, this.#waiting.requestId)
    return internalError()
  }

  #refuse({ error, code, reason }: SessionEnd): void {
    const { requestId } = this.#waiting
    this.#isRefused = true
    if (error !== undefined)
      this.#socket.send(encodeRealtimeError(apiErrorOf(error, requestId), `evt_${requestId}`))
    this.#socket.close(code, reason)
    this.#leave()
  }

  /** Stops waiting: the session has started, or was refused. */
  #leave(): void {
    this.#deadline.clear()
    this.#entry.leave()
  }
}

function unnamed(): SessionEnd {
  const message =
    'model is required: name it as /v1/realtime?intent=transcription&model=…, or in a session.update before anything else.'
  return refusedBy(
    new RelayError('invalid_request', message, { param: 'session.audio.input.transcription.model' }),
  )
}
