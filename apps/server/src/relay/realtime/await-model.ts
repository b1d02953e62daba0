import { encodeRealtimeError, transcriptionSetting } from '@tollgate/formats'
import type { Deadline, Deadlines } from '../../upstream/deadlines.ts'
import { apiErrorOf, RelayError } from '../relay-error.ts'
import type { CallerSocket, CallerSocketListener } from './caller-socket.ts'
import { refusedBy } from './session-end.ts'

type Message = string | Uint8Array
type Begin = (socket: CallerSocket) => CallerSocketListener

const longestWaitMs = 30_000
/** Of what is said before a model is named. */
const maxEarlyBytes = 1024 * 1024

interface Waiting {
  readonly deadlines: Deadlines
  readonly requestId: string
}

/**
 * A session whose model is named by an event of its caller: what it says is kept until then, and the session begins as if
 * the model had been in the address.
 * @param admit throws RelayError when there is no such session
 */
export function awaitModel(admit: (model: string) => Begin, waiting: Waiting): Begin {
  return (socket) => new AwaitedSession(admit, waiting, socket)
}

class AwaitedSession implements CallerSocketListener {
  readonly #admit: (model: string) => Begin
  readonly #requestId: string
  readonly #socket: CallerSocket
  readonly #deadline: Deadline
  readonly #early: Message[] = []
  #earlyBytes = 0
  #isRefused = false
  #session: CallerSocketListener | undefined

  constructor(admit: (model: string) => Begin, { deadlines, requestId }: Waiting, socket: CallerSocket) {
    this.#admit = admit
    this.#requestId = requestId
    this.#socket = socket
    this.#deadline = deadlines.start(longestWaitMs, () => this.#refuse(unnamed()))
  }

  message(message: Message): void {
    if (this.#session !== undefined) this.#session.message(message)
    else if (!this.#isRefused) this.#wait(message)
  }

  drained(): void {
    this.#session?.drained()
  }

  closed(code: number, reason: string): void {
    this.#deadline.clear()
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
    this.#deadline.clear()
    try {
      this.#session = this.#admit(model)(this.#socket)
    } catch (error) {
      if (!(error instanceof RelayError)) throw error
      this.#refuse(error)
    }
    for (const message of this.#early.splice(0)) this.#session?.message(message)
  }

  #refuse(error: RelayError): void {
    const { code, reason } = refusedBy(error)
    this.#isRefused = true
    this.#deadline.clear()
    this.#socket.send(encodeRealtimeError(apiErrorOf(error, this.#requestId), `evt_${this.#requestId}`))
    this.#socket.close(code, reason)
  }
}

function unnamed(): RelayError {
  return new RelayError(
    'invalid_request',
    'model is required: name it as /v1/realtime?intent=transcription&model=…, or in a session.update before anything else.',
    { param: 'session.audio.input.transcription.model' },
  )
}
